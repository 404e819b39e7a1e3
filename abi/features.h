/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an instrumented flavour watches, and which flavour watches what: pass, runtime and engine
 * read the same table (abi/flavours.def). */
#ifndef CULPRIT_ABI_FEATURES_H
#define CULPRIT_ABI_FEATURES_H

enum culprit_feature {
  CULPRIT_FEATURE_HEAP = 1,   /* heap graph and metric points */
  CULPRIT_FEATURE_BLAME = 2,  /* who wrote each pointer */
  CULPRIT_FEATURE_ACCESS = 4, /* who writes which object */
  CULPRIT_FEATURE_READS = 8,  /* and who reads it */
  CULPRIT_FEATURE_COUNTS = 16,
  CULPRIT_FEATURE_EVENTS = 32,
  CULPRIT_FEATURE_LOCATE =
      64, /* who defined each value (abi/locate.h): none of the above beside it */
  CULPRIT_FEATURE_SUPPRESS = 128, /* and executions without the effects of some definitions */
  CULPRIT_FEATURE_LAYOUT = 256, /* and variables in an order chosen at start-up (abi/layout.h); only
                                   the pass needs to know: it has no bit in the runtime's byte */
  CULPRIT_FEATURE_EXPLAIN = 512, /* indexes of points and memory (abi/explain.h): nothing beside it;
                                    the unit tells the runtime, the byte has no bit for it */
  CULPRIT_FEATURE_INDEX = 1024,  /* indexes of allocations alone (abi/indexing.h); likewise */
  CULPRIT_FEATURE_ONLINE = 4096, /* and every pointer carries its region */
  CULPRIT_FEATURE_ORIGINS = 8192, /* locate: what is computed from memory that nobody has written
                                     keeps its id (abi/locate.h); only the pass needs to know */
  CULPRIT_FEATURE_WHOLE = 2048,   /* with nothing left out that is not needed: for benchmarks */
};

#if defined(__cplusplus) && __STDC_HOSTED__
#include <string_view>

namespace culprit {

struct InstrumentedFlavour {
  std::string_view name;
  unsigned features;
  std::string_view purpose;
};

namespace flavour_features {
constexpr unsigned kHeap = CULPRIT_FEATURE_HEAP;
constexpr unsigned kBlame = CULPRIT_FEATURE_BLAME;
constexpr unsigned kAccess = CULPRIT_FEATURE_ACCESS;
constexpr unsigned kReads = CULPRIT_FEATURE_READS;
constexpr unsigned kCounts = CULPRIT_FEATURE_COUNTS;
constexpr unsigned kEvents = CULPRIT_FEATURE_EVENTS;
constexpr unsigned kLocate = CULPRIT_FEATURE_LOCATE;
constexpr unsigned kSuppress = CULPRIT_FEATURE_SUPPRESS;
constexpr unsigned kLayout = CULPRIT_FEATURE_LAYOUT;
constexpr unsigned kOrigins = CULPRIT_FEATURE_ORIGINS;
constexpr unsigned kExplain = CULPRIT_FEATURE_EXPLAIN;
constexpr unsigned kIndex = CULPRIT_FEATURE_INDEX;
constexpr unsigned kWhole = CULPRIT_FEATURE_WHOLE;
constexpr unsigned kOnline = CULPRIT_FEATURE_ONLINE;
constexpr InstrumentedFlavour kAll[] = {
#define FLAVOUR(name, features, purpose) {name, features, purpose},
#include "abi/flavours.def"
#undef FLAVOUR
};
} // namespace flavour_features

// 0: no instrumented flavour is called so.
constexpr unsigned features_of(std::string_view flavour) {
  for (const InstrumentedFlavour &each : flavour_features::kAll)
    if (each.name == flavour)
      return each.features;
  return 0;
}

} // namespace culprit
#endif

#endif
