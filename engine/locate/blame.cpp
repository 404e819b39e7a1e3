// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blame.h.
#include "engine/locate/blame.h"

#include "abi/layout.h"
#include "abi/locate.h"
#include "engine/locate/member_names.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <tuple>

namespace culprit::locate {
namespace {

constexpr std::array<std::string_view, 17> kErrors = {
    "wild-access",        "null-dereference",     "use-after-free",
    "uninitialised-read", "heap-overflow",        "heap-underflow",
    "stack-overflow",     "double-free",          "bad-free",
    "failed-check",       "division-by-zero",     "illegal-instruction",
    "stack-exhausted",    "global-overflow",      "endless-loop",
    "use-after-return",   "intra-object-overflow"};
constexpr std::array<std::string_view, 6> kParts = {"source", "writer", "allocation",
                                                    "free",   "left",   "missing"};

// A crash with its place looked up.
struct Scene {
  const culprit_record_crash &crash;
  const Tables &tables;
  const culprit_record_arguments &arguments;
  std::optional<Place> place;

  std::optional<DefinitionKind> kind(uint64_t id) const { return tables.kind(definition_of(id)); }
};

// A declaration has no time, unless it is one whose function has returned (abi/layout.h).
bool has_left(const Scene &scene, uint64_t id) {
  return scene.kind(id) == DefinitionKind::variable && time_of(id) != 0;
}

// A pointer is written as a whole, if it is meant to be written. Not one whose last definition
// wrote less: that has run into it.
bool wrote_a_piece(const std::optional<Definition> &definition) {
  return definition && definition->kind == DefinitionKind::store && definition->size > 0 &&
         definition->size < sizeof(uint64_t);
}

// Not any element of an array, nor what a pointer leads to.
bool names_one_variable(const std::string &name) {
  return !name.empty() && name.find_first_of("[*") == std::string::npos;
}

bool is_address(const Candidate &candidate) {
  return candidate.role == Role::base || candidate.role == Role::pointer;
}

// A constant that the place itself hands on has only just been made, whatever else is wrong.
bool is_own_constant(const Scene &scene, uint64_t id) {
  const auto definition = scene.tables.definition(definition_of(id));
  return definition && definition->kind == DefinitionKind::constant && scene.place &&
         definition->at.line == scene.place->at.line && definition->at.file == scene.place->at.file;
}

// Memory that nobody has written since this freed, allocated or declared it.
ErrorKind kind_of_origin(const Candidate &origin) {
  if (origin.part == Part::free)
    return ErrorKind::use_after_free;
  return origin.part == Part::left ? ErrorKind::use_after_return : ErrorKind::uninitialised_read;
}

// A number that has the id of an allocation was read from a block where nobody has written it. Of a
// pointer that cannot be told: it may be the one to the block.
bool is_never_written(const Scene &scene, const Candidate &candidate) {
  const auto definition = scene.tables.definition(definition_of(candidate.id));
  return (candidate.origin || candidate.role == Role::index) && definition &&
         definition->kind == DefinitionKind::allocation && definition->callee != "calloc";
}

// A pointer that a library function has written, meant for an array of numbers or a text inside a
// record: that has run over it.
bool was_run_over(const std::optional<Definition> &definition) {
  return definition && definition->kind == DefinitionKind::library &&
         (!definition->object.empty() || definition->size > 0);
}

// What allocates, or code that nobody sees, gives out pointers that lead somewhere, if any. (Where
// nobody has written a block, its allocation's id stands, too, and its bytes are no address.) So
// does who says where a variable is.
bool is_sound_base(const Scene &scene, const Candidate &candidate) {
  const auto definition = scene.tables.definition(definition_of(candidate.id));
  return candidate.role == Role::base && definition &&
         (definition->kind == DefinitionKind::allocation ||
          definition->kind == DefinitionKind::call || definition->small) &&
         scene.crash.address != UINT64_MAX;
}

// A small number that was written down leads nothing astray that was right before, nor do zeros
// that were asked for. And a check compares with what is handed to it.
bool is_sound_number(const Scene &scene, const Candidate &candidate) {
  const auto definition = scene.tables.definition(definition_of(candidate.id));
  if (!definition)
    return false;
  if (candidate.role == Role::index)
    return (definition->small && !wrote_a_neighbour(*definition, candidate.name)) ||
           definition->callee == "calloc";
  return (candidate.role == Role::condition || candidate.role == Role::guard) &&
         definition->small && definition->kind == DefinitionKind::constant;
}

bool is_fault_near_null(const culprit_record_crash &crash) {
  return crash.kind == CULPRIT_CRASH_SIGNAL &&
         (crash.signal == SIGSEGV || crash.signal == SIGBUS) && crash.address < kNearNull;
}

// The rank of those of which nothing is known but when they were defined.
constexpr int kAnyRank = 2;

// Smaller is better: memory that was freed or never written explains a crash by itself. Of an
// address near NULL the base is wrong, whatever the index; of a call's arguments only pointers lead
// astray; of a check's parts the last is mostly what it is about (`debug && is_bad`). All others
// are told apart by how recent they are.
int rank(const Scene &scene, const Candidate &candidate) {
  if (candidate.part == Part::missing)
    return 5;
  if (candidate.nowhere || candidate.freed_at != 0)
    return 0;
  const auto kind = scene.kind(candidate.id);
  if (kind == DefinitionKind::free)
    return 0;
  if (kind == DefinitionKind::variable || is_never_written(scene, candidate))
    return 1;
  const auto definition = scene.tables.definition(definition_of(candidate.id));
  if (is_address(candidate) && scene.crash.kind == CULPRIT_CRASH_SIGNAL &&
      (wrote_a_piece(definition) || was_run_over(definition)))
    return 1;
  if (is_own_constant(scene, candidate.id) || is_sound_number(scene, candidate))
    return 4;
  if (is_sound_base(scene, candidate) && !is_fault_near_null(scene.crash))
    return 3;
  if (candidate.role == Role::index && is_fault_near_null(scene.crash))
    return 3;
  if (candidate.role == Role::guard)
    return 3;
  if (candidate.role == Role::argument && scene.crash.kind == CULPRIT_CRASH_SIGNAL)
    return 3;
  return kAnyRank;
}

// Leaves come base first; of equals the first stays first.
void insert(std::vector<Candidate> &found, const Scene &scene, Candidate candidate) {
  candidate.equal = rank(scene, candidate) == kAnyRank;
  const auto better = [&](const Candidate &a, const Candidate &b) {
    return std::tuple(rank(scene, a), ~time_of(a.id)) < std::tuple(rank(scene, b), ~time_of(b.id));
  };
  const auto at = std::ranges::upper_bound(found, candidate, better);
  found.insert(at, std::move(candidate));
}

// Memory that code which nobody sees has freed (a string's destructor): only where it was called is
// known, and it cannot be left out. Nothing: it was not, or nobody is known to have called it.
std::optional<Candidate> freed_by_unseen(const Scene &scene, uint64_t id) {
  if (!is_unwritten(id) || (id & CULPRIT_ID_BY_PLACE) == 0 ||
      !scene.tables.place(definition_of(id)))
    return std::nullopt;
  return Candidate{.id = 0, .part = Part::free, .suppress = false, .freed_at = definition_of(id)};
}

std::optional<Candidate> named(std::optional<Candidate> candidate, const Leaf &leaf) {
  if (candidate) {
    candidate->name = leaf.name;
    candidate->role = leaf.role;
  }
  return candidate;
}

// Unseen code was given a pointer into a block that is free: it need not be the pointer's own
// definition that is wrong, nor did the program read anything there itself.
std::optional<Candidate> dangling_argument(const Scene &scene, size_t leaf) {
  const uint64_t id = scene.arguments.freed_by[leaf];
  if (scene.place->kind != PlaceKind::call || id == 0 || is_corrupt(id))
    return std::nullopt;
  if (auto freed = freed_by_unseen(scene, id))
    return freed;
  if (!scene.kind(id))
    return std::nullopt;
  return Candidate{.id = id, .part = Part::free};
}

bool leads_nowhere(const Scene &scene, size_t leaf) {
  return scene.place->kind == PlaceKind::call && scene.place->leaves[leaf].role == Role::pointer &&
         (scene.arguments.nowhere >> leaf & 1) != 0;
}

// The definitions of all values that the address (the arguments, the condition) is made of.
std::vector<Candidate> sources(const Scene &scene) {
  std::vector<Candidate> found;
  if (!scene.place)
    return found;
  const size_t leaves = std::min<size_t>(scene.place->leaves.size(), CULPRIT_LEAVES);
  for (size_t i = 0; i < leaves; ++i) {
    const Leaf &leaf = scene.place->leaves[i];
    if (const auto dangling = named(dangling_argument(scene, i), leaf))
      insert(found, scene, *dangling);
    if (is_corrupt(scene.crash.leaves[i])) // known by now
      continue;
    if (auto freed = named(freed_by_unseen(scene, scene.crash.leaves[i]), leaf)) {
      freed->origin = true;
      insert(found, scene, *freed);
      continue;
    }
    const uint64_t told = scene.crash.leaves[i];
    const uint64_t id = is_unwritten(told) ? told & ~CULPRIT_ID_MARKS : told;
    const bool known = scene.kind(id).has_value();
    // Arguments without id and name are constants.
    if (!known && leaf.name.empty() && scene.place->kind == PlaceKind::call)
      continue;
    if (std::ranges::any_of(found,
                            [&](const Candidate &other) { return other.id == (known ? id : 0); }))
      continue;
    Part part = known ? Part::source : Part::missing;
    if (known && scene.kind(id) == DefinitionKind::free)
      part = Part::free;
    if (has_left(scene, id))
      part = Part::left;
    const Candidate candidate{.id = known ? id : 0,
                              .part = part,
                              .name = leaf.name,
                              .role = leaf.role,
                              .suppress = known,
                              .nowhere = leads_nowhere(scene, i),
                              .origin = known && is_unwritten(told)};
    insert(found, scene, candidate);
  }
  return found;
}

// What a copy has written was defined elsewhere, and that need not go wrong again.
bool writes_itself(const Scene &scene, uint64_t id) {
  const auto kind = scene.kind(id);
  return kind == DefinitionKind::store || kind == DefinitionKind::library;
}

void add(Blamed &blamed, const Scene &scene, uint64_t id, Part part, bool suppress) {
  if (!scene.kind(id) || is_corrupt(id))
    return;
  const auto same = [&](const Candidate &other) { return other.id == id; };
  if (std::ranges::any_of(blamed.candidates, same))
    return;
  // If nobody better is known, this one it is.
  blamed.candidates.push_back({.id = id,
                               .part = part,
                               .suppress = suppress || blamed.candidates.empty(),
                               .onward = part == Part::writer && writes_itself(scene, id)});
}

// Who has freed the block concerned, if that is known.
void add_free(Blamed &blamed, const Scene &scene, Part part, bool suppress) {
  if (auto unseen = freed_by_unseen(scene, scene.crash.freed))
    blamed.candidates.push_back(std::move(*unseen));
  else if ((scene.crash.freed & CULPRIT_ID_BY_PLACE) == 0)
    add(blamed, scene, scene.crash.freed, part, suppress);
}

void give_up_if_empty(Blamed &blamed, const char *why) {
  if (blamed.candidates.empty())
    blamed.nothing = why;
}

bool lies_in_freed_block(const culprit_record_crash &crash) {
  return crash.block != 0 && crash.freed != 0 && crash.address >= crash.block &&
         crash.address - crash.block < crash.block_size;
}

ErrorKind kind_of_fault(const Scene &scene, const std::vector<Candidate> &candidates) {
  switch (scene.crash.signal) {
  case SIGFPE:
    return !candidates.empty() && candidates.front().part == Part::free
               ? ErrorKind::use_after_free
               : ErrorKind::division_by_zero;
  case SIGILL:
  case SIGTRAP: // a check that the compiler has made, or the program by __builtin_trap
    return scene.place && scene.place->kind == PlaceKind::stop ? ErrorKind::failed_check
                                                               : ErrorKind::illegal_instruction;
  default:
    break;
  }
  if (!candidates.empty()) {
    const Candidate &best = candidates.front();
    const auto kind = scene.kind(best.id);
    if (kind == DefinitionKind::free)
      return ErrorKind::use_after_free;
    if (kind == DefinitionKind::variable)
      return best.part == Part::left ? ErrorKind::use_after_return : ErrorKind::uninitialised_read;
    if (is_never_written(scene, best))
      return ErrorKind::uninitialised_read;
    // A fresh block's bytes have its allocation's id, and so has the pointer to it; but that one
    // does not lead astray without an index.
    if (kind == DefinitionKind::allocation && candidates.size() == 1 && best.role != Role::index &&
        scene.crash.address >= kNearNull)
      return ErrorKind::uninitialised_read;
  }
  return scene.crash.address < kNearNull ? ErrorKind::null_dereference : ErrorKind::wild_access;
}

// An argument that no code could have used is the reason. If one points into a freed block, the
// others, and its own definition, may be as they should; so may those beside a value that was
// computed from what nobody has written.
void keep_the_certain(std::vector<Candidate> &candidates) {
  const Candidate &best = candidates.front();
  if (best.nowhere && best.part != Part::missing)
    std::erase_if(candidates, [](const Candidate &other) { return !other.nowhere; });
  else if (best.suppress && (best.part == Part::free || best.origin))
    for (Candidate &other : candidates)
      other.suppress = other.suppress && (other.part == Part::free || other.origin);
}

// What the library does with bytes (memset, strcpy) touches nothing but what its arguments lead to.
bool works_on_bytes(std::string_view function) {
  return function.starts_with("mem") || function.starts_with("str") ||
         function.starts_with("wmem") || function.starts_with("wcs");
}

// The very call that faults, if it writes, and if nothing is wrong with its pointers: it has gone
// on to where no memory is, by its length or for want of an end. 0: it is not so.
uint64_t writer_gone_on(const Scene &scene, const std::vector<Candidate> &sources) {
  if (!scene.place || !works_on_bytes(scene.place->callee))
    return 0;
  const size_t leaves = std::min<size_t>(scene.place->leaves.size(), CULPRIT_LEAVES);
  for (size_t i = 0; i < leaves; ++i)
    if (scene.place->leaves[i].role == Role::pointer && (scene.arguments.somewhere >> i & 1) == 0)
      return 0;
  const auto explains_it = [&](const Candidate &one) {
    return one.part == Part::free || one.part == Part::left || one.origin ||
           scene.kind(one.id) == DefinitionKind::variable;
  };
  if (std::ranges::any_of(sources, explains_it))
    return 0;
  // It was executed a moment ago, and nothing since.
  const uint64_t id = scene.crash.clock | scene.tables.library_writer_at(scene.crash.place);
  return definition_of(id) != 0 && !is_corrupt(id) ? id : 0;
}

ErrorKind kind_of_overrun(const Scene &scene, uint64_t writer) {
  if (scene.crash.block != 0 && scene.kind(scene.crash.allocated) == DefinitionKind::allocation)
    return ErrorKind::heap_overflow;
  const auto definition = scene.tables.definition(definition_of(writer));
  if (definition->object.empty())
    return ErrorKind::wild_access;
  return definition->local ? ErrorKind::stack_overflow : ErrorKind::global_overflow;
}

Blamed blame_fault(const Scene &scene) {
  Blamed blamed;
  if (lies_in_freed_block(scene.crash)) {
    add_free(blamed, scene, Part::free, true);
    blamed.error = ErrorKind::use_after_free;
    for (Candidate &source : sources(scene)) {
      source.suppress = source.suppress && blamed.candidates.empty();
      blamed.candidates.push_back(std::move(source));
    }
    return blamed;
  }
  blamed.candidates = sources(scene);
  if (const uint64_t writer = writer_gone_on(scene, blamed.candidates); writer != 0) {
    for (Candidate &source : blamed.candidates)
      source.suppress = false;
    blamed.candidates.insert(blamed.candidates.begin(),
                             {.id = writer, .part = Part::writer, .onward = true});
    blamed.error = kind_of_overrun(scene, writer);
    if (blamed.error == ErrorKind::heap_overflow)
      add(blamed, scene, scene.crash.allocated, Part::allocation, false);
    return blamed;
  }
  if (!blamed.candidates.empty())
    keep_the_certain(blamed.candidates);
  blamed.error = kind_of_fault(scene, blamed.candidates);
  give_up_if_empty(blamed, scene.place ? "the address is made of nothing that the program computed"
                                       : "nothing of the program ran before it");
  return blamed;
}

// A variable stands where a block does, and its declaration for the allocation (abi/layout.h).
bool is_global(const Scene &scene) {
  return scene.crash.block >= CULPRIT_LAYOUT_ARENA &&
         scene.kind(scene.crash.allocated) != DefinitionKind::variable;
}
bool is_local(const Scene &scene) {
  constexpr uint64_t kLongestStack = uint64_t{1} << 32;
  return scene.crash.block >= CULPRIT_LAYOUT_STACK_TOP - kLongestStack;
}

// The block was written beside: the write is first, its allocation (too small?) second.
Blamed blame_guard(const Scene &scene) {
  Blamed blamed{.error = scene.crash.address < scene.crash.block ? ErrorKind::heap_underflow
                                                                 : ErrorKind::heap_overflow};
  if (is_global(scene))
    blamed.error = ErrorKind::global_overflow;
  else if (is_local(scene))
    blamed.error = ErrorKind::stack_overflow;
  add(blamed, scene, scene.crash.written, Part::writer, true);
  add(blamed, scene, scene.crash.allocated, Part::allocation, false);
  give_up_if_empty(blamed, "code that culprit does not see wrote beside a block");
  return blamed;
}

Blamed blame_freed_write(const Scene &scene) {
  const bool unseen = (scene.crash.freed & CULPRIT_ID_BY_PLACE) != 0;
  const bool left = !unseen && has_left(scene, scene.crash.freed);
  Blamed blamed{.error = left ? ErrorKind::use_after_return : ErrorKind::use_after_free};
  add_free(blamed, scene, left ? Part::left : Part::free, true);
  add(blamed, scene, scene.crash.written, Part::writer, unseen);
  give_up_if_empty(blamed, "code that culprit does not see freed a block and wrote to it");
  return blamed;
}

Blamed blame_freed_read(const Scene &scene) {
  Blamed blamed{.error = ErrorKind::use_after_free};
  add_free(blamed, scene, Part::free, true);
  give_up_if_empty(blamed, "code that culprit does not see freed a block that is read");
  return blamed;
}

// One pointer freed twice: the first free came too early. Two pointers that should differ: the
// paper's rule, the later one is wrong.
Blamed blame_double_free(const Scene &scene) {
  Blamed blamed{.error = ErrorKind::double_free};
  const std::vector<Candidate> pointers = sources(scene);
  const bool same = !pointers.empty() && pointers.front().id == scene.crash.freed_leaf;
  if (!same)
    blamed.candidates = pointers;
  std::erase_if(blamed.candidates, [](const Candidate &one) { return one.part == Part::missing; });
  add_free(blamed, scene, Part::free, same);
  give_up_if_empty(blamed, "code that culprit does not see freed a block twice");
  return blamed;
}

Blamed blame_smashed(const Scene &scene) {
  Blamed blamed{.error = ErrorKind::stack_overflow};
  add(blamed, scene, scene.crash.written, Part::writer, true);
  give_up_if_empty(blamed, "code that culprit does not see wrote over a return address");
  return blamed;
}

// A recursion that does not end because of what it walks over (a list that has become a ring): the
// last access was made on the way down.
Blamed blame_exhausted(const Scene &scene) {
  Blamed blamed{.error = ErrorKind::stack_exhausted, .candidates = sources(scene)};
  std::erase_if(blamed.candidates, [](const Candidate &one) { return one.part == Part::missing; });
  give_up_if_empty(blamed, "the stack is full, and no value is to blame for that");
  return blamed;
}

// A loop that goes round in what it walks over (a list that has become a ring): who made it so
// last.
Blamed blame_endless(const Scene &scene) {
  Blamed blamed{.error = ErrorKind::endless_loop, .candidates = sources(scene)};
  std::erase_if(blamed.candidates, [](const Candidate &one) { return one.part == Part::missing; });
  give_up_if_empty(blamed, "it does not end, and no value that it goes round by is to blame for "
                           "that; if it only needs longer, --timeout gives it more time");
  return blamed;
}

} // namespace

std::string_view name_of(ErrorKind kind) { return kErrors[static_cast<size_t>(kind)]; }
std::string_view name_of(Part part) { return kParts[static_cast<size_t>(part)]; }

namespace {

Blamed blame_crash(const Scene &scene) {
  const culprit_record_crash &crash = scene.crash;
  switch (crash.kind) {
  case CULPRIT_CRASH_SIGNAL:
    return blame_fault(scene);
  case CULPRIT_CRASH_DOUBLE_FREE:
    return blame_double_free(scene);
  case CULPRIT_CRASH_GUARD:
    return blame_guard(scene);
  case CULPRIT_CRASH_FREED_WRITE:
    return blame_freed_write(scene);
  case CULPRIT_CRASH_FREED_READ:
    return blame_freed_read(scene);
  case CULPRIT_CRASH_SMASHED:
    return blame_smashed(scene);
  case CULPRIT_CRASH_EXHAUSTED:
    return blame_exhausted(scene);
  case CULPRIT_CRASH_ENDLESS:
    return blame_endless(scene);
  case CULPRIT_CRASH_DEADLOCK:
    return {.error = ErrorKind::failed_check,
            .candidates = {},
            .nothing = "it is deadlocked: every thread waits for another, and no value is to blame "
                       "for that"};
  default:
    break;
  }
  Blamed blamed{.error = crash.kind == CULPRIT_CRASH_BAD_FREE ? ErrorKind::bad_free
                                                              : ErrorKind::failed_check,
                .candidates = sources(scene)};
  give_up_if_empty(blamed, crash.kind == CULPRIT_CRASH_BAD_FREE
                               ? "the pointer is made of nothing that the program computed"
                               : "what led to it does not depend on anything the program computed");
  return blamed;
}

} // namespace

Blamed blame(const culprit_record_crash &crash, const Tables &tables,
             const culprit_record_arguments &arguments) {
  const Scene scene{crash, tables, arguments, tables.place(crash.place)};
  Blamed blamed = blame_crash(scene);
  if (!blamed.candidates.empty() && blamed.candidates.front().origin)
    blamed.error = kind_of_origin(blamed.candidates.front());
  return blamed;
}

std::optional<Candidate> earlier_writer(const Candidate &candidate, const Fired &fired,
                                        const Tables &tables, const culprit_record_crash &crash) {
  const auto blamed = tables.definition(definition_of(candidate.id));
  if (!blamed || blamed->kind != DefinitionKind::store)
    return std::nullopt;
  // A counter goes on where it was begun by its name: an index, though the value that it led to has
  // taken its id (an element that nobody has written). No pointer was there.
  const auto before = tables.definition(definition_of(fired.before));
  const bool is_at_home = blamed->update && before && names_one_variable(blamed->variable) &&
                          before->variable == blamed->variable;
  // A pointer that pieces were written over, and by somebody else before.
  const auto ran_into_it = [&](const Definition &writer) {
    return !is_at_home && is_address(candidate) && wrote_a_piece(blamed) &&
           (wrote_a_piece(writer) || writer.kind == DefinitionKind::library);
  };
  // A variable that was updated after something meant for another one was written there. But a
  // pointer that was written whole before pieces of it were was at home there.
  const auto went_astray = [&](const Definition &writer) {
    const bool over_pointer =
        is_address(candidate) && wrote_a_piece(blamed) && !wrote_a_piece(writer);
    return !over_pointer && blamed->update && !blamed->object.empty() && !writer.object.empty() &&
           blamed->object != writer.object;
  };
  // A cell has one id for all its bytes, and its first ones may be the block's last.
  const uint64_t cell = fired.address & ~uint64_t{CULPRIT_CELL_BYTES - 1};
  const bool is_shared = crash.kind == CULPRIT_CRASH_GUARD && fired.address != 0 &&
                         cell >= crash.block && cell - crash.block < crash.block_size;
  // Where nobody may write, whoever did so first.
  const auto trespassed = [&](const Definition &writer) {
    return candidate.part == Part::writer && !is_shared &&
           (writer.kind == DefinitionKind::store || writer.kind == DefinitionKind::library);
  };
  // It wrote where it must not, for the pointer it wrote by was not whole any more.
  if (const auto pointer = tables.definition(definition_of(fired.through));
      candidate.part == Part::writer && wrote_a_piece(pointer) && !is_corrupt(fired.through) &&
      time_of(fired.through) < time_of(fired.id))
    return Candidate{.id = fired.through, .part = Part::source, .suppress = false};
  std::optional<Candidate> earliest;
  for (const uint64_t id : {fired.before, fired.beside}) {
    const auto writer = tables.definition(definition_of(id));
    if (!writer || is_corrupt(id) || time_of(id) == 0 || time_of(id) >= time_of(fired.id) ||
        !(ran_into_it(*writer) ||
          (id == fired.before && (went_astray(*writer) || trespassed(*writer)))))
      continue;
    if (!earliest || time_of(id) < time_of(earliest->id))
      earliest = Candidate{.id = id,
                           .part = candidate.part,
                           .name = candidate.name,
                           .role = candidate.role,
                           .suppress = false,
                           .onward = candidate.onward};
  }
  return earliest;
}

} // namespace culprit::locate
