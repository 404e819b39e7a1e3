// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/access_document.h"

#include "engine/heap/own_code.h"
#include "report/document.h"
#include "report/place.h"
#include "report/template_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;
using access::AccessSite;
using access::Evidence;
using access::Finding;
using access::Met;
using access::NameKind;
using access::Outlier;

constexpr size_t kNamed = 2; // functions or objects a sentence names; more are counted

heap::Place place_of(const AccessSite &site) {
  return {site.file, site.line, site.column, heap::short_function(site.function)};
}

const Met &met_of(const Outlier &outlier, const AccessFacts &facts) {
  return facts.run.pairs[outlier.pair];
}

const access::Name &name_of(const Outlier &outlier, const AccessFacts &facts) {
  return facts.run.names[met_of(outlier, facts).name].name;
}

std::string verb_of(const Met &met) { return met.site->read ? "reads" : "writes"; }
std::string past_of(const Met &met) { return met.site->read ? "read" : "wrote"; }

// Which instance of a template it is says nothing that its caller's line does not.
std::string callee_of(const AccessSite &site) {
  return without_arguments(heap::short_function(site.callee));
}

// Library code did it on somebody's behalf: of the frames, the first that is the program's own.
heap::Place own_place(const AccessSite &site, const monitor::Frames *stack) {
  heap::Place place = place_of(site);
  if (stack == nullptr || !heap::is_library(site.function, site.file))
    return place;
  for (const heap::Place &frame : *stack)
    if (!heap::is_library(frame.function, frame.file) && !frame.file.empty())
      return frame;
  return place;
}

// "copy (strcpy)"
std::string actor(const AccessSite &site, const monitor::Frames *stack = nullptr) {
  std::string text = own_place(site, stack).function;
  std::string callee = callee_of(site);
  if (const std::string function = heap::short_function(site.function); text != function)
    callee = without_arguments(function);
  if (text.empty())
    text = "code without a name";
  return callee.empty() ? text : fmt::format("{} ({})", text, callee);
}

// "a, b and 3 others"
std::string listed(const std::vector<std::string> &words) {
  if (words.size() > kNamed + 1)
    return fmt::format("{} and {} others", fmt::join(words.begin(), words.begin() + kNamed, ", "),
                       words.size() - kNamed);
  if (words.size() < 2)
    return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

// The functions that normally access the lead's object, each once.
std::vector<std::string> usual_functions(const Finding &finding, const AccessFacts &facts) {
  std::vector<std::string> functions;
  for (const access::Usual &usual : finding.usual_sites) {
    const auto site = facts.model.site_facts.find(usual.id);
    if (site == facts.model.site_facts.end())
      continue;
    std::string function = heap::short_function(site->second.function);
    if (std::ranges::find(functions, function) == functions.end())
      functions.push_back(std::move(function));
  }
  return functions;
}

// ", which only a and b write"
std::string usual_text(const Finding &finding, const AccessFacts &facts) {
  const Met &met = met_of(finding.lead(), facts);
  const std::vector<std::string> functions = usual_functions(finding, facts);
  const NameKind kind = name_of(finding.lead(), facts).kind;
  if (kind == NameKind::return_slot || (is_nobodys(kind) && functions.empty()))
    return "";
  if (functions.empty()) // what a function does to its own variables by name is not watched
    return fmt::format(", which nothing {} {}in training", past_of(met),
                       kind == NameKind::local ? "by pointer or index " : "");
  // The same function at another line is a surprise that its name alone does not explain.
  const std::string own = own_place(*met.site, facts.stack).function;
  if (functions.size() == 1 && functions[0] == own)
    return fmt::format(", which it {} in training, but not here", past_of(met));
  return fmt::format(", which only {} {}{}", listed(functions), met.site->read ? "read" : "write",
                     functions.size() == 1 ? "s" : "");
}

// Of a freed block, if it is known: what this was before.
std::optional<access::Name> who_was_there(const Outlier &outlier, const AccessFacts &facts) {
  if (name_of(outlier, facts).kind != NameKind::freed || outlier.evidence == Evidence::overrun ||
      outlier.from >= facts.run.names.size())
    return std::nullopt;
  return facts.run.names[outlier.from].name;
}

std::string did(const Outlier &outlier, const AccessFacts &facts) {
  const access::Name &name = name_of(outlier, facts);
  const Met &met = met_of(outlier, facts);
  if (const std::optional<access::Name> before = who_was_there(outlier, facts))
    return fmt::format("{} a freed {}", verb_of(met), access::display(*before));
  return fmt::format("{} {}{}",
                     name.kind == NameKind::return_slot && !met.site->read ? "overwrites"
                                                                           : verb_of(met),
                     name.kind == NameKind::return_slot ? "the " : "", access::display(name));
}

std::string_view evidence_kind(const Outlier &outlier, const AccessFacts &facts) {
  if (name_of(outlier, facts).kind == NameKind::freed && outlier.evidence != Evidence::overrun)
    return "dangling";
  switch (outlier.evidence) {
  case Evidence::none:
    return "outlier";
  case Evidence::overrun:
    return "overrun";
  case Evidence::dangling:
    return "dangling";
  case Evidence::return_slot:
    return "return_address";
  case Evidence::outside:
    return "outside";
  }
  return "outlier";
}

// "new_value ← parse_array", or with the lines of the calls; newest first.
std::string calls_text(const std::vector<uint64_t> &chain, bool lines, const AccessFacts &facts) {
  std::vector<std::string> calls;
  for (const uint64_t id : chain) {
    const heap::Site *found = nullptr;
    if (facts.run.heap_sites != nullptr)
      for (const auto &[unit, sites] : *facts.run.heap_sites)
        if (const auto site = std::ranges::find(sites, id, &heap::Site::id); site != sites.end())
          found = &*site;
    if (found == nullptr)
      calls.emplace_back("unknown code");
    else
      calls.push_back(lines
                          ? fmt::format("{}:{}", heap::short_function(found->function), found->line)
                          : heap::short_function(found->function));
  }
  return fmt::format("{}", fmt::join(calls, " ← "));
}

// By what a name differs from the object's, where both read alike: the calls that allocated.
std::string difference_text(const access::Name &name, const access::Name &own,
                            const AccessFacts &facts) {
  const bool lines = calls_text(name.chain, false, facts) == calls_text(own.chain, false, facts);
  const std::string theirs = calls_text(name.chain, lines, facts);
  const std::string ours = calls_text(own.chain, lines, facts);
  if (theirs == ours)
    return {};
  return fmt::format(" allocated by {}, here by {}", theirs, ours);
}

// What the place is known to do otherwise.
std::string site_evidence(const Finding &finding, const AccessFacts &facts) {
  const Outlier &lead = finding.lead();
  const Met &met = met_of(lead, facts);
  if (!lead.site_in_program)
    return "this place was not in the program when it was trained";
  if (!lead.site_seen)
    return "this place never ran in training";
  struct Alike { // names that read alike: blocks by the calls that allocated them, variables by
                 // their files
    std::string text;
    bool blocks;
    size_t count;
  };
  std::vector<Alike> names;
  const access::Name &own = name_of(lead, facts);
  for (const access::Usual &usual : finding.usual_names)
    if (const auto name = facts.model.name_facts.find(usual.id);
        name != facts.model.name_facts.end()) {
      std::string text = access::short_display(name->second);
      if (text == access::short_display(own)) // told apart by who asked for the block
        text += difference_text(name->second, own, facts);
      const auto known = std::ranges::find(names, text, &Alike::text);
      if (known == names.end())
        names.push_back({std::move(text), !name->second.chain.empty(), 1});
      else
        ++known->count;
    }
  if (names.empty())
    return {};
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const Alike &alike : names)
    texts.push_back(alike.count == 1 ? alike.text
                                     : fmt::format("{} ({} {})", alike.text, alike.count,
                                                   alike.blocks ? "call stacks" : "of that name"));
  return fmt::format("in training this place {} {}{}", past_of(met),
                     texts.size() == 1 ? "only " : "", listed(texts));
}

std::string from_evidence(const Outlier &lead, const AccessFacts &facts) {
  const Met &met = met_of(lead, facts);
  if (lead.evidence == Evidence::return_slot)
    return name_of(lead, facts).member.empty()
               ? "only a call stores a return address"
               : "only the function itself stores its caller's registers there";
  if (name_of(lead, facts).kind == NameKind::freed && lead.evidence == Evidence::outside)
    return "a dangling pointer: this block was freed, and is nobody's since";
  const bool is_outside = lead.evidence == Evidence::outside;
  if (lead.from == access::kNoName || lead.from >= facts.run.names.size())
    return is_outside ? "this memory belongs to no object" : "";
  if (is_outside) { // what it lies behind, unless its own name says so
    const access::Name &name = name_of(lead, facts);
    return fmt::format("this memory belongs to no object{}",
                       name.symbol.empty() && name.chain.empty()
                           ? "; before it lies " + access::display(facts.run.names[lead.from].name)
                           : "");
  }
  const std::string from = access::display(facts.run.names[lead.from].name);
  if (lead.evidence == Evidence::overrun)
    return fmt::format("an overrun: just before it lies {}, which this place normally {}", from,
                       verb_of(met));
  if (lead.evidence == Evidence::dangling)
    return fmt::format("a dangling pointer: before this block there was a {} here, which this "
                       "place normally {}",
                       from, verb_of(met));
  return {};
}

std::string learned_evidence(const Finding &finding, const AccessFacts &facts) {
  std::string text = facts.by_start
                         ? fmt::format("learned from the first {} of this run",
                                       counted(facts.model.runs, "period"))
                         : fmt::format("learned from {}", counted(facts.model.runs, "run"));
  const Met &met = met_of(finding.lead(), facts);
  const char *who = met.site->read ? "reader" : "writer";
  if (!finding.lead().name_seen)
    return text + (name_of(finding.lead(), facts).kind == NameKind::local
                       ? ", none of which met it by pointer or index"
                       : ", none of which met this object");
  if (facts.settled == nullptr || facts.settled->runs == 0)
    return text;
  const bool all = facts.settled->runs == facts.model.runs;
  const size_t known = finding.lead().set_size;
  return text + fmt::format("; {} met this object, and its {} {} known after the first{}",
                            all ? "all" : grouped(facts.settled->runs), counted(known, who),
                            known == 1 ? "was" : "were",
                            facts.settled->since <= 1
                                ? ""
                                : fmt::format(" {} of them", facts.settled->since));
}

std::vector<std::string> evidence_of(const Finding &finding, const AccessFacts &facts) {
  const Outlier &lead = finding.lead();
  std::vector<std::string> lines = {from_evidence(lead, facts), site_evidence(finding, facts),
                                    learned_evidence(finding, facts)};
  lines.push_back(
      fmt::format("{} accesses in training × ({} + 1) / ({} + 1) = {}; confidence {:.2f}",
                  grouped(lead.accesses), lead.occurrences, lead.set_size,
                  grouped(static_cast<uint64_t>(lead.raw_confidence)), finding.confidence));
  std::erase(lines, "");
  return lines;
}

Json context_of(const access::MetName &met) {
  Json frames = Json::array();
  for (const heap::Site *site : met.chain)
    if (site != nullptr)
      frames.push_back(place_document(
          {site->file, site->line, site->column, heap::short_function(site->function)}));
  return frames;
}

Json object_of(const Outlier &outlier, const AccessFacts &facts) {
  const Met &met = met_of(outlier, facts);
  const std::optional<access::Name> before = who_was_there(outlier, facts);
  const access::MetName &name = facts.run.names[before ? outlier.from : met.name];
  Json object = name_document(name.name);
  if (before)
    object["kind"] = object_kind(NameKind::freed);
  if (const heap::Site *site = heap::own_allocation_site(name.chain); site != nullptr)
    object["location"] = place_document(
        {site->file, site->line, site->column, heap::short_function(site->function)});
  object["id"] = heap::id_text(outlier.name);
  object["size"] = met.size;
  object["offset"] = met.address >= met.start ? met.address - met.start : 0;
  object["bytes"] = met.length;
  object["context"] = context_of(name);
  return object;
}

struct Writer {
  heap::Place place;
  std::string callee;
  bool read = false;
  uint64_t count = 0;
  uint32_t runs = 0;
};

// Of the lead's object, the busiest first. What reads alike is one writer: a container's own
// members and its elements are two sites of the line that calls it.
std::vector<Writer> usual_writers(const Finding &finding, const access::AccessModel &model) {
  std::vector<Writer> writers;
  for (const access::Usual &usual : finding.usual_sites) {
    const auto site = model.site_facts.find(usual.id);
    if (site == model.site_facts.end())
      continue;
    Writer one{place_of(site->second), callee_of(site->second), site->second.read, 0, 0};
    auto same = std::ranges::find_if(writers, [&](const Writer &other) {
      return other.place == one.place && other.callee == one.callee && other.read == one.read;
    });
    if (same == writers.end())
      same = writers.insert(same, std::move(one));
    same->count += usual.count;
    same->runs = std::max(same->runs, usual.runs);
  }
  std::ranges::sort(writers, [](const Writer &a, const Writer &b) {
    return std::tie(b.count, a.place, a.callee, a.read) <
           std::tie(a.count, b.place, b.callee, b.read);
  });
  return writers;
}

Json writers_of(const Finding &finding, const access::AccessModel &model) {
  uint64_t all = 0;
  for (const access::Usual &usual : finding.usual_sites)
    all += usual.count;
  Json list = Json::array();
  for (const Writer &writer : usual_writers(finding, model)) {
    const double share =
        all == 0 ? 0 : static_cast<double>(writer.count) / static_cast<double>(all);
    list.push_back({{"function", writer.place.function},
                    {"location", place_document(writer.place)},
                    {"callee", writer.callee},
                    {"read", writer.read},
                    {"count", writer.count},
                    {"share", share},
                    {"runs", writer.runs}});
  }
  return list;
}

Json usual_objects(const Finding &finding, const access::AccessModel &model) {
  Json list = Json::array();
  for (const access::Usual &usual : finding.usual_names)
    if (const auto name = model.name_facts.find(usual.id); name != model.name_facts.end()) {
      Json object = name_document(name->second);
      object["count"] = usual.count;
      object["runs"] = usual.runs;
      list.push_back(std::move(object));
    }
  return list;
}

Json stacks_of(const monitor::Frames *stack) {
  if (stack == nullptr || stack->empty())
    return Json::object();
  Json frames = Json::array();
  for (const heap::Place &frame : *stack)
    frames.push_back(place_document(frame));
  return {{"access", Json::array({{{"frames", frames}, {"count", 1}, {"share", 1.0}}})}};
}

// What the same mistake did besides.
Json also_of(const Finding &finding, const AccessFacts &facts) {
  Json list = Json::array();
  for (size_t i = 1; i < finding.members.size(); ++i) {
    const Outlier &member = finding.members[i];
    const AccessSite &site = *met_of(member, facts).site;
    const bool same_site = member.site == finding.lead().site;
    list.push_back({{"message", same_site ? did(member, facts)
                                          : fmt::format("{} {}", actor(site), did(member, facts))},
                    {"location", place_document(place_of(site))},
                    {"object", object_of(member, facts)},
                    {"raw_confidence", member.raw_confidence},
                    {"confidence", member.confidence}});
  }
  return list;
}

} // namespace

std::string_view object_kind(NameKind kind) {
  switch (kind) {
  case NameKind::global:
    return "global";
  case NameKind::heap:
    return "heap";
  case NameKind::local:
    return "local";
  case NameKind::return_slot:
    return "return";
  case NameKind::outside:
    return "outside";
  case NameKind::freed:
    return "freed";
  }
  return "";
}

Json name_document(const access::Name &name) {
  const auto [type, member] = access::shown(name);
  return {
      {"kind", object_kind(name.kind)},
      {"name", heap::display_function(name.symbol)},
      {"member", member},
      {"type", type},
      {"function",
       name.kind == NameKind::heap || (name.kind == NameKind::outside && name.symbol.empty())
           ? ""
           : heap::short_function(name.function)},
      {"location",
       place_document({name.file, name.line, 0,
                       name.kind == NameKind::global ? "" : heap::short_function(name.function)})}};
}

std::string access_message(const Finding &finding, const AccessFacts &facts) {
  const Outlier &lead = finding.lead();
  return fmt::format("{} {}{}", actor(*met_of(lead, facts).site, facts.stack), did(lead, facts),
                     usual_text(finding, facts));
}

Json access_finding_document(const Finding &finding, const AccessFacts &facts) {
  const Outlier &lead = finding.lead();
  const Met &met = met_of(lead, facts);
  const heap::Place place = own_place(*met.site, facts.stack);
  return {{"id", finding.id},
          {"detector", "access"},
          {"kind", evidence_kind(lead, facts)},
          {"title", "access anomaly"},
          {"rank", finding.rank},
          {"confidence", finding.confidence},
          {"raw_confidence", finding.raw_confidence},
          {"message", access_message(finding, facts)},
          {"remark", fmt::format("{} {}, in {}()", verb_of(met), counted(met.length, "byte"),
                                 place.function)},
          {"metric", ""},
          {"value", nullptr},
          {"range", nullptr},
          {"read", met.site->read},
          {"location", place_document(place)},
          {"site",
           {{"id", heap::id_text(lead.site)},
            {"location", place_document(place_of(*met.site))},
            {"callee", callee_of(*met.site)},
            {"known", lead.site_seen}}},
          {"object", object_of(lead, facts)},
          {"writers", writers_of(finding, facts.model)},
          {"usual_objects", usual_objects(finding, facts.model)},
          {"counts",
           {{"accesses", lead.accesses},
            {"set_size", lead.set_size},
            {"occurrences", lead.occurrences},
            {"surprise", lead.surprise}}},
          {"stacks", stacks_of(facts.stack)},
          {"evidence", evidence_of(finding, facts)},
          {"also", also_of(finding, facts)}};
}

} // namespace culprit::report
