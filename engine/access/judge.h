// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a run access its objects as training did? Pairs that training never saw are outliers; the
// surprising ones are findings, the others notes. docs/access-judging.md has the formulas.
//
// raw_confidence is the paper's number. confidence is g / (g + 1), where g² is the outlier's
// surprise by the bar of the model: 0.5 just clears the bar, as for heap findings.
// One finding is one mistake: outliers of one site, and those of one function that hit the same
// object, are members of one finding. The first of them in the run leads, since that is where
// it went wrong; the finding's confidence is that of its strongest member.
#pragma once

#include "engine/access/learn.h"
#include "engine/access/run.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::access {

struct Outlier {
  size_t pair = 0;   // position in AccessRun::pairs
  uint64_t site = 0; // static id
  uint64_t name = 0; // key, at the model's depth
  Evidence evidence = Evidence::none;
  uint32_t from = kNoName; // of an overrun: the object it began in; of a dangling access: who lived
                           // there before. Position in AccessRun::names
  bool site_seen = false;  // the site accessed something in training
  bool site_in_program = false; // the builds trained on had it; false: edited or new code
  bool name_seen = false;       // the name was accessed in training
  uint64_t accesses = 0;        // NumAccess_total
  size_t set_size = 0;          // AccSetSize
  size_t occurrences = 0;       // NumOccurrence_pc: other names for which this site is an outlier
  double raw_confidence = 0;    // accesses × (occurrences + 1) / (set_size + 1)
  double surprise = 0;
  double confidence = 0; // 0..1
};

// A site of a name's access set, or a name of a site's.
struct Usual {
  uint64_t id = 0; // static id of the site, or key of the name
  uint64_t count = 0;
  uint32_t runs = 0;
};

struct Finding {
  std::string id; // "access.<site>.<name>" of the lead: the same for the same pair in another run
  std::vector<Outlier> members;   // the lead first, then as they happened
  std::vector<Usual> usual_sites; // of the lead's name: who normally accesses it, most often first
  std::vector<Usual> usual_names; // of the lead's site: what it normally accesses
  double confidence = 0;
  double raw_confidence = 0; // the greatest of the members
  int rank = 0;              // from 1, over findings; then over notes
  const Outlier &lead() const { return members.front(); }
};

struct Verdict {
  std::vector<Finding> findings;    // by rank
  std::vector<Finding> notes;       // by rank
  std::vector<std::string> remarks; // sentences: what could not be judged, and why
  size_t pairs = 0;                 // judged
  size_t outliers = 0;              // before pruning
  size_t pruned = 0;                // of them, direct accesses
  size_t accepted = 0;              // pairs that only --accept makes normal
  size_t runs = 0;                  // learned from
  size_t sites_known = 0;           // access sites of the program that the model knows
  size_t sites_total = 0;
};

Verdict judge(const AccessModel &model, const AccessRun &run, const AccessSettings &settings);

// `check --learn`: the first periods of the run, each as a training run, and the rest judged by
// them. The model it used is learn_from_start().
Verdict learn_then_judge(const AccessRun &run, const AccessSettings &settings);
AccessModel learn_from_start(const AccessRun &run, const AccessSettings &settings);

// What `check --accept ID` adds to the model's History::accepted: all pairs of the finding or note
// with this id, with the keys the history has (full depth). Empty: no such finding.
struct Acceptance {
  std::set<PairKey> pairs;
  std::map<uint64_t, AccessSite> sites;
  std::map<uint64_t, Name> names;
};
Acceptance accept(const Verdict &verdict, const AccessRun &run, std::string_view id);

} // namespace culprit::access
