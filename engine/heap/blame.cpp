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
#include <span>

namespace culprit::heap {
namespace {

constexpr size_t kMaxSuspects = 8;
constexpr size_t kMaxObjects = 5;
constexpr size_t kMaxFeeding = 2;
constexpr size_t kFeedingGuilty = 1;
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

// What flows into a store may have decided something, or merely made what is stored. Functions that
// give out memory flow into every store of a new object's address and decide nothing; one that may
// allocate on its way is less likely to than one that cannot.
struct Makers {
  std::set<std::string> give_out;
  std::set<std::string> may_allocate;
};

Makers makers_of(const HeapRun &run) {
  Makers makers;
#define HOOK(...)
#define ALLOCATOR(library, hook) makers.give_out.insert(#library);
#include "abi/hooks.def"
#undef ALLOCATOR
#undef HOOK
  if (run.tables)
    for (const auto &[unit, sites] : *run.tables)
      for (const Site &site : sites) {
        if (site.kind == SiteKind::alloc || site.wrapper)
          makers.give_out.insert(site.function);
        if (site.kind == SiteKind::alloc || site.kind == SiteKind::call)
          makers.may_allocate.insert(site.function);
      }
  return makers;
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

// Who tells a writer what to write, or where. Functions on the way to the allocation of the objects
// gave it what it writes to, and stand elsewhere in the list.
std::vector<Place> feeding_of(const Writer &writer, const HeapRun &run, const Context *context) {
  Makers makers = makers_of(run);
  if (context != nullptr)
    for (const Site *caller : context->chain)
      if (caller != nullptr)
        makers.give_out.insert(caller->function);
  std::vector<Place> places;
  for (const bool allocating : {false, true})
    for (const std::string &name : writer.from)
      if (!makers.give_out.contains(name) && makers.may_allocate.contains(name) == allocating)
        if (Place place = place_of_function(run, name); !is_library(name, place.file))
          places.push_back(std::move(place));
  return places;
}

void append_feeding(Blame &blame, std::span<const Place> places, double score) {
  for (const Place &place : places)
    append(blame, {place, Role::feeds, 0, 0, score, {}});
}

// "indegree 2", from shares or counts in cells.
template <typename Number>
std::string degree_text(const std::array<Number, CULPRIT_CELLS> &cells, const Ends &ends) {
  double in[CULPRIT_CELL_IN + 1] = {};
  double out[CULPRIT_CELL_OUT + 1] = {};
  double all = 0;
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
    const auto count = static_cast<double>(cells[cell]);
    in[culprit_cell_in(cell)] += count;
    out[culprit_cell_out(cell)] += count;
    all += count;
  }
  if (all <= 0)
    return {};
  const auto degree = [](const char *name, std::span<const double> counts) {
    const auto most = static_cast<size_t>(std::ranges::max_element(counts) - counts.begin());
    return fmt::format("{} {}{}", name, most, most + 1 == counts.size() ? " or more" : "");
  };
  if (!ends.out)
    return degree("indegree", in);
  if (!ends.in)
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

// Where the program asked for the objects.
const Site *own_allocation(const MovedSite &site, const HeapRun &run, const Context *context) {
  return context == nullptr ? run.sites[site.position].site : own_allocation_site(context->chain);
}

MovedObjects describe(const MovedSite &site, const Finding &finding, const HeapRun &run,
                      const SiteReplay &replay) {
  MovedObjects objects;
  const Ends ends = ends_of(finding, site);
  objects.site = site.id;
  objects.objects = total(site.cells);
  objects.moved = static_cast<uint64_t>(std::llround(site.count));
  // What they were before: as most objects of the site outside the cells they are in now.
  std::array<double, CULPRIT_CELLS> before = site.usually;
  if (has_class(finding) && !site.by_number)
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
      if (is_offending(finding, cell))
        before[cell] = 0;
  objects.normally = degree_text(before, ends);
  std::array<double, CULPRIT_CELLS> moved{};
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
    moved[cell] = site.moved[cell] * static_cast<double>(site.cells[cell]);
  objects.now = degree_text(moved, ends);
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

// Behind a writer comes whoever tells it what to write. One that treats the moved objects like all
// others is misled: what its values come from is named, then who asked for the objects. A specific
// one is guilty by itself, so only the nearest of those stands before the other writers.
void append_writers(Blame &blame, const Writers &writers, const HeapRun &names, double of,
                    const MovedSite *site, const Context *context) {
  const auto first = std::ranges::find(writers.list, false, &Writer::library);
  if (first == writers.list.end())
    return;
  const bool is_guilty = writers.crowd.can_compare() && first->specific >= kSpecific;
  std::vector<Place> feeding = feeding_of(*first, names, context);
  feeding.resize(std::min(feeding.size(), kMaxFeeding));
  for (auto writer = first; writer != writers.list.end(); ++writer) {
    if (!writer->library)
      append_writer(blame, *writer, names, of);
    if (writer != first)
      continue;
    append_feeding(blame,
                   std::span(feeding).first(
                       std::min(feeding.size(), is_guilty ? kFeedingGuilty : kMaxFeeding)),
                   first->score);
    if (!is_guilty && site != nullptr)
      append_context(blame, *site, context);
  }
  append_feeding(blame, feeding, first->score);
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
    if (const Site *where = own_allocation(site, run, main_context(site, run, replay));
        where != nullptr && std::llround(site.count) != 0)
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
