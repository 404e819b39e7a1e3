// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The culprit_access_unit of a unit (abi/access.h): a variable that exists from the start, so that
// code and tables can refer to it, and is filled in and registered when everything is known.
//
// Who knows what: pass/access_checks adds rows; the names' side hands over its arrays of globals,
// layouts and site layouts, and its tables for the engine. The call that registers it stands in the
// unit's constructor, behind register_unit.
#pragma once

#include "pass/access_sites.h"
#include "pass/sites.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/JSON.h"

namespace culprit {

class AccessUnit {
public:
  // `unit` is the culprit_unit. Main: the code is made for rows that start at 0.
  AccessUnit(llvm::Module &module, llvm::GlobalVariable &unit, bool is_main);

  llvm::GlobalVariable &variable() { return *variable_; }
  AccessSites &sites() { return sites_; }
  bool is_main() const { return is_main_; }
  // The number of the unit's first row, as the runtime assigned it. Of a main unit a constant.
  llvm::Value *row_base(llvm::IRBuilder<> &builder);
  // A row as the runtime numbers it.
  llvm::Value *runtime_row(llvm::IRBuilder<> &builder, unsigned row);

  // Each is a pointer to the first of `count` (abi/access.h: culprit_variable, culprit_layout,
  // number). Left out: none.
  // The last `gaps` of the globals are what lies behind others.
  void set_globals(llvm::Constant *first, unsigned count, unsigned gaps) {
    globals_ = {first, count};
    gaps_ = gaps;
  }
  void set_layouts(llvm::Constant *first, unsigned count) { layouts_ = {first, count}; }
  void set_site_layouts(llvm::Constant *first, unsigned count) { site_layouts_ = {first, count}; }

  // Tables for the engine (abi/sites.h), beside "accesses" and "rows": "variables", "layouts".
  void set_table(llvm::StringRef name, llvm::json::Array table);

  // What is added to the frame of the site table.
  llvm::json::Object tables();
  // Fills in the variable and registers it. Nothing can be added or set from here on.
  void emit(const SiteTable::Emitted &emitted);

private:
  struct Array {
    llvm::Constant *first = nullptr;
    unsigned count = 0;
  };

  llvm::Module &module_;
  llvm::GlobalVariable &unit_;
  bool is_main_;
  llvm::GlobalVariable *variable_;
  AccessSites sites_;
  Array globals_;
  unsigned gaps_ = 0;
  Array layouts_;
  Array site_layouts_;
  llvm::json::Object tables_;
};

} // namespace culprit
