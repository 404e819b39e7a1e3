// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/modules.h"

#include "valgrind/described.h"
#include "valgrind/elf.h"
#include "valgrind/memory.h"
#include "valgrind/names.h"
#include "valgrind/record.h"
#include "valgrind/table.h"

namespace culprit::deep {
namespace {

Array<Module *> g_modules;
Array<Variable *> g_variables; // by address
Map<Variable *> g_returns;     // of functions, by address; null: it is gone
UInt g_last;                   // module that had the address asked for last

const HChar *file_name(const HChar *path) {
  const HChar *slash = VG_(strrchr)(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool is_system_library(const HChar *path) {
  const HChar *name = file_name(path);
  const auto begins = [&](const HChar *with) {
    return VG_(strncmp)(name, with, VG_(strlen)(with)) == 0;
  };
#define SYSTEM_LIBRARY(beginning)                                                                  \
  if (begins(beginning))                                                                           \
    return true;
#include "abi/system_libraries.def"
#undef SYSTEM_LIBRARY
  return begins("vgpreload_");
}

// Before the first variable at or behind the address.
UInt lower_bound(Addr address) {
  UInt low = 0;
  UInt high = g_variables.size;
  while (low < high) {
    const UInt middle = (low + high) / 2;
    if (g_variables[middle]->address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct Found {
  Module *module;
  Array<Variable *> variables;
};

void add_variable(const Symbol &symbol, void *with) {
  auto *found = static_cast<Found *>(with);
  const Addr address = symbol.address + found->module->base;
  if (found->module->system || address + symbol.size >= limit())
    return; // what the C library keeps for itself is its own business
  const culprit_names_module *module = found->module->described;
  const culprit_names_variable *described =
      module == nullptr || symbol.is_function ? nullptr : described_global(*module, symbol.address);
  if (described != nullptr && described->size > symbol.size)
    described = nullptr; // they speak of different things
  Variable *variable =
      new_variable({.address = address,
                    .size = symbol.is_function ? sizeof(Addr) : symbol.size,
                    .symbol = VG_(strdup)("culprit.symbol", symbol.name),
                    .name = 0,
                    .internal = symbol.internal,
                    .kind = symbol.is_function ? VariableKind::return_slot : VariableKind::global,
                    .described = described,
                    .layout = described == nullptr ? nullptr : described_layout(*described),
                    .members = nullptr,
                    .saved = 0});
  if (!symbol.is_function)
    found->variables.add(variable);
  else if (Variable *&known = g_returns[address];
           known == nullptr || VG_(strcmp)(variable->symbol, known->symbol) < 0)
    known = variable; // of several symbols for one place the first by name
}

// Of several symbols for one place the first by name counts, of symbols inside others the outer
// one.
Int by_place(const void *a, const void *b) {
  const auto *one = *static_cast<const Variable *const *>(a);
  const auto *other = *static_cast<const Variable *const *>(b);
  if (one->address != other->address)
    return one->address < other->address ? -1 : 1;
  if (one->size != other->size)
    return one->size > other->size ? -1 : 1;
  return VG_(strcmp)(one->symbol, other->symbol);
}

void merge(Array<Variable *> &found) {
  VG_(ssort)(found.items, found.size, sizeof(Variable *), by_place);
  Array<Variable *> all;
  Addr end = 0;
  UInt at = 0;
  for (UInt i = 0; i < found.size; ++i) {
    Variable *variable = found[i];
    if (variable->address < end)
      continue;
    while (at < g_variables.size && g_variables[at]->address < variable->address)
      all.add(g_variables[at++]);
    end = variable->address + variable->size;
    number_names(*variable);
    all.add(variable);
    put_names(*variable, g_words, variable->address);
  }
  while (at < g_variables.size)
    all.add(g_variables[at++]);
  if (g_variables.items != nullptr)
    VG_(free)(g_variables.items);
  if (found.items != nullptr)
    VG_(free)(found.items);
  g_variables = all;
}

void add_module(const HChar *path, Addr base) {
  auto *module = static_cast<Module *>(VG_(malloc)("culprit.module", sizeof(Module)));
  *module = {.low = 0,
             .high = 0,
             .base = base,
             .path = VG_(strdup)("culprit.path", path),
             .system = is_system_library(path),
             .c_library = VG_(strncmp)(file_name(path), "libc", 4) == 0,
             .gone = false,
             .described = described_module(path)};
  Found found{module, {}};
  ElfFacts facts{};
  if (!read_elf_file(path, facts, add_variable, &found)) {
    VG_(free)(module->path);
    VG_(free)(module);
    return;
  }
  module->low = base + facts.low;
  module->high = base + facts.high;
  g_modules.add(module);
  merge(found.variables);
  culprit_record_module told = {};
  told.base = base;
  told.low = module->low;
  told.high = module->high;
  told.path_length = static_cast<UInt>(VG_(strlen)(path));
  write_record(CULPRIT_RECORD_module, {&told, sizeof told}, {path, told.path_length});
}

} // namespace

void look_at_modules() {
  for (const DebugInfo *info = VG_(next_DebugInfo)(nullptr); info != nullptr;
       info = VG_(next_DebugInfo)(info)) {
    const HChar *path = VG_(DebugInfo_get_filename)(info);
    const Addr text = VG_(DebugInfo_get_text_avma)(info);
    const auto ours = reinterpret_cast<Addr>(&look_at_modules);
    if (path != nullptr && text != 0 && module_at(text) == nullptr &&
        (ours < text || ours >= text + VG_(DebugInfo_get_text_size)(info)))
      add_module(path, static_cast<Addr>(VG_(DebugInfo_get_text_bias)(info)));
  }
}

bool forget_modules(Addr start, SizeT length) {
  bool any = false;
  for (UInt i = 0; i < g_modules.size; ++i) {
    Module &module = *g_modules[i];
    // The first part to go takes the rest with it: nobody unloads half a library.
    if (module.gone || start >= module.high || start + length <= module.low)
      continue;
    module.gone = any = true;
    UInt kept = 0;
    for (UInt at = 0; at < g_variables.size; ++at) {
      Variable *variable = g_variables[at];
      if (variable->address < module.low || variable->address >= module.high)
        g_variables[kept++] = variable;
    }
    g_variables.size = kept;
    for (ULong at = 0; at < g_returns.room; ++at)
      if (Variable *&function = g_returns.entries[at].value;
          function != nullptr && function->address >= module.low && function->address < module.high)
        function = nullptr;
    for (Addr at = module.low; at < module.high && at < limit(); at += kGranule)
      word_at(at) = 0;
  }
  return any;
}

const Module *module_at(Addr address) {
  if (g_last < g_modules.size && address >= g_modules[g_last]->low &&
      address < g_modules[g_last]->high && !g_modules[g_last]->gone)
    return g_modules[g_last];
  for (UInt i = 0; i < g_modules.size; ++i) {
    const Module &module = *g_modules[i];
    if (!module.gone && address >= module.low && address < module.high) {
      g_last = i;
      return &module;
    }
  }
  return nullptr;
}

bool is_system_code(Addr address) {
  const Module *module = module_at(address);
  return module != nullptr && module->system;
}

Variable *return_slot(Addr entry) {
  Variable *const *function = g_returns.find_known(entry);
  return function == nullptr ? nullptr : *function;
}

UInt return_name(Addr entry) {
  Variable *function = return_slot(entry);
  if (function == nullptr)
    return 0;
  number_names(*function);
  return function->name;
}

UInt name_before(const Variable &variable) {
  const UInt at = lower_bound(variable.address);
  if (at == 0)
    return 0;
  const Variable &front = *g_variables[at - 1];
  // Large arrays are aligned to 32 bytes.
  return variable.address - (front.address + front.size) < 32
             ? stretch_of(front, front.size - 1).name
             : 0;
}

} // namespace culprit::deep
