// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blame.h.
#include "engine/heap/blame.h"

#include "engine/grouped.h"
#include "engine/heap/own_code.h"
#include "engine/heap/writers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace culprit::heap {
namespace {

constexpr size_t kMaxSuspects = 8;
constexpr size_t kMaxObjects = 5;
constexpr size_t kMaxFeeding = 2;
constexpr double kAllocates = 0.1;

Place place_of(const Site &site) {
  return {site.file, site.line, site.column, short_function(site.function)};
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
  case Role::absent:
    return objects + " were not written here, where such objects usually are";
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

void append_writer(Blame &blame, const Writer &writer, const HeapRun &names, double of) {
  const auto all = static_cast<uint64_t>(std::llround(of));
  const auto count = static_cast<uint64_t>(std::llround(writer.moved));
  Place place{writer.where.file, writer.where.line, writer.where.column,
              short_function(writer.where.function)};
  if (place.line == 0)
    place = place_of_function(names, writer.where.function);
  append(blame, {std::move(place), writer.role, std::min(count, all), all, writer.score, {}});
}

void append_feeding(Blame &blame, const Writer &writer, const HeapRun &run) {
  const std::set<std::string> allocating = allocating_functions(run);
  size_t left = kMaxFeeding;
  for (const std::string &name : writer.from) {
    const Place place = place_of_function(run, name);
    if (left == 0 || allocating.contains(name) || is_library(name, place.file))
      continue;
    append(blame, {place, Role::feeds, 0, 0, writer.score, {}});
    --left;
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

// The context most of the moved objects of a site come from; null: none.
const Context *main_context(const MovedSite &site, const HeapRun &run, const SiteReplay &replay) {
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
  return context;
}

// Where the program asked for the objects: a container's own code allocates for whoever called it.
const Site *own_allocation(const MovedSite &site, const HeapRun &run, const Context *context) {
  const Site *where = run.sites[site.position].site;
  if (where == nullptr || context == nullptr || !is_library(where->function, where->file))
    return where;
  for (const Site *caller : context->chain)
    if (caller != nullptr && !caller->wrapper && !is_library(caller->function, caller->file))
      return caller;
  return where;
}

MovedObjects describe(const MovedSite &site, const Finding &finding, const HeapRun &run,
                      const SiteReplay &replay) {
  MovedObjects objects;
  objects.site = site.id;
  objects.objects = total(site.cells);
  objects.moved = static_cast<uint64_t>(std::llround(site.count));
  // What they were before: as most objects of the site outside the cells they are in now.
  std::array<double, CULPRIT_CELLS> before = site.usually;
  if (finding.metric != nullptr && finding.metric->kind == MetricKind::degree)
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
      if (is_offending(finding, cell))
        before[cell] = 0;
  objects.normally = degree_text(before, finding);
  std::array<double, CULPRIT_CELLS> moved{};
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
    moved[cell] = site.moved[cell] * static_cast<double>(site.cells[cell]);
  objects.now = degree_text(moved, finding);
  const Context *context = main_context(site, run, replay);
  const Site *where = own_allocation(site, run, context);
  if (where != nullptr)
    objects.place = place_of(*where);
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

// Who asked for the objects, nearest first.
void append_context(Blame &blame, const MovedSite &site, const Context *context) {
  constexpr size_t kCallers = 2;
  size_t left = kCallers;
  const auto count = static_cast<uint64_t>(std::llround(site.count));
  for (const Site *caller : context == nullptr ? std::vector<const Site *>{} : context->chain)
    if (left != 0 && caller != nullptr && !caller->wrapper &&
        !is_library(caller->function, caller->file)) {
      append(blame, {place_of(*caller), Role::caller, count, count, 0, {}});
      --left;
    }
}

// Behind a writer that treats the moved objects like all others comes whoever tells it what to
// write: what its values come from, then who asked for the objects. A specific one is guilty by
// itself, and those with a share of their own come first.
void append_writers(Blame &blame, const Writers &writers, const HeapRun &names, double of,
                    const MovedSite *site, const Context *context) {
  const auto first = std::ranges::find(writers.list, false, &Writer::library);
  if (first == writers.list.end())
    return;
  const bool is_guilty = writers.crowd.can_compare() && first->specific >= kSpecific;
  for (auto writer = first; writer != writers.list.end(); ++writer) {
    if (!writer->library)
      append_writer(blame, *writer, names, of);
    if (writer == first && !is_guilty) {
      append_feeding(blame, *first, names);
      if (site != nullptr)
        append_context(blame, *site, context);
    }
  }
  append_feeding(blame, *first, names);
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
  case Role::absent:
    return "absent";
  case Role::caller:
    return "caller";
  case Role::allocates:
    return "allocates";
  case Role::on_stack:
    break;
  }
  return "on_stack";
}

bool same_cause(const Blame &a, const Blame &b) {
  static constexpr size_t kNamed = 3; // what a reader looks at
  if (a.suspects.empty() || b.suspects.empty())
    return false;
  const auto names = [](const Blame &blame, const Suspect &suspect) {
    const auto end =
        blame.suspects.begin() + static_cast<ptrdiff_t>(std::min(kNamed, blame.suspects.size()));
    return std::any_of(blame.suspects.begin(), end, [&](const Suspect &other) {
      return other.place.function == suspect.place.function;
    });
  };
  if (a.suspects.front().place.function == b.suspects.front().place.function)
    return true;
  if (a.objects.empty() || b.objects.empty() || a.objects.front().site != b.objects.front().site)
    return false;
  return !a.has_writers || !b.has_writers || names(a, b.suspects.front()) ||
         names(b, a.suspects.front());
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
    writers = writers_of(finding, sites, model, *again);
  result.has_writers =
      std::ranges::any_of(writers.list, [](const Writer &writer) { return writer.score > 0; });
  add_callers(writers, finding, sites, run);
  const double of =
      result.has_writers ? writers.crowd.moved : (sites.empty() ? 0 : sites.front().count);
  const HeapRun &names = again != nullptr ? *again : run;
  const MovedSite *first = sites.empty() ? nullptr : &sites.front();
  const Context *context = first != nullptr ? main_context(*first, run, replay) : nullptr;
  append_writers(result, writers, names, of, first, context);
  for (const MovedSite &site : sites)
    if (const Site *where = own_allocation(site, run, main_context(site, run, replay)))
      append(result, {place_of(*where),
                      Role::allocates,
                      static_cast<uint64_t>(std::llround(site.count)),
                      static_cast<uint64_t>(std::llround(site.count)),
                      kAllocates * site.score / sites.front().score,
                      {}});
  if (!result.has_writers && first != nullptr)
    append_context(result, *first, context);
  for (const Writer &writer : writers.list)
    if (writer.library)
      append_writer(result, writer, names, of);
  return result;
}

} // namespace culprit::heap
