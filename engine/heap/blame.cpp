// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blame.h.
#include "engine/heap/blame.h"

#include "engine/heap/moved.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace culprit::heap {
namespace {

constexpr size_t kMaxSuspects = 8;
constexpr size_t kMaxObjects = 5;
constexpr double kUnspecific = 0.15; // what a writer of all objects alike still weighs
constexpr double kSpecific = 0.5;    // from here on a writer is guilty by itself
constexpr double kBaseline = 0.05;   // fewer other objects than this share say nothing
constexpr double kLibrary = 0.3;     // the standard library's own code does what it is told
constexpr double kCaller = 0.5;
constexpr double kAllocates = 0.1;
constexpr uint32_t kNoSite = ~0U;

struct Tally {
  double moved = 0;
  double others = 0;
};

double specificity(const Tally &tally, const Tally &all) {
  if (tally.moved <= 0 || all.moved <= 0)
    return 0;
  if (all.others < kBaseline * all.moved)
    return 1; // nothing to compare with
  return std::max(0.0, 1 - (tally.others / all.others) / (tally.moved / all.moved));
}

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

Place place_of(const Site &site) {
  return {site.file, site.line, site.column, short_function(site.function)};
}

bool is_library(std::string_view function) {
  return function.starts_with("std::") || function.starts_with("__gnu_cxx::") ||
         function.starts_with("operator new") || function.starts_with("operator delete");
}

// A candidate function before the list is put in order.
struct Candidate {
  const Site *site = nullptr; // the site with most of it
  double best = 0;
  Role role = Role::linked;
  Tally tally;
  double score = 0;
  double specific = 0;
};

using ByFunction = std::map<std::string, Candidate>; // ordered: equal scores keep an order

// How much a role weighs for this kind of crossing.
double role_weight(Role role, const Finding &finding, bool lost_pointers) {
  const bool in = about_in(finding);
  const bool out = about_out(finding);
  const bool roots = finding.metric != nullptr && finding.metric->kind == MetricKind::degree &&
                     finding.metric->degree == CULPRIT_METRIC_ROOTS;
  switch (role) {
  case Role::linked:
    return in ? (roots ? 0.8 : 1.0) : 0.5;
  case Role::unlinked: // a root has lost its last pointer; others may never have had more
    return in && lost_pointers ? (roots ? 1.0 : 0.9) : 0.4;
  case Role::wrote:
    return out ? 1.0 : 0.6;
  default:
    return 0;
  }
}

// Do the moved objects have fewer pointers to them than they used to?
bool lost_pointers(const MovedSite &site) {
  double now = 0;
  double weight = 0;
  double usually = 0;
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
    const unsigned in = cell == CULPRIT_CELL_BOTH_EQUAL ? 3 : cell >> 2;
    const double moved = site.moved[cell] * static_cast<double>(site.cells[cell]);
    now += moved * in;
    weight += moved;
    usually += site.usually[cell] * in;
  }
  return weight > 0 && !site.is_new && now / weight < usually;
}

const BlameTable *nearest_table(const HeapRun &again, uint32_t index) {
  const BlameTable *nearest = nullptr;
  const auto distance = [&](const BlameTable &table) {
    return table.index > index ? table.index - index : index - table.index;
  };
  for (const BlameTable &table : again.blame)
    if (nearest == nullptr || distance(table) < distance(*nearest))
      nearest = &table;
  return nearest;
}

struct Writers {
  ByFunction functions;
  double moved = 0;
};

// Adds the functions of one role: sites of the same function together.
void add_role(Writers &writers, Role role, const std::map<uint32_t, Tally> &sites, const Tally &all,
              double weight, const HeapRun &again) {
  std::map<std::string, Candidate> functions;
  for (const auto &[number, tally] : sites) {
    const Site *site = again.numbers.at(number);
    if (site == nullptr || tally.moved <= 0)
      continue;
    Candidate &candidate = functions[site->function];
    candidate.role = role;
    candidate.tally.moved += tally.moved;
    candidate.tally.others += tally.others;
    // The function is weighed by its sites one by one: a good and a bad path in one function must
    // not hide one another.
    const double specific = specificity(tally, all);
    const double score = tally.moved / all.moved * (kUnspecific + (1 - kUnspecific) * specific);
    candidate.score += weight * score;
    if (candidate.site == nullptr || score > candidate.best) {
      candidate.site = site;
      candidate.best = score;
      candidate.specific = specific;
    }
  }
  for (auto &[function, candidate] : functions) {
    if (is_library(short_function(function)))
      candidate.score *= kLibrary;
    Candidate &known = writers.functions[function];
    if (known.site == nullptr || candidate.score > known.score)
      known = candidate;
  }
}

Writers writers_of(const Finding &finding, const std::vector<MovedSite> &sites,
                   const HeapRun &again) {
  Writers writers;
  const BlameTable *table = nearest_table(again, finding.worst_index);
  if (table == nullptr || sites.empty())
    return writers;
  std::map<uint64_t, const MovedSite *> by_id;
  for (const MovedSite &site : sites)
    if (site.score >= 0.2 * sites.front().score) // the others are too many to be specific
      by_id[site.id] = &site;
  constexpr Role kRoles[] = {Role::linked, Role::unlinked, Role::wrote};
  std::map<uint32_t, Tally> tallies[3];
  Tally all;
  for (const culprit_blame_row &row : table->rows) {
    const auto context = again.contexts.find(row.context);
    if (context == again.contexts.end() || context->second.site >= again.sites.size())
      continue;
    const auto site = by_id.find(again.sites[context->second.site].id);
    if (site == by_id.end())
      continue;
    const auto count = static_cast<double>(row.count);
    const double share = site->second->moved[row.cell];
    all.moved += count * share;
    all.others += count * (1 - share);
    const uint32_t numbers[] = {row.linked, row.unlinked, row.wrote};
    for (size_t role = 0; role < 3; ++role)
      if (numbers[role] != kNoSite) {
        tallies[role][numbers[role]].moved += count * share;
        tallies[role][numbers[role]].others += count * (1 - share);
      }
  }
  writers.moved = all.moved;
  if (all.moved <= 0)
    return writers;
  const bool lost = lost_pointers(sites.front());
  for (size_t role = 0; role < 3; ++role)
    add_role(writers, kRoles[role], tallies[role], all, role_weight(kRoles[role], finding, lost),
             again);
  return writers;
}

// Functions on the way to the allocation of the moved objects and not of the others.
void add_callers(ByFunction &functions, const Finding &finding, const std::vector<MovedSite> &sites,
                 const HeapRun &run) {
  if (sites.empty())
    return;
  SiteReplay replay(run);
  replay.to(finding.worst_point);
  const MovedSite &first = sites.front();
  std::map<const Site *, Tally> callers;
  Tally all;
  for (const auto &[number, cells] : replay.contexts()) {
    const Context &context = run.contexts.at(number);
    if (context.site != first.position)
      continue;
    Tally tally;
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
      const auto count = static_cast<double>(cells[cell]);
      tally.moved += count * first.moved[cell];
      tally.others += count * (1 - first.moved[cell]);
    }
    all.moved += tally.moved;
    all.others += tally.others;
    std::set<const Site *> seen; // recursion
    for (const Site *site : context.chain)
      if (site != nullptr && !site->wrapper && site != run.sites[first.position].site &&
          seen.insert(site).second) {
        callers[site].moved += tally.moved;
        callers[site].others += tally.others;
      }
  }
  for (const auto &[site, tally] : callers) {
    const double specific = specificity(tally, all);
    if (specific < kSpecific || all.others < kBaseline * all.moved)
      continue;
    const double score = kCaller * tally.moved / all.moved * specific;
    Candidate &known = functions[site->function];
    if (known.site == nullptr || score > known.score)
      known = {site, score, Role::caller, tally, score, specific};
  }
}

std::string suspect_text(Role role, uint64_t count, uint64_t of) {
  const std::string objects =
      fmt::format("{} of the {} objects that entered this class", grouped(count), grouped(of));
  switch (role) {
  case Role::linked:
    return objects + " were linked here";
  case Role::unlinked:
    return objects + " lost their pointer here";
  case Role::wrote:
    return objects + " got their own pointers here";
  case Role::caller:
    return objects + " were allocated on behalf of this call";
  case Role::allocates:
    return objects + " were allocated here";
  case Role::feeds:
    return "decides what is stored, or where";
  case Role::on_stack:
    break;
  }
  return fmt::format("{} of {} stacks while the metric moved", grouped(count), grouped(of));
}

// Appends unless the function is there already.
void append(Blame &blame, Suspect suspect) {
  const bool known = std::ranges::any_of(blame.suspects, [&](const Suspect &other) {
    return other.place.function == suspect.place.function;
  });
  if (known || suspect.place.function.empty() || blame.suspects.size() >= kMaxSuspects)
    return;
  suspect.text = suspect_text(suspect.role, suspect.count, suspect.of);
  blame.suspects.push_back(std::move(suspect));
}

void append(Blame &blame, const Candidate &candidate, double of) {
  const auto all = static_cast<uint64_t>(std::llround(of));
  const auto count = static_cast<uint64_t>(std::llround(candidate.tally.moved));
  append(
      blame,
      {place_of(*candidate.site), candidate.role, std::min(count, all), all, candidate.score, {}});
}

// Where a function is, as far as the sites tell: the first line of it that has one.
Place place_of_function(const HeapRun &run, const std::string &linkage) {
  Place place{{}, 0, 0, short_function(linkage)};
  if (run.tables)
    for (const auto &[unit, sites] : *run.tables)
      for (const Site &site : sites)
        if (site.function == linkage && site.line != 0 &&
            (place.line == 0 || site.line < place.line)) {
          place.file = site.file;
          place.line = site.line;
          place.column = site.column;
        }
  return place;
}

// Functions that give out memory flow into every store of a new object's address, and decide
// nothing.
std::set<std::string> allocating_functions(const HeapRun &run) {
  std::set<std::string> names;
#define HOOK(...)
#define ALLOCATOR(library, hook) names.insert(#library);
#include "abi/hooks.def"
#undef ALLOCATOR
#undef HOOK
  if (run.tables)
    for (const auto &[unit, sites] : *run.tables)
      for (const Site &site : sites)
        if (site.kind == SiteKind::alloc || site.wrapper)
          names.insert(site.function);
  return names;
}

void append_feeding(Blame &blame, const Candidate &writer, const HeapRun &run,
                    const std::set<std::string> &allocating, size_t limit) {
  if (writer.site == nullptr)
    return;
  for (const std::string &name : writer.site->from) {
    if (limit == 0)
      return;
    if (allocating.contains(name) || is_library(short_function(name)))
      continue;
    append(blame, {place_of_function(run, name), Role::feeds, 0, 0, writer.score, {}});
    --limit;
  }
}

// "indegree 2", from shares or counts in cells.
template <typename Number>
std::string degree_text(const std::array<Number, CULPRIT_CELLS> &cells, const Finding &finding) {
  double in[4] = {};
  double out[4] = {};
  double all = 0;
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
    const auto count = static_cast<double>(cells[cell]);
    in[cell == CULPRIT_CELL_BOTH_EQUAL ? 3 : cell >> 2] += count;
    out[cell == CULPRIT_CELL_BOTH_EQUAL ? 3 : cell & 3] += count;
    all += count;
  }
  if (all <= 0)
    return {};
  const auto degree = [](const char *name, const double(&counts)[4]) {
    const auto most = std::ranges::max_element(counts) - std::begin(counts);
    return fmt::format("{} {}{}", name, most, most == 3 ? " or more" : "");
  };
  if (!about_out(finding))
    return degree("indegree", in);
  if (!about_in(finding))
    return degree("outdegree", out);
  return degree("indegree", in) + ", " + degree("outdegree", out);
}

MovedObjects describe(const MovedSite &site, const Finding &finding, const HeapRun &run,
                      const SiteReplay &replay) {
  MovedObjects objects;
  objects.site = site.id;
  objects.objects = total(site.cells);
  objects.moved = static_cast<uint64_t>(std::llround(site.count));
  objects.normally = degree_text(site.usually, finding);
  std::array<double, CULPRIT_CELLS> moved{};
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
    moved[cell] = site.moved[cell] * static_cast<double>(site.cells[cell]);
  objects.now = degree_text(moved, finding);
  const Site *where = run.sites[site.position].site;
  if (where != nullptr)
    objects.place = place_of(*where);
  // The context most of them come from.
  double most = -1;
  const Context *context = nullptr;
  for (const auto &[number, cells] : replay.contexts()) {
    const Context &candidate = run.contexts.at(number);
    if (candidate.site != site.position)
      continue;
    double count = 0;
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
      count += static_cast<double>(cells[cell]) * (site.moved[cell] + 1e-6);
    if (count > most) {
      most = count;
      context = &candidate;
    }
  }
  if (context == nullptr)
    return objects;
  bool from_here = false; // wrappers below the named site are left out
  for (const Site *caller : context->chain) {
    if (caller == nullptr)
      continue;
    if (objects.type.empty())
      objects.type = caller->type;
    from_here |= caller == where;
    if (from_here)
      objects.callers.push_back(short_function(caller->function));
  }
  return objects;
}

} // namespace

std::string_view role_text(Role role) {
  switch (role) {
  case Role::linked:
    return "linked";
  case Role::unlinked:
    return "unlinked";
  case Role::wrote:
    return "wrote";
  case Role::feeds:
    return "feeds";
  case Role::caller:
    return "caller";
  case Role::allocates:
    return "allocates";
  case Role::on_stack:
    break;
  }
  return "on_stack";
}

Blame blame(const Finding &finding, const HeapRun &run, const HeapModel &model,
            const HeapRun *again) {
  Blame result;
  if (finding.worst_point >= run.points.size())
    return result;
  const std::vector<MovedSite> sites = moved_sites(finding, run, model);
  SiteReplay replay(run);
  replay.to(finding.worst_point);
  for (const MovedSite &site : sites)
    if (result.objects.size() < kMaxObjects)
      result.objects.push_back(describe(site, finding, run, replay));

  Writers writers;
  if (again != nullptr)
    writers = writers_of(finding, sites, *again);
  result.has_writers = std::ranges::any_of(
      writers.functions, [](const auto &entry) { return entry.second.score > 0; });
  add_callers(writers.functions, finding, sites, run);
  std::vector<Candidate> ordered;
  for (const auto &[function, candidate] : writers.functions)
    ordered.push_back(candidate);
  std::ranges::sort(ordered, [](const Candidate &a, const Candidate &b) {
    return a.score != b.score ? a.score > b.score : a.site->function < b.site->function;
  });

  const double of = result.has_writers ? writers.moved : (sites.empty() ? 0 : sites.front().count);
  const HeapRun &names = again != nullptr ? *again : run;
  const std::set<std::string> allocating = allocating_functions(names);
  for (size_t i = 0; i < ordered.size(); ++i) {
    append(result, ordered[i], of);
    const bool guilty = ordered.front().specific >= kSpecific;
    // A writer that treats the moved objects like all others was told to: whoever told it comes
    // next.
    if (i == 0 && !guilty)
      append_feeding(result, ordered[0], names, allocating, 2);
    if (i == 1 || (i == 0 && ordered.size() == 1))
      append_feeding(result, ordered[0], names, allocating, 2);
  }
  for (const MovedSite &site : sites)
    if (const Site *where = run.sites[site.position].site)
      append(result, {place_of(*where),
                      Role::allocates,
                      static_cast<uint64_t>(std::llround(site.count)),
                      static_cast<uint64_t>(std::llround(site.count)),
                      kAllocates * site.score / sites.front().score,
                      {}});
  return result;
}

} // namespace culprit::heap
