// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/unmodified.h"

#include "abi/run_file.h"
#include "engine/build/carried.h"
#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"
#include "engine/build/toolchain.h"
#include "engine/launch/spawn.h"
#include "engine/monitor/other_rights.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <system_error>

namespace culprit::monitor {

namespace fs = std::filesystem;

namespace {

std::string_view section(const build::ElfView &elf, std::string_view name) {
  for (const build::ElfSection &each : elf.sections)
    if (each.name == name)
      return each.contents;
  return {};
}

bool is_script(const build::FileBytes &bytes) { return bytes.view().starts_with("#!"); }

// Is a function of this name the program's own? It would be called instead of ours.
bool defines(const build::ElfView &elf, std::string_view name) {
  const std::string_view symbols = section(elf, ".dynsym");
  const std::string_view names = section(elf, ".dynstr");
  using Symbol = llvm::ELF::Elf64_Sym;
  for (size_t at = 0; at + sizeof(Symbol) <= symbols.size(); at += sizeof(Symbol)) {
    Symbol symbol{};
    std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
    if (symbol.st_shndx != llvm::ELF::SHN_UNDEF && symbol.st_name < names.size() &&
        std::string_view(names.data() + symbol.st_name,
                         names.substr(symbol.st_name).find_first_of('\0')) == name)
      return true;
  }
  return false;
}

} // namespace

bool carries_bitcode(const std::string &typed) {
  const auto found = launch::find_program(typed);
  if (!found)
    return true;
  if (const auto carried = build::read_carried(*found))
    return !carried->units.empty();
  const auto bytes = build::FileBytes::map(*found);
  return !bytes || !is_script(*bytes);
}

Result<Executable> open_executable(const std::string &typed) {
  const auto found = launch::find_program(typed);
  if (!found)
    return fail(fmt::format("{}: no such program", typed));
  auto bytes = build::FileBytes::map(*found);
  if (!bytes)
    return std::unexpected(bytes.error());
  if (is_script(*bytes))
    return fail(fmt::format("{}: a script", typed),
                "name its interpreter: culprit … -- INTERPRETER SCRIPT ARGS");
  auto elf = build::read_elf(bytes->view());
  if (!elf)
    return fail(fmt::format("{}: {}", typed, elf.error().what));
  if (!elf->has_segment(llvm::ELF::PT_INTERP))
    return fail(
        fmt::format("{}: linked statically, or no executable: nothing can be loaded into it",
                    typed),
        "build it with `culprit cc`, or link it dynamically");
  return Executable{.path = fs::absolute(*found),
                    .hash = llvm::xxh3_64bits(llvm::StringRef(bytes->view())),
                    .own_malloc = defines(*elf, "malloc")};
}

Result<Unmodified> open_unmodified(const std::string &typed) {
  auto file = open_executable(typed);
  if (!file)
    return std::unexpected(file.error());
  if (file->own_malloc)
    return fail(fmt::format("{}: brings its own malloc, whose blocks cannot be seen", typed),
                "build it with `culprit cc`, or without its own malloc");
  if (other_rights(file->path).has_gain)
    return fail(fmt::format("{}: runs with another user's or group's rights (setuid, setgid) or "
                            "with capabilities: the system loads nothing of ours into it",
                            typed),
                "run a copy without them, as the user it changes to");
  const fs::path part = build::find_toolchain().unmodified;
  std::error_code missing;
  const fs::path preload = fs::canonical(part, missing); // as run files name it
  if (missing)
    return fail(fmt::format("{}: {}", part.string(), missing.message()),
                "culprit is not installed whole");
  return Unmodified{.program = {.original = file->path, .name = typed},
                    .build_id = fmt::format("{}{:016x}", kUnmodifiedBuild, file->hash),
                    .preload = preload};
}

std::string written_pages_text(unsigned point_flags) {
  const bool all = (point_flags & CULPRIT_POINT_READ_ALL) != 0;
  if ((point_flags & CULPRIT_POINT_SCANNED) != 0)
    return all ? "written pages are known from PAGEMAP_SCAN, at some metric points every block was "
                 "read"
               : "written pages are known from PAGEMAP_SCAN";
  if ((point_flags & CULPRIT_POINT_SOFT_DIRTY) != 0)
    return all ? "written pages are known from soft-dirty bits, at some metric points every block "
                 "was read"
               : "written pages are known from soft-dirty bits";
  return all ? "written pages are not known here: every block is read at every metric point" : "";
}

std::string preloading(const fs::path &library) {
  const char *already = std::getenv("LD_PRELOAD");
  return already == nullptr || *already == '\0' ? library.string()
                                                : fmt::format("{}:{}", library.string(), already);
}

} // namespace culprit::monitor
