// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who did it: from a finding to named functions.
//
// First, whose objects: for each allocation site, the objects in each degree cell at the worst
// point against what training expects of as many objects of that site. The cells with too many,
// inside the metric's class (or outside it, for a crossing at the low end: where the missing ones
// went), hold the objects that moved. Then, who wrote: from the blame records of a re-execution,
// the sites that linked, unlinked or wrote these objects, weighed by how specific each is: its
// share among the moved objects against its share among the other objects of the same allocation
// site. A site that does to all objects what it does to the moved ones tells nothing by itself
// (poor hash function, wrong comparison): then the functions whose results decide what it stores
// are named right behind it. Without blame records, allocation sites, the callers that are specific
// to the moved objects, and the stacks kept while the metric moved are all there is.
#pragma once

#include "engine/heap/judge.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace culprit::heap {

enum class Role {
  linked,    // stored the newest pointer to the objects
  unlinked,  // overwrote or freed the newest lost pointer to them
  wrote,     // wrote the objects' own pointers
  feeds,     // its result decides what a writer stores, or where
  absent,    // usually links or writes such objects, and did not
  caller,    // on the way to the allocation of these objects and not of others
  allocates, // allocated them
  on_stack,  // was running while the metric moved
};
std::string_view role_text(Role role); // "linked", "unlinked", …

struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string function; // demangled
  auto operator<=>(const Place &) const = default;
};

struct Suspect {
  Place place;
  Role role = Role::allocates;
  uint64_t count = 0; // objects, of the `of` that moved (stacks: samples)
  uint64_t of = 0;
  double score = 0;
  std::string text; // "1,204 of the 1,310 objects that entered this class were linked here"
};

struct MovedObjects {
  uint64_t site = 0;                // allocation site, static id
  Place place;                      // where they were allocated; empty for unknown code
  std::string type;                 // if known
  std::vector<std::string> callers; // innermost first, of the most frequent context
  uint64_t objects = 0;             // of this site, now
  uint64_t moved = 0;               // of these, beyond expectation in the offending cells
  std::string normally; // "indegree 2", "outdegree 1": what most were in training; empty: new
  std::string now;      // where the moved ones are
};

struct Blame {
  std::vector<Suspect> suspects;     // guilty first; a function appears once
  std::vector<MovedObjects> objects; // most moved first
  bool has_writers = false;          // the re-execution gave blame records that could be used
};

// `again`: a re-execution in the blame flavour whose records are of finding.worst_index (or of the
// nearest point there is); null: none.
Blame blame(const Finding &finding, const HeapRun &run, const HeapModel &model,
            const HeapRun *again = nullptr);

// Do two findings of one run lead to the same code? Either the same function is named first, or the
// same allocation site's objects moved and one of the two names nobody who wrote them, or names
// first whom the other names among its first three.
bool same_cause(const Blame &a, const Blame &b);

// Call stacks kept while the metric moved, folded.
struct FoldedStack {
  std::vector<std::string> frames; // innermost first
  uint64_t count = 0;
  double share = 0; // of its part
};
struct FoldedStacks {
  std::vector<FoldedStack> before; // most frequent first
  std::vector<FoldedStack> during;
  std::vector<FoldedStack> after;
  bool empty() const { return before.empty() && during.empty() && after.empty(); }
};
// Names for one return address, innermost (inlined) first; empty: leave the frame out.
using Symbolizer = std::function<std::vector<std::string>(uint64_t address)>;
FoldedStacks fold_stacks(const HeapRun &run, const Finding &finding, const Symbolizer &symbolize);

// The functions most specific to the stacks, for those without other evidence: appended behind the
// suspects there are.
void add_stack_suspects(Blame &blame, const FoldedStacks &stacks);

} // namespace culprit::heap
