// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sarif.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// GitHub takes 25,000 results and shows 5,000, takes 10,000 steps of a flow and shows 1,000, takes
// 1,000 locations and shows 100, and takes 10 MB compressed: what is shown is what is written.
constexpr size_t kResults = 5000;
constexpr size_t kFlow = 1000;
constexpr size_t kRelated = 100;
constexpr size_t kStack = 100;
constexpr size_t kLabels = 20;
constexpr size_t kSnippet = 400; // bytes of a line; generated code has no end

constexpr double kSure = 0.8; // from here on a finding is an error, below a warning

constexpr const char *kSourceRoot = "%SRCROOT%";

std::string sentence(const std::string &text) {
  return text.empty() || text.back() == '.' ? text : text + ".";
}

Json message(const std::string &text) { return {{"text", text}}; }

// Characters before a byte.
size_t characters(std::string_view line, size_t bytes) {
  return static_cast<size_t>(std::ranges::count_if(
      line.substr(0, bytes), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

class Writer {
public:
  Writer(const Reported &report, const SarifOptions &options) : report_(report), options_(options) {
    root_ = options.root.lexically_normal().string();
    if (!root_.empty() && root_.back() != '/')
      root_ += '/';
  }

  Json log() {
    Json results = this->results();
    Json run = {{"tool", {{"driver", driver()}}},
                {"invocations", Json::array({invocation()})},
                {"columnKind", "unicodeCodePoints"},
                {"automationDetails", {{"id", fmt::format("culprit/{}/", report_.command)}}},
                {"results", std::move(results)}};
    if (!root_.empty())
      run["originalUriBaseIds"] = {
          {kSourceRoot,
           {{"uri", "file://" + uri_path(root_)},
            {"description", message("The folder that file names are relative to.")}}}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

private:
  // The same finding in several runs.
  struct Merged {
    const Reported::Finding *best = nullptr;
    std::vector<std::string> labels;
    size_t count = 0;
    size_t position = 0; // among all
  };

  std::vector<Merged> merged() const {
    std::vector<Merged> all;
    std::map<std::pair<std::string, std::string>, size_t> positions;
    for (const Reported::Finding &finding : report_.findings) {
      const auto [entry, is_new] =
          positions.try_emplace({finding.rule, finding.fingerprint}, all.size());
      if (is_new)
        all.emplace_back();
      Merged &one = all[entry->second];
      one.position = entry->second;
      ++one.count;
      if (!finding.label.empty() && one.labels.size() < kLabels)
        one.labels.push_back(finding.label);
      if (one.best == nullptr || finding.confidence.value_or(1) > one.best->confidence.value_or(1))
        one.best = &finding;
    }
    return all;
  }

  Json results() {
    std::vector<Merged> all = merged();
    std::ranges::sort(all, [](const Merged &a, const Merged &b) {
      if (a.best->counts() != b.best->counts())
        return a.best->counts();
      const double of_a = a.best->confidence.value_or(1);
      const double of_b = b.best->confidence.value_or(1);
      return of_a != of_b ? of_a > of_b : a.position < b.position;
    });
    if (all.size() > kResults) {
      notify("warning",
             fmt::format("{} findings are left out, those of the lowest rank: code "
                         "hosts show {} at most. The JSON report has all {}.",
                         grouped(all.size() - kResults), grouped(kResults), grouped(all.size())));
      all.resize(kResults);
    }
    Json list = Json::array();
    for (const Merged &one : all)
      list.push_back(result(one));
    for (const Reported::Case &run : report_.cases)
      if (!run.unresolved.empty() && notifications_.size() < kLabels)
        notify("warning", sentence(fmt::format("{}: {}", run.label, run.unresolved)));
    return list;
  }

  Json result(const Merged &one) {
    const Reported::Finding &finding = *one.best;
    std::string text = sentence(finding.message);
    for (const std::string &line : finding.evidence)
      text += " " + sentence(line);
    const bool sure = finding.confidence.value_or(1) >= kSure;
    Json result = {{"ruleId", finding.rule},
                   {"ruleIndex", rule_index(finding.rule)},
                   {"level", sure ? "error" : "warning"},
                   {"message", message(text)},
                   {"locations", Json::array()},
                   {"partialFingerprints", {{"culprit/v1", finding.fingerprint}}}};
    result["locations"].push_back(main_location(finding));
    if (finding.confidence)
      result["rank"] = std::clamp(*finding.confidence, 0.0, 1.0) * 100;
    if (one.count > 1)
      result["occurrenceCount"] = one.count;
    add_places(result, finding);
    if (!one.labels.empty())
      result["properties"] = {{"runs", one.labels}};
    if (report_.compared)
      result["baselineState"] = finding.known ? "unchanged" : "new";
    if (!finding.suppressed.empty())
      result["suppressions"] =
          Json::array({{{"kind", "external"}, {"justification", finding.suppressed}}});
    return result;
  }

  // GitHub refuses a result without a file, and wants a line: what has none is said to be on the
  // first.
  Json main_location(const Reported::Finding &finding) {
    Json place = location(!finding.location.is_null() ? finding.location
                          : !finding.flow.empty()     ? finding.flow.front().location
                                                      : Json::object(),
                          "");
    if (!place.contains("physicalLocation"))
      place["physicalLocation"] = {{"artifactLocation", artifact(report_.program)}};
    if (!place["physicalLocation"].contains("region"))
      place["physicalLocation"]["region"] = {{"startLine", 1}};
    return place;
  }

  void add_places(Json &result, const Reported::Finding &finding) {
    if (!finding.related.empty())
      result["relatedLocations"] = Json::array();
    for (size_t i = 0; i < std::min(kRelated, finding.related.size()); ++i) {
      Json place = location(finding.related[i].location, finding.related[i].words);
      place["id"] = i + 1;
      result["relatedLocations"].push_back(std::move(place));
    }
    if (!finding.flow.empty())
      result["codeFlows"] = Json::array({flow(finding.flow)});
    if (finding.stack.empty())
      return;
    Json frames = Json::array();
    for (size_t i = 0; i < std::min(kStack, finding.stack.size()); ++i)
      frames.push_back({{"location", location(finding.stack[i].location, "")}});
    result["stacks"] = Json::array(
        {{{"message", message("Call stack, innermost first.")}, {"frames", std::move(frames)}}});
  }

  // Of a very long one the beginning and the end: how it began and what came of it.
  Json flow(const std::vector<Spot> &spots) {
    Json steps = Json::array();
    for (size_t i = 0; i < spots.size(); ++i) {
      if (spots.size() > kFlow && i == kFlow / 2)
        i = spots.size() - kFlow / 2;
      steps.push_back(
          {{"location", location(spots[i].location, spots[i].words)},
           {"executionOrder", i + 1},
           {"importance", i == 0 || i + 1 == spots.size() ? "essential" : "important"}});
    }
    Json flow = {{"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
    if (spots.size() > kFlow)
      flow["message"] = message(
          fmt::format("{} steps in the middle are left out.", grouped(spots.size() - kFlow)));
    return flow;
  }

  Json artifact(const std::string &file) const {
    const std::string path = std::filesystem::path(file).lexically_normal().string();
    if (!root_.empty() && path.starts_with(root_))
      return {{"uri", uri_path(path.substr(root_.size()))}, {"uriBaseId", kSourceRoot}};
    if (path.starts_with('/'))
      return {{"uri", "file://" + uri_path(path)}};
    return {{"uri", uri_path(path)}, {"uriBaseId", kSourceRoot}};
  }

  Json location(const Json &at, const std::string &words) {
    Json made = Json::object();
    // The bytes of the file's name, not what is shown of them.
    const std::string file = at.value("file", "");
    if (!file.empty()) {
      made["physicalLocation"] = {{"artifactLocation", artifact(file)}};
      if (count_of(at, "line") != 0)
        made["physicalLocation"]["region"] = region(file, at);
    }
    if (const std::string function = text_of(at, "function"); !function.empty())
      made["logicalLocations"] =
          Json::array({{{"fullyQualifiedName", function}, {"kind", "function"}}});
    if (!words.empty())
      made["message"] = message(sentence(words));
    return made;
  }

  Json region(const std::string &file, const Json &at) const {
    const uint64_t line = count_of(at, "line");
    const uint64_t column = count_of(at, "column");
    Json region = {{"startLine", line}};
    const std::optional<std::string> source =
        options_.source ? options_.source(file, line) : std::nullopt;
    if (!source || column > source->size()) {
      if (column != 0 && !source)
        region["startColumn"] = column;
      return region;
    }
    if (column != 0) {
      const std::optional<Statement> statement = statement_at(*source, column);
      region["startColumn"] = characters(*source, statement ? statement->begin : column - 1) + 1;
      if (statement)
        region["endColumn"] = characters(*source, statement->end) + 1;
    }
    if (source->size() <= kSnippet)
      region["snippet"] = message(printable(*source));
    return region;
  }

  size_t rule_index(const std::string &id) {
    const auto found = std::ranges::find(used_, id);
    if (found != used_.end())
      return static_cast<size_t>(found - used_.begin());
    used_.push_back(id);
    return used_.size() - 1;
  }

  Json driver() const {
    Json list = Json::array();
    for (const std::string &id : used_) {
      const Rule &rule = *find_rule(id);
      Json tags = Json::array({"memory", rule.part});
      if (rule.cwe != 0)
        tags.push_back(fmt::format("external/cwe/cwe-{:03}", rule.cwe));
      list.push_back({{"id", rule.id},
                      {"name", rule.name},
                      {"shortDescription", message(std::string(rule.summary))},
                      {"fullDescription", message(std::string(rule.summary))},
                      {"help", message(std::string(rule.meaning))},
                      {"defaultConfiguration", {{"level", "error"}}},
                      {"properties", {{"tags", std::move(tags)}}}});
    }
    return {{"name", "culprit"},
            {"version", kVersion},
            {"semanticVersion", kVersion},
            {"rules", std::move(list)}};
  }

  Json invocation() const {
    Json made = {{"executionSuccessful", true}};
    if (!notifications_.empty())
      made["toolExecutionNotifications"] = notifications_;
    return made;
  }

  void notify(const char *level, const std::string &text) {
    notifications_.push_back({{"level", level}, {"message", message(text)}});
  }

  const Reported &report_;
  const SarifOptions &options_;
  std::string root_;
  std::vector<std::string> used_; // ids of rules, in order of appearance
  Json notifications_ = Json::array();
};

} // namespace

std::string uri_path(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json sarif(const Reported &report, const SarifOptions &options) {
  return Writer(report, options).log();
}

} // namespace culprit::report
