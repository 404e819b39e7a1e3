// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of heap blocks: the layout of the type that pass/block_types found for a site
// (site_layout in culprit_access_unit), if that can be relied on:
//   - the debug information has the type, and it is a struct or class (record_types.h);
//   - the block is handed to the site: it is the allocation itself, or calls wrappers (xmalloc)
//   down
//     to it. `list *l = parse(file)` says nothing about the other blocks that parse() allocates;
//   - the size that is asked for is that of the struct, or a multiple of it (the layout repeats),
//   or
//     begins with it (`sizeof(T) + n`: what is behind it has a name of its own). A multiple by the
//     look of the expression: n * 24, also behind `new`'s overflow check. Arrays with a cookie in
//     front have none.
// Copies of a site that disagree: none; or, if one copy sees more behind the struct, that.
#pragma once

#include "pass/contexts.h"
#include "pass/layouts.h"
#include "pass/record_types.h"
#include "pass/wrappers.h"

#include "llvm/ADT/DenseMap.h"

namespace culprit {

class BlockLayouts {
public:
  BlockLayouts(Layouts &layouts, const RecordTypes &types, const Wrappers &wrappers);

  // To be called when the call's sites have their types.
  void add(const ContextCall &call, SiteTable &sites);

  // By site number, for the sites that have one; from here on nothing can be added to the sites.
  // As long as it must be: the last entry is not 0.
  std::vector<uint32_t> by_number(const SiteTable &sites) const;

  // Of all sites, some more than once; 0: none.
  std::vector<uint32_t> all() const;

private:
  struct Found {
    SiteTable::Handle site;
    uint32_t layout;
    bool has_more_behind;
  };
  Found judge(const llvm::CallBase &call, SiteTable::Handle site, const llvm::DIType *type);

  Layouts &layouts_;
  const RecordTypes &types_;
  const Wrappers &wrappers_;
  llvm::DenseMap<unsigned, Found> found_; // by index among the sites that lead to an allocation
};

} // namespace culprit
