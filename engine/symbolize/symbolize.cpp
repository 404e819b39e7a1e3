// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/symbolize/symbolize.h"

#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ObjectFile.h"
#include <cstdlib>
#include <fmt/format.h>

namespace culprit::symbolize {

struct Symbolizer::Library {
  llvm::symbolize::LLVMSymbolizer symbolizer;

  static llvm::symbolize::LLVMSymbolizer::Options options() {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.PrintFunctions = llvm::DILineInfoSpecifier::FunctionNameKind::LinkageName;
    options.Demangle = false; // by us: readable_name
    options.UseSymbolTable = true;
    return options;
  }
  Library() : symbolizer(options()) {}

  // The debug information itself, of what the symbolizer does not tell.
  struct Debug {
    llvm::object::OwningBinary<llvm::object::ObjectFile> file;
    std::unique_ptr<llvm::DWARFContext> context; // null: there is none
  };
  std::map<std::string, Debug> debug;

  llvm::DWARFContext *debug_of(const std::string &path) {
    auto [entry, is_new] = debug.try_emplace(path);
    if (!is_new)
      return entry->second.context.get();
    auto file = llvm::object::ObjectFile::createObjectFile(path);
    if (!file) {
      llvm::consumeError(file.takeError());
      return nullptr;
    }
    entry->second.file = std::move(*file);
    entry->second.context = llvm::DWARFContext::create(*entry->second.file.getBinary());
    return entry->second.context.get();
  }
};

Symbolizer::Symbolizer(std::vector<Mapping> mappings)
    : mappings_(std::move(mappings)), library_(std::make_unique<Library>()) {}
Symbolizer::Symbolizer(Symbolizer &&) noexcept = default;
Symbolizer &Symbolizer::operator=(Symbolizer &&) noexcept = default;
Symbolizer::~Symbolizer() = default;

const std::vector<Place> &Symbolizer::return_address(uint64_t address) {
  auto [entry, is_new] = known_.try_emplace(address);
  if (is_new)
    entry->second = look_up(address);
  return entry->second;
}

const Mapping *Symbolizer::mapping_of(uint64_t address) const {
  const Mapping *mapping = nullptr;
  for (const Mapping &one : mappings_)
    if (address >= one.low && address < one.high)
      mapping = &one;
  return mapping;
}

bool Symbolizer::is_implicit(uint64_t address, size_t n) const {
  const Mapping *mapping = mapping_of(address);
  llvm::DWARFContext *debug =
      mapping != nullptr ? library_->debug_of(mapping->file.string()) : nullptr;
  if (debug == nullptr)
    return false;
  const uint64_t in_file = address - 1 - mapping->base;
  llvm::DWARFCompileUnit *unit = debug->getCompileUnitForCodeAddress(in_file);
  if (unit == nullptr)
    return false;
  llvm::SmallVector<llvm::DWARFDie, 4> chain;
  unit->getInlinedChainForAddress(in_file, chain);
  return n < chain.size() && chain[n].findRecursively(llvm::dwarf::DW_AT_artificial).has_value();
}

DataPlace Symbolizer::variable(uint64_t address) const {
  const Mapping *mapping = mapping_of(address);
  if (mapping == nullptr)
    return {};
  auto found = library_->symbolizer.symbolizeData(
      mapping->file.string(),
      {address - mapping->base, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  return {.file = found->DeclFile, .line = static_cast<unsigned>(found->DeclLine)};
}

std::vector<Place> Symbolizer::look_up(uint64_t address) const {
  const Mapping *mapping = mapping_of(address);
  if (mapping == nullptr)
    return {{.function = fmt::format("{:#x}", address)}};

  std::vector<Place> places;
  // One byte back: a return address may already belong to the next line, or to the next function.
  const uint64_t in_file = address - 1 - mapping->base;
  auto found = library_->symbolizer.symbolizeInlinedCode(
      mapping->file.string(), {in_file, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
  } else {
    for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
      const llvm::DILineInfo &frame = found->getFrame(i);
      if (frame.FunctionName == llvm::DILineInfo::BadString)
        continue;
      Place place{.function = readable_name(frame.FunctionName)};
      if (frame.FileName != llvm::DILineInfo::BadString && frame.Line != 0) {
        place.file = frame.FileName;
        place.line = frame.Line;
        place.column = frame.Column;
      }
      places.push_back(std::move(place));
    }
  }
  if (places.empty())
    places.push_back(
        {.function = fmt::format("{}+{:#x}", mapping->file.filename().string(), in_file + 1)});
  return places;
}

namespace {

// Empty: it is no function's, or not to be read.
std::string function_name(const std::string &linkage_name) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(linkage_name.c_str()) || !demangler.isFunction())
    return {};
  size_t size = 0;
  char *text = demangler.getFunctionName(nullptr, &size);
  if (text == nullptr)
    return {};
  std::string readable = text;
  std::free(text); // NOLINT(cppcoreguidelines-no-malloc): the demangler allocates so
  return readable;
}

} // namespace

std::string readable_name(std::string_view linkage_name) {
  std::string name(linkage_name);
  if (std::string readable = function_name(name); !readable.empty())
    return readable;
  if (!name.starts_with("_Z"))
    return name;
  // gcc writes some expressions in types (enable_if of std::swap) in a way that LLVM cannot read.
  // The name itself comes first and ends with its template arguments: the rest, which is not shown,
  // is replaced by a type that can be read.
  for (size_t end = name.find('E'); end != std::string::npos; end = name.find('E', end + 1))
    if (std::string readable = function_name(name.substr(0, end + 1) + "vv"); !readable.empty())
      return readable;
  return name;
}

} // namespace culprit::symbolize
