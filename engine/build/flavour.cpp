// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/flavour.h"

#include "abi/features.h"
#include "abi/pass_options.h"
#include "engine/build/compile_line.h"
#include "engine/build/link_line.h"
#include "engine/launch/isolated.h"
#include "engine/launch/spawn.h"
#include "engine/launch/temporary.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kDebug = "debug";
constexpr FlavourKind kPlainKinds[] = {
    {"identity", "nothing added, module by module: proves the round trip", false, false, false},
    {kDebug, "nothing added, not optimised, with debug information: for gdb", false, false, false},
    {"base", "whole program, with the runtime's allocator and run file", true, true, false},
};

constexpr auto kKinds = [] {
  std::array<FlavourKind, std::size(kPlainKinds) + std::size(flavour_features::kAll)> all{};
  auto *next = std::copy(std::begin(kPlainKinds), std::end(kPlainKinds), all.begin());
  for (const InstrumentedFlavour &each : flavour_features::kAll)
    *next++ = {each.name, each.purpose, true, true, true};
  return all;
}();

// Modules that must not go through link-time optimisation: file-scope assembler defines symbols the
// linker's symbol resolution does not see, and ifunc resolvers must not be moved between units.
Result<bool> must_stay_alone(const Module &module) {
  auto answer = launch::isolated([&]() -> Result<std::string> {
    llvm::LLVMContext context;
    auto parsed = llvm::getLazyBitcodeModule(
        {llvm::StringRef(module.bitcode.data(), module.bitcode.size()), module.source}, context);
    if (!parsed)
      return fail(llvm::toString(parsed.takeError()));
    const bool alone = !(*parsed)->getModuleInlineAsm().empty() || !(*parsed)->ifunc_empty();
    return alone ? "alone" : "";
  });
  if (!answer)
    return fail(
        fmt::format("{}: carried bitcode is not readable: {}", module.source, answer.error().what),
        "build the program again with `culprit cc`");
  return !answer->empty();
}

bool names_lto(std::string_view option) {
  return option.starts_with("-flto") || option == "-fno-lto" || option.starts_with("-ffat-lto") ||
         option.starts_with("-fwhole-program-vtables") || option.starts_with("-fsplit-lto-unit");
}

// The locate and explain flavours are instrumented before anything is optimised, so their modules
// go to the linker as the front end made them.
bool is_merged_unoptimised(const FlavourKind &kind) {
  return (features_of(kind.name) &
          (CULPRIT_FEATURE_LOCATE | CULPRIT_FEATURE_EXPLAIN | CULPRIT_FEATURE_INDEX)) != 0;
}

// Two stores at the ends of a branch are not to become one through a pointer that depends on it: it
// would be one access site of both objects, at one of the two lines.
constexpr const char *kKeepApart = "-sink-common-insts=false";

bool schedules_threads(const FlavourKind &kind) {
  return (features_of(kind.name) & CULPRIT_FEATURE_LOCATE) != 0;
}

void forbid_optimisation(std::vector<std::string> &options) {
  std::erase_if(options, [](const std::string &option) { return option.starts_with("-O"); });
  options.emplace_back("-O0");
}

// At -O0 locals stay in memory and nothing is simplified; whole-program work starts from -O1.
void raise_optimisation_level(std::vector<std::string> &options) {
  std::string *level = nullptr;
  for (std::string &option : options)
    if (option.starts_with("-O"))
      level = &option;
  if (level == nullptr)
    options.emplace_back("-O1");
  else if (*level == "-O0")
    *level = "-O1";
}

class FlavourMaker {
public:
  FlavourMaker(const Toolchain &toolchain, const Carried &carried, const FlavourKind &kind,
               fs::path scratch, fs::path output, unsigned jobs)
      : toolchain_(toolchain), carried_(carried), kind_(kind), scratch_(std::move(scratch)),
        output_(std::move(output)), jobs_(jobs) {}

  Result<void> make() {
    if (auto done = write_units(); !done)
      return done;
    if (auto done = compile(); !done)
      return done;
    return link();
  }

private:
  Result<void> write_units() {
    for (size_t i = 0; i < carried_.units.size(); ++i) {
      const fs::path object = scratch_ / fmt::format("{}.o", i);
      objects_.push_back(object.string());
      if (const auto *native = std::get_if<NativeObject>(&carried_.units[i])) {
        if (auto written = launch::write_atomically(object, native->bytes); !written)
          return written;
        continue;
      }
      const auto &module = std::get<Module>(carried_.units[i]);
      const fs::path folder = scratch_ / fmt::format("{}", i);
      const fs::path bitcode = stand_in(module);
      std::error_code error;
      fs::create_directories((folder / bitcode).parent_path(), error);
      if (auto written = launch::write_atomically(folder / bitcode, module.bitcode); !written)
        return written;
      auto command = compile_command(module, bitcode, object);
      if (!command)
        return std::unexpected(command.error());
      compiles_.push_back({.argv = std::move(*command), .directory = folder});
      compiled_.push_back(&module);
    }
    return {};
  }

  // The bitcode goes by its source's name: AddressSanitizer, for one, puts that name into the
  // program. A name that leads out of the folder (absolute, or through ..) is cut to its last part.
  static fs::path stand_in(const Module &module) {
    const fs::path source = fs::path(module.source).lexically_normal();
    const bool stays_inside = source.is_relative() && !source.empty() && *source.begin() != "..";
    const fs::path name = stays_inside ? source : source.filename();
    return name.has_filename() && name != "-" ? name : fs::path("module");
  }

  Result<std::vector<std::string>> compile_command(const Module &module, const fs::path &bitcode,
                                                   const fs::path &object) const {
    std::vector<std::string> options = code_generation_options(module.arguments);
    std::vector<std::string> plugin = {"-Xclang", "-load", "-Xclang", toolchain_.plugin.string(),
                                       "-fpass-plugin=" + toolchain_.plugin.string()};
    if (kind_.whole_program) {
      std::erase_if(options, names_lto);
      auto alone = must_stay_alone(module);
      if (!alone)
        return std::unexpected(alone.error());
      if (is_merged_unoptimised(kind_) && !*alone)
        forbid_optimisation(options);
      else
        raise_optimisation_level(options);
      if (!*alone)
        options.emplace_back("-flto=full");
      else if (kind_.instrumented)
        plugin.insert(plugin.end(), {"-Xclang", "-mllvm", "-Xclang", "-" CULPRIT_PASS_ALONE});
      if (kind_.instrumented && !is_merged_unoptimised(kind_))
        plugin.insert(plugin.end(), {"-Xclang", "-mllvm", "-Xclang", kKeepApart});
      if (!*alone && carried_.type == FileType::executable)
        plugin.insert(plugin.end(), {"-Xclang", "-mllvm", "-Xclang", "-" CULPRIT_PASS_MAIN});
      plugin.insert(plugin.end(), {"-Xclang", "-mllvm", "-Xclang",
                                   fmt::format("-" CULPRIT_PASS_FLAVOUR "={}", kind_.name)});
    } else if (kind_.name == kDebug) {
      plugin.clear();
      forbid_optimisation(options);
    } else if (module.debug_stripped) {
      plugin.insert(plugin.end(), {"-Xclang", "-mllvm", "-Xclang", "-" CULPRIT_PASS_STRIP_DEBUG});
    } else {
      plugin.clear(); // exactly the user's compilation
    }
    std::vector<std::string> argv = {
        (module.is_cxx ? toolchain_.clangxx : toolchain_.clang).string()};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), plugin.begin(), plugin.end());
    // The front end's warnings were the user's to see when the program was built.
    // If clang crashes on damaged bitcode, its reproducer files are of no use to anybody.
    argv.insert(argv.end(), {"-fno-crash-diagnostics", "-Qunused-arguments", "-w", "-x", "ir",
                             bitcode.string(), "-c", "-o", object.string()});
    return argv;
  }

  Result<void> compile() const {
    auto outcome = launch::run_tools(compiles_, jobs_);
    if (!outcome)
      return std::unexpected(outcome.error());
    if (outcome->stopped)
      return fail("interrupted while the flavour was being made");
    if (outcome->first_failed) {
      const size_t index = *outcome->first_failed;
      return fail(fmt::format("flavour {}: {} does not compile: {}", kind_.name,
                              compiled_[index]->source, first_line(outcome->outcomes[index]->err)));
    }
    return {};
  }

  static std::string first_line(const std::string &text) {
    // Prefer the line that says "error"; linkers and compilers put warnings before it.
    size_t start = text.find("error");
    start = start == std::string::npos ? 0 : text.rfind('\n', start) + 1;
    return text.substr(start, text.find('\n', start) - start);
  }

  // What the plain link line allows but a flavour cannot keep.
  bool dropped_from_flavour(const std::vector<LinkItem> &items, size_t i) const {
    if (!kind_.with_runtime || carried_.type != FileType::shared_object)
      return false;
    // A shared object's hooks are defined by the executable, so undefined symbols must be allowed.
    const std::string &text = items[i].text;
    if (text == "--no-undefined" || text == "-no-undefined")
      return true;
    const bool pair_begins = text == "-z" && i + 1 < items.size() && items[i + 1].text == "defs";
    const bool pair_ends = text == "defs" && i > 0 && items[i - 1].text == "-z";
    return pair_begins || pair_ends || text == "-zdefs";
  }

  Result<std::string> linker_input(const LinkItem &item) {
    const auto found = std::ranges::find(carried_.linker_inputs, item.number, &LinkerInput::number);
    if (found == carried_.linker_inputs.end())
      return fail(fmt::format("the linker's input {} is not carried", item.path));
    const fs::path folder = scratch_ / fmt::format("input{}", item.number);
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path file = folder / fs::path(item.path).filename();
    if (auto written = launch::write_atomically(file, found->bytes); !written)
      return std::unexpected(written.error());
    return file.string();
  }

  Result<void> add_library(const LinkItem &item) {
    std::error_code ignored;
    if (item.number == 0 || fs::exists(item.path, ignored)) {
      argv_.push_back(item.text);
      return {};
    }
    auto stub = linker_input(item); // the build tree is gone: link against the carried interface
    if (!stub)
      return std::unexpected(stub.error());
    argv_.push_back(*stub);
    return {};
  }

  bool is_static() const {
    return std::ranges::any_of(carried_.link->items, [](const LinkItem &item) {
      return item.kind == LinkItem::Kind::argument &&
             (item.text == "-static" || item.text == "-static-pie" || item.text == "--static");
    });
  }

  // The runtime refers to some functions weakly, so that it links without them. In a static link
  // that would leave them out of a program whose C++ or C library has them, so they are asked for
  // by name.
  void ask_for_weak_symbols() {
    if (std::ranges::find(carried_.link->items, "-lstdc++", &LinkItem::text) !=
        carried_.link->items.end())
      argv_.insert(argv_.end(), {"-u", "_ZSt17__throw_bad_allocv", "-u", "_ZSt15get_new_handlerv"});
    // Names stand as plain bytes in a module's string table and in a native object's.
    const bool calls_dlopen = std::ranges::any_of(carried_.units, [](const Unit &unit) {
      const auto *module = std::get_if<Module>(&unit);
      const std::string &bytes = module ? module->bitcode : std::get<NativeObject>(unit).bytes;
      return bytes.find("dlopen") != std::string::npos;
    });
    if (calls_dlopen)
      argv_.insert(argv_.end(), {"-u", "___dlopen"});
  }

  // The scheduler's functions are found before libc's by every shared object. A static executable
  // has libc's under libc's own names: what runtime/interface/threads/real.h refers to.
  void take_over_threads() {
    for (const char *names : {"pthread_*", "sem_*", "thrd_*", "mtx_*", "cnd_*", "call_once",
                              "syscall", "sched_yield", "nanosleep", "usleep", "sleep", "poll"})
      argv_.push_back(fmt::format("--export-dynamic-symbol={}", names));
    if (is_static())
      for (const char *name : {"__pthread_create_2_1", "__pthread_join", "__pthread_detach",
                               "__pthread_cancel", "__pthread_once"})
        argv_.insert(argv_.end(), {"-u", name});
  }

  void add_objects_once() {
    if (objects_added_)
      return;
    objects_added_ = true;
    argv_.insert(argv_.end(), objects_.begin(), objects_.end());
    if (!kind_.with_runtime || carried_.type != FileType::executable)
      return;
    if (is_static())
      ask_for_weak_symbols();
    argv_.insert(argv_.end(), {"--whole-archive", toolchain_.runtime.string()});
    if (schedules_threads(kind_))
      argv_.push_back(toolchain_.threads.string());
    argv_.insert(argv_.end(), {"--no-whole-archive", "--export-dynamic-symbol=__culprit_*"});
    if (schedules_threads(kind_))
      take_over_threads();
  }

  Result<void> add_item(size_t i) {
    const LinkItem &item = carried_.link->items[i];
    switch (item.kind) {
    case LinkItem::Kind::output:
      return {};
    case LinkItem::Kind::object:
    case LinkItem::Kind::archive:
      add_objects_once();
      return {};
    case LinkItem::Kind::file: {
      auto path = linker_input(item);
      if (!path)
        return std::unexpected(path.error());
      argv_.push_back(item.text + *path);
      return {};
    }
    case LinkItem::Kind::library:
    case LinkItem::Kind::shared:
      return add_library(item);
    case LinkItem::Kind::argument:
      if (!dropped_from_flavour(carried_.link->items, i))
        argv_.push_back(item.text);
      return {};
    }
    return {};
  }

  Result<void> link() {
    const LinkRecord &record = *carried_.link;
    argv_ = {kind_.whole_program ? toolchain_.lld.string() : record.linker};
    for (size_t i = 0; i < record.items.size(); ++i)
      if (auto added = add_item(i); !added)
        return added;
    add_objects_once();
    if (kind_.whole_program) {
      // Partitions would part variables that are neighbours in the plain program.
      const unsigned partitions = is_merged_unoptimised(kind_) ? 1 : jobs_;
      argv_.insert(argv_.end(), {"--lto-O2", fmt::format("--lto-partitions={}", partitions)});
      // The merged program is instrumented at the end of link-time optimisation, or before it.
      if (kind_.instrumented) {
        argv_.push_back("--load-pass-plugin=" + toolchain_.plugin.string());
        if (!is_merged_unoptimised(kind_))
          argv_.insert(argv_.end(), {"-mllvm", kKeepApart});
      }
      // A static C library defines parts of malloc's family too; ours come first.
      argv_.emplace_back("--allow-multiple-definition");
    }
    argv_.insert(argv_.end(), {"-o", output_.string()});
    std::error_code ignored;
    const bool directory_is_there = fs::is_directory(record.directory, ignored);
    auto outcome = launch::run_tool(
        {.argv = argv_, .directory = directory_is_there ? fs::path(record.directory) : scratch_});
    if (!outcome)
      return std::unexpected(outcome.error());
    if (outcome->status.ending == launch::Ending::cancelled)
      return fail("interrupted while the flavour was being made");
    if (!outcome->status.success())
      return fail(fmt::format("flavour {}: {} does not link: {}", kind_.name,
                              carried_.path.filename().string(), first_line(outcome->err)));
    return {};
  }

  const Toolchain &toolchain_;
  const Carried &carried_;
  const FlavourKind &kind_;
  fs::path scratch_;
  fs::path output_;
  unsigned jobs_;
  std::vector<std::string> objects_; // rebuilt units, in link order
  std::vector<launch::ToolRun> compiles_;
  std::vector<const Module *> compiled_; // beside compiles_
  std::vector<std::string> argv_;        // the linker's
  bool objects_added_ = false;
};

} // namespace

std::span<const FlavourKind> flavour_kinds() { return kKinds; }

Result<const FlavourKind *> find_flavour_kind(std::string_view name) {
  const auto *found = std::ranges::find(kKinds, name, &FlavourKind::name);
  if (found != kKinds.end())
    return found;
  std::string names;
  for (const FlavourKind &kind : kKinds)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  return fail(fmt::format("there is no flavour '{}'", name), fmt::format("flavours: {}", names));
}

Result<void> make_flavour(const Toolchain &toolchain, const Carried &carried,
                          const FlavourKind &kind, const fs::path &scratch, const fs::path &output,
                          unsigned jobs) {
  if (carried.units.empty())
    return fail(fmt::format("{}: carries no bitcode", carried.path.string()),
                "build it with `culprit cc` or `culprit c++`");
  if (!carried.link)
    return fail(fmt::format("{}: carries no link record", carried.path.string()),
                "link it with `culprit cc` or `culprit c++`, not with ld itself");
  return FlavourMaker(toolchain, carried, kind, scratch, output, jobs).make();
}

} // namespace culprit::build
