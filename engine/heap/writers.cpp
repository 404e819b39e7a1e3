// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See writers.h.
#include "engine/heap/writers.h"

#include "engine/heap/own_code.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace culprit::heap {
namespace {

constexpr double kUnspecific = 0.15; // what a writer of all objects alike still weighs
constexpr double kInner = 0.8;       // what a caller that makes the difference leaves to its callee
constexpr double kEqual = 0.9;       // and a caller that makes none, but is as specific
constexpr double kNarrow = 0.5; // of the moved objects a caller must explain to be looked at alone
constexpr double kCaller = 0.5;
constexpr double kCallerShare = 0.3;
constexpr double kLeastSite = 0.2; // of the first site's score; more objects would be others'
constexpr double kHabit = 0.5;     // share of the objects from which a writer's absence is noticed
constexpr double kAbsent = 0.6;    // what was done is seen, what was not is concluded
constexpr double kOtherEnd = 0.1;  // pointers to an object say little about those it has itself
constexpr double kRewrote = 0.3;   // and a pointer in another's place little about how many it has
constexpr uint32_t kNoSite = ~0U;

using ByFunction = std::map<std::string, Writer>; // ordered: equal scores keep an order

// What the records know of an object, and which role that is. Two are of one role: who wrote its
// pointers last, and who changed how many it has. The former may be a garbage collector that puts
// one pointer in the place of another.
struct Evidence {
  uint32_t culprit_blame_row::*number;
  Role role;
  bool keeps_count;
};
constexpr Evidence kEvidence[kWriterRoles] = {
    {&culprit_blame_row::linked, Role::linked, false},
    {&culprit_blame_row::unlinked, Role::unlinked, false},
    {&culprit_blame_row::wrote, Role::wrote, true},
    {&culprit_blame_row::changed, Role::wrote, false},
};

// How much it weighs for this kind of crossing.
double weight_of(const Evidence &evidence, const Ends &ends, bool lost_pointers) {
  switch (evidence.role) {
  case Role::linked:
    return ends.in ? (ends.roots ? 0.8 : 1.0) : kOtherEnd;
  case Role::unlinked: // a root has lost its last pointer; others may never have had more
    return ends.in ? (lost_pointers ? (ends.roots ? 1.0 : 0.9) : 0.4) : kOtherEnd;
  case Role::wrote:
    return ends.out ? (evidence.keeps_count ? kRewrote : 1.0) : 0.6;
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
    const unsigned in = culprit_cell_in(cell);
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

void add_to(Tally &tally, const Tally &more) {
  for (const auto &[cell, objects] : more.inside)
    tally.inside[cell] += objects;
  tally.outside += more.outside;
}

// One site in one role.
struct Part {
  const Site *site = nullptr;
  std::vector<InlinedAt> frames; // the program's own
  Tally tally;
  double specific = 0;
  double score = 0;
};

class RoleSum {
public:
  RoleSum(Role role, const Crowd &crowd) : role_(role), crowd_(crowd) {}

  void add(const Site &site, const Tally &tally) {
    Part part{&site, own_frames(site), tally, crowd_.specificity(tally), 0};
    part.score =
        crowd_.explained(tally) / crowd_.moved * (kUnspecific + (1 - kUnspecific) * part.specific);
    std::set<std::string_view> seen;
    for (const InlinedAt &frame : part.frames)
      if (seen.insert(frame.function).second)
        add_to(reached_[frame.function], tally);
    if (!tally.inside.empty())
      parts_.push_back(std::move(part));
  }

  ByFunction functions() {
    for (const Part &part : parts_) {
      if (part.frames.empty()) {
        const Site &site = *part.site;
        credit(part, {site.function, site.file, site.line, site.column}, part.score);
        functions_[site.function].library = true;
        continue;
      }
      const InlinedAt *caller = part.specific >= kSpecific ? caller_that_decides(part) : nullptr;
      if (caller != nullptr)
        credit(part, *caller, part.score);
      credit(part, part.frames.front(), part.score * (caller != nullptr ? kInner : 1));
      if (const InlinedAt *outer = caller == nullptr ? equal_caller(part) : nullptr)
        credit(part, *outer, part.score * kEqual);
    }
    for (auto &[function, writer] : functions_)
      writer.score = std::min(writer.score, 1.0);
    return std::move(functions_);
  }

private:
  bool is_specific(const std::string &function) const {
    return crowd_.specificity(reached_.at(function)) >= kSpecific;
  }

  // Null: the function itself is specific, or none of those it is inlined into is.
  const InlinedAt *caller_that_decides(const Part &part) const {
    if (!crowd_.can_compare() || is_specific(part.frames.front().function))
      return nullptr;
    for (const InlinedAt &frame : part.frames)
      if (is_specific(frame.function))
        return &frame;
    return nullptr;
  }

  // A helper is a part of the function it is inlined into, if that one is as specific: the records
  // cannot tell which of the two is wrong. Null: there is none (everything is a part of main).
  const InlinedAt *equal_caller(const Part &part) const {
    if (!crowd_.can_compare() || part.specific < kSpecific)
      return nullptr;
    for (const InlinedAt &frame : part.frames)
      if (frame.function != part.frames.front().function)
        return is_specific(frame.function) && frame.function != "main" ? &frame : nullptr;
    return nullptr;
  }

  // Gives a function what one part says of it.
  void credit(const Part &part, const InlinedAt &frame, double score) {
    Writer &writer = functions_[frame.function];
    double &best = best_[frame.function];
    const bool better = writer.where.function.empty() || score > best;
    writer.role = role_;
    writer.moved = std::min(crowd_.moved, writer.moved + crowd_.expected(part.tally));
    writer.score += score;
    // Any place with a line is better than one without.
    if (writer.where.line == 0 || (better && frame.line != 0))
      writer.where = frame;
    if (!better)
      return;
    best = score;
    writer.from = part.site->from;
    writer.specific = part.specific;
  }

  Role role_;
  const Crowd &crowd_;
  std::vector<Part> parts_;
  std::map<std::string, Tally> reached_; // of all sites that have the function on their frames
  ByFunction functions_;
  std::map<std::string, double> best_;
};

// Objects of the allocation sites in question, as the records count them.
struct Row {
  const culprit_blame_row *counted = nullptr;
  const Context *context = nullptr;
  const Site *allocation = nullptr;
  CrowdCell cell = 0;
  double moved = 0; // share, 0..1

  double objects() const { return static_cast<double>(counted->count); }
};

std::vector<Row> rows_of(const BlameTable &table, const std::vector<MovedSite> &sites,
                         const HeapRun &again) {
  std::map<uint64_t, const MovedSite *> by_id;
  for (const MovedSite &site : sites)
    if (site.score >= kLeastSite * sites.front().score)
      by_id[site.id] = &site;
  std::vector<Row> rows;
  for (const culprit_blame_row &row : table.rows) {
    const auto context = again.contexts.find(row.context);
    if (context == again.contexts.end() || context->second.site >= again.sites.size() ||
        row.cell >= CULPRIT_CELLS)
      continue;
    const AllocationSite &allocation = again.sites[context->second.site];
    if (const auto site = by_id.find(allocation.id); site != by_id.end())
      rows.push_back({&row, &context->second, allocation.site,
                      crowd_cell(context->second.site, row.cell), site->second->moved[row.cell]});
  }
  return rows;
}

Crowd crowd_of(std::span<const Row> rows) {
  Crowd crowd;
  for (const Row &row : rows)
    crowd.add(row.cell, row.objects(), row.moved);
  return crowd;
}

// Does the way to the allocation lead through this call? The allocation itself does not count.
bool leads_through(const Row &row, const Site *call) {
  return call != row.allocation &&
         std::ranges::find(row.context->chain, call) != row.context->chain.end();
}

// Where one function hands out objects of every kind, the call that asked for the moved ones tells
// them from the others: its objects alone are looked at.
std::vector<Row> narrowed(std::vector<Row> rows) {
  const Crowd crowd = crowd_of(rows);
  if (!crowd.can_compare())
    return rows;
  std::map<const Site *, Tally> calls;
  for (const Row &row : rows) {
    std::set<const Site *> seen; // recursion
    for (const Site *call : row.context->chain)
      if (call != nullptr && call != row.allocation && seen.insert(call).second)
        calls[call].add(row.cell, row.objects(), row.moved);
  }
  const Site *best = nullptr;
  double most = 0;
  for (const auto &[call, tally] : calls) {
    const double specific = crowd.specificity(tally);
    if (specific >= kSpecific && crowd.explained(tally) >= kNarrow * crowd.moved &&
        (best == nullptr || specific > most || (specific == most && call->id < best->id))) {
      best = call;
      most = specific;
    }
  }
  if (best == nullptr)
    return rows;
  std::erase_if(rows, [&](const Row &row) { return !leads_through(row, best); });
  return rows;
}

// As many objects as moved, the way training knows the objects of these sites.
struct Usual {
  double objects = 0;                                           // 0: not known
  std::array<std::map<uint64_t, double>, kWriterRoles> writers; // static id → objects
};

Usual usual_of(const std::vector<MovedSite> &sites, const HeapModel &model, double moved) {
  Usual usual;
  double known = 0;
  for (const MovedSite &site : sites) {
    const auto learned = model.sites.find(site.id);
    if (site.score < kLeastSite * sites.front().score || learned == model.sites.end() ||
        learned->second.writer_runs == 0)
      continue;
    known += site.count;
    for (size_t role = 0; role < kWriterRoles; ++role)
      for (const auto &[writer, share] : learned->second.writers[role])
        usual.writers[role][writer] += share * site.count;
  }
  if (known <= 0)
    return {};
  usual.objects = moved;
  for (auto &writers : usual.writers)
    for (auto &[writer, objects] : writers)
      objects *= moved / known;
  return usual;
}

void put_in_order(std::vector<Writer> &list) {
  std::ranges::sort(list, [](const Writer &a, const Writer &b) {
    return a.score != b.score ? a.score > b.score : a.where.function < b.where.function;
  });
}

void keep_stronger(std::vector<Writer> &list, Writer writer) {
  const auto known = std::ranges::find(list, writer.where.function,
                                       [](const Writer &other) { return other.where.function; });
  if (known == list.end())
    list.push_back(std::move(writer));
  else if (writer.score > known->score)
    *known = std::move(writer);
}

void add_origins(std::vector<std::string> &known, const std::vector<std::string> &more) {
  for (const std::string &name : more)
    if (std::ranges::find(known, name) == known.end())
      known.push_back(name);
}

// Functions, by what they write less of than training has it. `now` and `usual` are objects by
// static id, of as many objects each; copies of one function's code are added up.
void add_absent(Writers &writers, const std::map<uint64_t, double> &now,
                const std::map<uint64_t, double> &usual, double weight, const HeapRun &again) {
  struct Habit {
    const Site *site = nullptr; // the one that did most of it
    double most = 0;
    double less = 0; // objects
  };
  std::map<std::string, Habit> functions;
  if (!again.tables)
    return;
  const auto objects_of = [](const std::map<uint64_t, double> &objects, uint64_t id) {
    const auto found = objects.find(id);
    return found == objects.end() ? 0 : found->second;
  };
  for (const auto &[unit, sites] : *again.tables)
    for (const Site &site : sites) {
      const double usually = objects_of(usual, site.id);
      const double less = usually - objects_of(now, site.id);
      const std::vector<InlinedAt> frames = less == 0 ? std::vector<InlinedAt>{} : own_frames(site);
      if (frames.empty())
        continue;
      Habit &habit = functions[frames.front().function];
      habit.less += less;
      if (habit.site == nullptr || usually > habit.most) {
        habit.site = &site;
        habit.most = usually;
      }
    }
  for (const auto &[function, habit] : functions) {
    const double share = habit.less / writers.crowd.moved;
    if (share >= kHabit)
      keep_stronger(writers.list, {own_frames(*habit.site).front(), Role::absent, habit.site->from,
                                   habit.less, kAbsent * weight * std::min(1.0, share), 1, false});
  }
}

} // namespace

Writers writers_of(const Finding &finding, const std::vector<MovedSite> &sites,
                   const HeapModel &model, const HeapRun &again) {
  Writers writers;
  const BlameTable *table = nearest_table(again, finding.worst_index);
  if (table == nullptr || sites.empty())
    return writers;
  const std::vector<Row> rows = narrowed(rows_of(*table, sites, again));
  writers.crowd = crowd_of(rows);
  if (writers.crowd.moved <= 0)
    return writers;
  const bool lost = lost_pointers(sites.front());
  const Ends ends = ends_of(finding, sites.front());
  const Usual usual = usual_of(sites, model, writers.crowd.moved);
  // Of all a function does to the objects: where it hangs them up decides more than what it fills
  // them with last, so linking comes first.
  std::map<std::string, std::vector<std::string>> origins;
  writers.crowd.all.outside += usual.objects;
  for (size_t i = 0; i < kWriterRoles; ++i) {
    const auto number = kEvidence[i].number;
    const double weight = weight_of(kEvidence[i], ends, lost);
    std::map<uint32_t, Tally> tallies;
    for (const Row &row : rows)
      if (row.counted->*number != kNoSite)
        tallies[row.counted->*number].add(row.cell, row.objects(), row.moved);
    std::map<uint64_t, double> now; // of the moved ones
    for (auto &[site_number, tally] : tallies)
      if (const Site *site = again.numbers.at(site_number); site != nullptr) {
        now[site->id] += writers.crowd.in_proportion(tally);
        if (const auto habit = usual.writers[i].find(site->id); habit != usual.writers[i].end())
          tally.outside += habit->second;
      }
    if (usual.objects > 0)
      add_absent(writers, now, usual.writers[i], weight, again);
    RoleSum sum(kEvidence[i].role, writers.crowd);
    for (const auto &[site_number, tally] : tallies)
      if (const Site *site = again.numbers.at(site_number); site != nullptr)
        sum.add(*site, tally);
    for (auto &[function, writer] : sum.functions()) {
      writer.score *= weight;
      add_origins(origins[function], writer.from);
      keep_stronger(writers.list, std::move(writer));
    }
  }
  for (Writer &writer : writers.list)
    if (const auto found = origins.find(writer.where.function); found != origins.end())
      writer.from = found->second;
  put_in_order(writers.list);
  return writers;
}

void add_callers(Writers &writers, const Finding &finding, const std::vector<MovedSite> &sites,
                 const HeapRun &run) {
  if (sites.empty())
    return;
  SiteReplay replay(run);
  replay.to(finding.worst_point);
  const MovedSite &first = sites.front();
  std::map<const Site *, Tally> callers;
  Crowd crowd;
  for (const auto &[number, cells] : replay.contexts()) {
    const Context &context = run.contexts.at(number);
    if (context.site != first.position)
      continue;
    Tally tally;
    for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell)
      if (const auto count = static_cast<double>(cells[cell]); count > 0) {
        tally.add(cell, count, first.moved[cell]);
        crowd.add(cell, count, first.moved[cell]);
      }
    std::set<const Site *> seen; // recursion
    for (const Site *site : context.chain)
      if (site != nullptr && !site->wrapper && site != run.sites[first.position].site &&
          !is_library(site->function, site->file) && seen.insert(site).second)
        add_to(callers[site], tally);
  }
  for (const auto &[site, tally] : callers) {
    const double specific = crowd.specificity(tally);
    // A call that explains a few of them only would lead away from the others.
    if (specific < kSpecific || !crowd.can_compare() ||
        crowd.explained(tally) < kCallerShare * crowd.moved)
      continue;
    keep_stronger(writers.list, {{site->function, site->file, site->line, site->column},
                                 Role::caller,
                                 {},
                                 crowd.expected(tally),
                                 kCaller * crowd.explained(tally) / crowd.moved * specific,
                                 specific,
                                 false});
  }
  put_in_order(writers.list);
}

} // namespace culprit::heap
