// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check_document.h"

#include "engine/heap/resample.h"
#include "report/access_document.h"
#include "report/document.h"
#include "report/place.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;
using heap::Finding;
using heap::FindingKind;

bool is_share(const Finding &finding) {
  return finding.metric != nullptr && finding.metric->unit == "%";
}

bool is_mean(const Finding &finding) {
  return finding.metric != nullptr && finding.metric->kind == heap::MetricKind::mean;
}

// A mean is kept in percent, as all others, and told per object.
std::string number_text(const Finding &finding, double value) {
  if (is_mean(finding))
    return fmt::format("{:.2f}", value / 100);
  return is_share(finding) ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::string unit_text(const Finding &finding) {
  return finding.metric == nullptr || is_mean(finding) ? ""
                                                       : fmt::format(" {}", finding.metric->unit);
}

std::string range_text(const Finding &finding) {
  return fmt::format("{}–{}{}", number_text(finding, finding.range.low),
                     number_text(finding, finding.range.high), unit_text(finding));
}

const heap::Site *site_of(const heap::HeapRun &run, uint64_t id) {
  const auto found = std::ranges::find(run.sites, id, &heap::AllocationSite::id);
  return found == run.sites.end() ? nullptr : found->site;
}

std::string site_text(const heap::HeapRun &run, uint64_t id) {
  const heap::Site *site = site_of(run, id);
  if (site == nullptr)
    return "code without bitcode";
  if (site->line == 0) // of a program without debug information
    return heap::short_function(site->function);
  return fmt::format("{}:{} in {}", std::filesystem::path(site->file).filename().string(),
                     site->line, heap::short_function(site->function));
}

// Of what the value is a share.
std::string whole_text(const Finding &finding, const heap::HeapRun &run) {
  if (!finding.of_site)
    return is_share(finding) ? " of the heap" : "";
  return fmt::format(" {} allocated at {}", is_mean(finding) ? "by each object" : "of the objects",
                     site_text(run, finding.site));
}

Json stack_list(const std::vector<heap::FoldedStack> &stacks,
                const std::map<std::string, heap::Place> &places) {
  Json list = Json::array();
  for (const heap::FoldedStack &stack : stacks) {
    Json frames = Json::array();
    for (const std::string &function : stack.frames) {
      const auto place = places.find(function);
      frames.push_back(
          place_document(place == places.end() ? heap::Place{{}, 0, 0, function} : place->second));
    }
    list.push_back({{"frames", frames}, {"count", stack.count}, {"share", stack.share}});
  }
  return list;
}

// The finding's metric over the run, in equal steps.
std::vector<double> series_of(const Finding &finding, const heap::HeapRun &run,
                              const heap::HeapSettings &settings) {
  if (finding.metric == nullptr)
    return {};
  const std::vector<size_t> steps = heap::step_points(run.points, settings);
  if (!finding.of_site)
    return heap::sample(*finding.metric, run.points, steps, settings);
  const auto site = std::ranges::find(run.sites, finding.site, &heap::AllocationSite::id);
  if (site == run.sites.end())
    return {};
  const auto position = static_cast<size_t>(site - run.sites.begin());
  std::vector<double> values;
  heap::SiteReplay replay(run);
  for (const size_t point : steps) {
    replay.to(point);
    const heap::Cells &cells = replay.sites()[position];
    values.push_back(heap::total(cells) == 0 ? std::nan("")
                                             : heap::site_value(cells, *finding.metric));
  }
  return values;
}

// "25 runs", or "26 of 29 runs, those in which it was stable"
std::string learned_text(const Finding &finding) {
  if (finding.runs >= finding.of_runs)
    return counted(finding.runs, "run");
  return fmt::format("{} of {}, those {}", grouped(finding.runs), counted(finding.of_runs, "run"),
                     finding.of_site ? "with enough of these objects" : "in which it was stable");
}

std::vector<std::string> evidence_of(const Finding &finding) {
  std::vector<std::string> lines;
  if (finding.kind == FindingKind::new_site)
    return lines;
  std::string when;
  if (finding.kind == FindingKind::anomaly)
    when = fmt::format("; left the range at {:.0f} % of this run and {}", finding.left_at * 100,
                       finding.stayed ? std::string("stayed outside")
                                      : fmt::format("was outside for {:.0f} % of what is judged",
                                                    finding.outside_share * 100));
  lines.push_back(fmt::format("learned from {}{}", learned_text(finding), when));
  if (finding.excess != 0)
    lines.push_back(fmt::format("{} of {} objects are beyond the learned range; confidence {:.2f}",
                                grouped(finding.excess), grouped(finding.objects),
                                finding.confidence));
  return lines;
}

// The objects that moved: the allocation site most of them come from.
Json object_of(const heap::Blame &blame) {
  if (blame.objects.empty())
    return nullptr;
  const heap::MovedObjects &most = blame.objects.front();
  Json context = Json::array();
  for (const std::string &caller : most.callers)
    context.push_back({{"function", caller}});
  return {{"site", heap::id_text(most.site)},
          {"type", most.type},
          {"location", place_document(most.place)},
          {"context", context},
          {"objects", most.objects},
          {"moved", most.moved},
          {"normally", most.normally},
          {"now", most.now}};
}

// How many of each allocation site's objects moved, most first.
Json moved_document(const heap::Blame &blame) {
  Json sites = Json::array();
  for (const heap::MovedObjects &site : blame.objects)
    sites.push_back({{"site", heap::id_text(site.site)},
                     {"type", site.type},
                     {"location", place_document(site.place)},
                     {"objects", site.objects},
                     {"moved", site.moved}});
  return sites;
}

Json vertex_document(const heap::Vertex &vertex) {
  return {{"type", vertex.type},
          {"location", place_document(vertex.place)},
          {"in", vertex.in},
          {"out", vertex.out}};
}

Json neighbourhood_document(const heap::Neighbourhood &around) {
  Json json = vertex_document(around.vertex);
  json["neighbours"] = Json::array();
  for (const heap::Neighbour &one : around.neighbours) {
    Json neighbour = vertex_document(one.vertex);
    neighbour["points_here"] = one.points_here;
    neighbour["pointed_to"] = one.pointed_to;
    neighbour["itself"] = one.itself;
    json["neighbours"].push_back(std::move(neighbour));
  }
  return json;
}

// An object of the offending kind with what it hangs on, and one as they usually are.
Json around_document(const heap::Neighbourhoods &around) {
  Json json = Json::object();
  if (around.offending)
    json["offending"] = neighbourhood_document(*around.offending);
  if (around.usual)
    json["usual"] = neighbourhood_document(*around.usual);
  return json;
}

Json finding_document(const Finding &finding, const CheckedRun &checked,
                      const monitor::Explained *explained, const heap::HeapSettings &settings) {
  Json json = {
      {"id", finding.id},
      {"detector", "heap"},
      {"kind", finding.kind == FindingKind::anomaly            ? "anomaly"
               : finding.kind == FindingKind::poorly_disguised ? "poorly_disguised"
               : finding.kind == FindingKind::pathological     ? "pathological"
                                                               : "new_site"},
      {"title", heap::kind_title(finding.kind)},
      {"rank", finding.rank},
      {"confidence", finding.confidence},
      {"message", finding_message(finding, checked.run)},
      {"metric", finding.metric == nullptr ? "" : std::string(finding.metric->name)},
      {"metric_title", finding.metric == nullptr ? "" : std::string(finding.metric->title)},
      {"unit", finding.metric == nullptr ? "" : std::string(finding.metric->unit)},
      {"value", finding.value},
      {"range", {{"min", finding.range.low}, {"max", finding.range.high}}},
      {"bar", {{"min", finding.bar.low}, {"max", finding.bar.high}}},
      {"site", finding.of_site ? Json(heap::id_text(finding.site)) : Json(nullptr)},
      {"left_at", finding.left_at},
      {"outside_share", finding.outside_share},
      {"location", nullptr},
      {"object", nullptr},
      {"stacks", Json::object()},
      {"suspects", Json::array()},
      {"evidence", evidence_of(finding)},
      {"also", Json::array()}};
  if (explained == nullptr) {
    if (const heap::Site *site = site_of(checked.run, finding.site); finding.of_site && site)
      json["location"] = place_document(
          {site->file, site->line, site->column, heap::short_function(site->function)});
    return json;
  }
  const heap::Blame &blame = explained->blame;
  if (!blame.suspects.empty()) {
    const heap::Suspect &first = blame.suspects.front();
    json["location"] = place_document(first.place);
    json["remark"] =
        first.text +
        (first.place.function.empty() || first.text.find(first.place.function) != std::string::npos
             ? ""
             : fmt::format(", in {}()", first.place.function));
  }
  for (const heap::Suspect &suspect : blame.suspects)
    json["suspects"].push_back({{"function", suspect.place.function},
                                {"location", place_document(suspect.place)},
                                {"role", heap::role_text(suspect.role)},
                                {"share", suspect.of == 0 ? 0.0
                                                          : static_cast<double>(suspect.count) /
                                                                static_cast<double>(suspect.of)},
                                {"count", suspect.count},
                                {"text", suspect.text}});
  json["object"] = object_of(blame);
  json["moved"] = moved_document(blame);
  if (explained->around.offending)
    json["neighbourhood"] = around_document(explained->around);
  json["stacks"] = {{"before", stack_list(explained->stacks.before, checked.explanation.places)},
                    {"during", stack_list(explained->stacks.during, checked.explanation.places)},
                    {"after", stack_list(explained->stacks.after, checked.explanation.places)}};
  json["writers_known"] = blame.has_writers;
  json["series"] = series_of(finding, checked.run, settings);
  return json;
}

// What a finding says that is told under another.
Json also_document(const Finding &finding, const heap::HeapRun &run) {
  return {{"id", finding.id},
          {"metric", finding.metric == nullptr ? "" : std::string(finding.metric->name)},
          {"value", finding.value},
          {"range", {{"min", finding.range.low}, {"max", finding.range.high}}},
          {"site", finding.of_site ? Json(heap::id_text(finding.site)) : Json(nullptr)},
          {"confidence", finding.confidence},
          {"message", finding_message(finding, run)}};
}

// Metrics move together: what has the cause of an earlier finding is told under it.
void add_findings(Json &list, const CheckedRun &checked, const heap::HeapSettings &settings) {
  std::vector<const heap::Blame *> causes; // as `list`
  for (size_t i = 0; i < checked.verdict.findings.size(); ++i) {
    const Finding &finding = checked.verdict.findings[i];
    const monitor::Explained *explained =
        i < checked.explanation.findings.size() ? &checked.explanation.findings[i] : nullptr;
    const auto known = std::ranges::find_if(causes, [&](const heap::Blame *cause) {
      return cause != nullptr && explained != nullptr && same_cause(*cause, explained->blame);
    });
    if (known != causes.end()) {
      list[static_cast<size_t>(known - causes.begin())]["also"].push_back(
          also_document(finding, checked.run));
      continue;
    }
    causes.push_back(explained == nullptr ? nullptr : &explained->blame);
    list.push_back(finding_document(finding, checked, explained, settings));
  }
}

void add_access(Json &list, const std::vector<access::Finding> &findings,
                const CheckedAccesses &accesses) {
  if (accesses.model == nullptr)
    return;
  const bool reported = &findings == &accesses.verdict.findings;
  const std::vector<monitor::Frames> &stacks = reported ? accesses.stacks : accesses.note_stacks;
  for (size_t i = 0; i < findings.size(); ++i)
    list.push_back(access_finding_document(
        findings[i],
        {.run = accesses.run,
         .model = *accesses.model,
         .stack = i < stacks.size() ? &stacks[i] : nullptr,
         .settled = reported && i < accesses.settled.size() ? &accesses.settled[i] : nullptr,
         .by_start = accesses.by_start}));
}

// One list of two that are ordered; then ranked.
Json ranked(Json heap, Json access) {
  Json list = Json::array();
  size_t of_heap = 0;
  size_t of_access = 0;
  while (of_heap < heap.size() || of_access < access.size()) {
    const bool heap_next =
        of_access == access.size() ||
        (of_heap < heap.size() && heap[of_heap]["confidence"].get<double>() >=
                                      access[of_access]["confidence"].get<double>());
    list.push_back(std::move(heap_next ? heap[of_heap++] : access[of_access++]));
    list.back()["rank"] = list.size();
  }
  return list;
}

} // namespace

std::string finding_message(const Finding &finding, const heap::HeapRun &run) {
  const std::string metric =
      finding.metric == nullptr ? "" : fmt::format("'{}'", finding.metric->title);
  const std::string value = number_text(finding, finding.value) + unit_text(finding);
  switch (finding.kind) {
  case FindingKind::anomaly:
    return fmt::format("{} is {}{}, learned range {}", metric, value, whole_text(finding, run),
                       range_text(finding));
  case FindingKind::poorly_disguised:
    return fmt::format("{} stays at {}{}, the {} end of its learned range {}", metric, value,
                       whole_text(finding, run), finding.high ? "upper" : "lower",
                       range_text(finding));
  case FindingKind::pathological:
    return fmt::format("{} stays at {}{}, but moved in every training run ({})", metric, value,
                       whole_text(finding, run), range_text(finding));
  case FindingKind::new_site:
    return fmt::format("{} allocated at {}, where no training run allocated",
                       counted(finding.objects, "object"), site_text(run, finding.site));
  }
  return {};
}

Json judged_accesses_document(const access::Verdict &verdict) {
  return {{"pairs", verdict.pairs},
          {"outliers", verdict.outliers},
          {"pruned", verdict.pruned},
          {"accepted", verdict.accepted},
          {"sites_known", verdict.sites_known},
          {"sites", verdict.sites_total}};
}

Json verify_document(const monitor::Verified &verified) {
  return {{"points", verified.points},
          {"vertexes", verified.vertexes},
          {"mismatches", verified.mismatches},
          {"concurrent_points", verified.concurrent}};
}

Json check_run_document(const CheckedRun &checked, const heap::HeapSettings &settings) {
  Json json = {{"args", checked.arguments},         {"label", checked.label},
               {"status", checked.status},          {"points", checked.run.points.size()},
               {"findings", Json::array()},         {"notes", Json::array()},
               {"remarks", checked.verdict.remarks}};
  for (const std::vector<std::string> *more :
       {&checked.accesses.verdict.remarks, &checked.explanation.remarks, &checked.remarks})
    for (const std::string &remark : *more)
      json["remarks"].push_back(remark);
  Json of_heap = Json::array();
  Json of_access = Json::array();
  add_findings(of_heap, checked, settings);
  add_access(of_access, checked.accesses.verdict.findings, checked.accesses);
  json["findings"] = ranked(std::move(of_heap), std::move(of_access));
  of_heap = Json::array();
  of_access = Json::array();
  for (const Finding &note : checked.verdict.notes)
    of_heap.push_back(finding_document(note, checked, nullptr, settings));
  add_access(of_access, checked.accesses.verdict.notes, checked.accesses);
  json["notes"] = ranked(std::move(of_heap), std::move(of_access));
  if (checked.accesses.model != nullptr)
    json["access"] = judged_accesses_document(checked.accesses.verdict);
  if (checked.verified)
    json["verify"] = verify_document(*checked.verified);
  return json;
}

} // namespace culprit::report
