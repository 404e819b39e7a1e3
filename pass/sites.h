// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The site table of a unit (abi/sites.h): places in the source that the runtime or the engine will
// name.
//
// A site is told from others by where it is in the source, not by which instruction it became:
// copies that the optimiser made of one call (unrolled loops, inlined functions) are one site.
// Of stores and frees, copies inlined into different callers are different sites: contexts say who
// called for an allocation, and nothing else says who called for a write.
// Instructions without a location are told apart by their order in the function.
// Calls and allocations get the lowest numbers, so that most fit the 16 bits of a context.
// Numbers exist when all sites have been added.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"

#include <string>
#include <vector>

namespace llvm {
class DILocation;
class Module;
} // namespace llvm

namespace culprit {

enum class SiteKind : uint8_t { call, alloc, store, free };

// Where inlined code was called.
struct InlinedAt {
  std::string function;
  std::string file;
  unsigned line;
  unsigned column;
};

struct Site {
  uint64_t id;
  SiteKind kind;
  std::string file;
  unsigned line;
  unsigned column;
  std::string function;
  std::string callee;
  std::string type;
  std::vector<std::string> from;
  bool is_wrapper;
  std::vector<InlinedAt> at; // of stores and frees: innermost caller first
};

// Which function the code at this location was written in: its linkage name.
llvm::StringRef function_at(const llvm::DILocation &location);
// As the source has it: what LTO appends to the names of local functions is not in it.
llvm::StringRef source_name(const llvm::Function &function);
// Whom the call calls, by its linkage name; empty if indirect.
llvm::StringRef called_name(const llvm::CallBase &call);

class SiteTable {
public:
  struct Handle {
    bool leads_to_allocation;
    unsigned index;
  };

  explicit SiteTable(llvm::Module &module);

  // The site of an instruction itself.
  Handle add(SiteKind kind, const llvm::Instruction &instruction, llvm::StringRef callee);
  // The site of a call that was inlined: `location` is the place of the call.
  Handle add_inlined_call(const llvm::DILocation &location, llvm::StringRef callee);
  Site &operator[](Handle handle);

  // From here on nothing can be added.
  unsigned number(Handle handle) const;
  // base + number, as the runtime knows the site.
  llvm::Value *runtime_number(llvm::IRBuilder<> &builder, Handle handle);
  // Its low 16 bits.
  llvm::Value *context_number(llvm::IRBuilder<> &builder, Handle handle);

  // Fills in the unit, adds its constructor and the frame that describes the sites.
  void emit();

private:
  Handle add_site(Site site, unsigned relative_line, unsigned ordinal);

  llvm::Module &module_;
  llvm::GlobalVariable *unit_;
  std::vector<Site> leading_; // calls and allocations
  std::vector<Site> other_;
  llvm::StringMap<Handle> by_key_;
  const llvm::Function *function_ = nullptr; // of the last site without a location
  unsigned ordinal_ = 0;                     // in function_
};

} // namespace culprit
