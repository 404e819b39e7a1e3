// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/compile_line.h"

#include "abi/pass_options.h"

#include "clang/Driver/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::build {

namespace {

namespace options = clang::driver::options;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

InputArgList parse(const std::vector<std::string> &arguments) {
  llvm::SmallVector<const char *, 64> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  return clang::driver::getDriverOptTable().ParseArgs(pointers, missing_index, missing_count,
                                                      llvm::opt::Visibility(options::ClangOption));
}

bool has_inputs(const InputArgList &args) {
  return args.hasArg(options::OPT_INPUT) || args.hasArg(options::OPT_l);
}

// Modes that produce no object, or the user's own bitcode: plain clang does them.
bool makes_no_object(const InputArgList &args) {
  return args.hasArg(options::OPT_E, options::OPT_M, options::OPT_MM, options::OPT_fsyntax_only,
                     options::OPT__precompile, options::OPT_emit_llvm, options::OPT__analyze,
                     options::OPT_emit_ast, options::OPT_extract_api, options::OPT_rewrite_objc);
}

bool stops_before_link(const InputArgList &args) {
  return args.hasArg(options::OPT_c, options::OPT_S);
}

// The user's own debug information: the last of the -g family decides, as in clang. (-gz,
// -gsplit-dwarf and the like only shape it and are not in this group.)
bool asks_for_debug_information(const InputArgList &args) {
  const Arg *last = args.getLastArg(options::OPT_g_Group);
  return last != nullptr && !last->getOption().matches(options::OPT_g0) &&
         !last->getOption().matches(options::OPT_ggdb0);
}

std::string metadata(bool is_cxx, const std::vector<std::string> &arguments, bool stripped) {
  std::error_code ignored;
  auto text = [&](const std::vector<std::string> &recorded) {
    const nlohmann::json document = {
        {CULPRIT_META_DIRECTORY, std::filesystem::current_path(ignored).string()},
        {CULPRIT_META_ARGUMENTS, recorded},
        {CULPRIT_META_DEBUG_STRIPPED, stripped},
        {CULPRIT_META_LANGUAGE, is_cxx ? "c++" : "c"},
    };
    return document.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
  };
  // Linux takes at most 128 KiB in one argument. A line that long comes out of a response file and
  // is mostly include folders and macros, which no flavour needs.
  constexpr size_t kSafeLength = 100'000;
  std::string whole = text(arguments);
  return whole.size() <= kSafeLength ? whole : text(code_generation_options(arguments));
}

// For cc1 alone: -mllvm at driver level would also reach the integrated assembler of .s files,
// which does not load plugins and would not know our options.
void add_for_cc1(std::vector<std::string> &argv, const std::string &argument) {
  argv.emplace_back("-Xclang");
  argv.push_back(argument);
}

bool decides_about_code(const Arg &arg) {
  const auto &option = arg.getOption();
  for (const auto group :
       {options::OPT_I_Group, options::OPT_Preprocessor_Group, options::OPT_clang_i_Group,
        options::OPT_W_Group, options::OPT_Action_Group, options::OPT_M_Group, options::OPT_T_Group,
        options::OPT_d_Group, options::OPT_pedantic_Group, options::OPT_W_value_Group,
        options::OPT_R_Group})
    if (option.matches(group))
      return false;
  // Not the whole Link_Group: --coverage is in it and shapes the code.
  for (const auto id : {options::OPT_INPUT,
                        options::OPT_o,
                        options::OPT_c,
                        options::OPT_S,
                        options::OPT_x,
                        options::OPT_l,
                        options::OPT_L,
                        options::OPT_Wl_COMMA,
                        options::OPT_Xlinker,
                        options::OPT_Wp_COMMA,
                        options::OPT_Xpreprocessor,
                        options::OPT_Wa_COMMA,
                        options::OPT_w,
                        options::OPT_MD,
                        options::OPT_MMD,
                        options::OPT_MF,
                        options::OPT_MT,
                        options::OPT_MQ,
                        options::OPT_MP,
                        options::OPT_MG,
                        options::OPT_MJ,
                        options::OPT_fuse_ld_EQ,
                        options::OPT_ld_path_EQ,
                        options::OPT_shared,
                        options::OPT_static,
                        options::OPT_static_pie,
                        options::OPT_rdynamic,
                        options::OPT_s,
                        options::OPT_pie,
                        options::OPT_nopie,
                        options::OPT_v,
                        options::OPT__HASH_HASH_HASH,
                        options::OPT_pipe,
                        options::OPT_save_temps,
                        options::OPT_save_temps_EQ,
                        options::OPT_time,
                        options::OPT_ftime_trace,
                        options::OPT_ftime_trace_EQ,
                        options::OPT_e,
                        options::OPT_u,
                        options::OPT_z,
                        options::OPT_T,
                        options::OPT_r,
                        options::OPT_nostdlib,
                        options::OPT_nostartfiles,
                        options::OPT_nodefaultlibs,
                        options::OPT_nostdinc,
                        options::OPT_nostdincxx,
                        options::OPT_nolibc,
                        options::OPT_stdlib_EQ,
                        options::OPT_rtlib_EQ,
                        options::OPT_unwindlib_EQ,
                        options::OPT_include,
                        options::OPT_include_pch,
                        options::OPT_imacros,
                        options::OPT_std_EQ,
                        options::OPT_ansi,
                        options::OPT_fdiagnostics_color_EQ,
                        options::OPT_fcolor_diagnostics,
                        options::OPT_fno_color_diagnostics,
                        options::OPT_Qunused_arguments})
    if (option.matches(id))
      return false;
  return true;
}

} // namespace

std::vector<std::string> expand_response_files(const std::vector<std::string> &arguments) {
  llvm::BumpPtrAllocator allocator;
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  llvm::SmallVector<const char *, 64> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  // A response file that cannot be read stays as it is; the tool that is run will say so in its own
  // words.
  if (llvm::Error error = context.expandResponseFiles(pointers))
    llvm::consumeError(std::move(error));
  return {pointers.begin(), pointers.end()};
}

DriverCommand driver_command(const Toolchain &toolchain, bool is_cxx,
                             const std::vector<std::string> &arguments) {
  const std::vector<std::string> expanded = expand_response_files(arguments);
  const InputArgList args = parse(expanded);

  DriverCommand command;
  command.argv.push_back((is_cxx ? toolchain.clangxx : toolchain.clang).string());
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  if (!has_inputs(args))
    return command;
  // <culprit/watch.h>, behind every folder of the user's and the system's.
  command.argv.emplace_back("--start-no-unused-arguments");
  command.argv.push_back("-idirafter" + toolchain.include.string());
  command.argv.emplace_back("--end-no-unused-arguments");
  if (makes_no_object(args))
    return command;

  // Inside this window clang does not complain about options that a given command does not use.
  command.argv.emplace_back("--start-no-unused-arguments");
  const bool strip = !asks_for_debug_information(args);
  command.argv.push_back("-fpass-plugin=" + toolchain.plugin.string());
  add_for_cc1(command.argv, "-load"); // so that -mllvm knows the plugin's options
  add_for_cc1(command.argv, toolchain.plugin.string());
  add_for_cc1(command.argv, "-mllvm");
  add_for_cc1(command.argv, "-" CULPRIT_PASS_CAPTURE "=" + metadata(is_cxx, expanded, strip));
  if (strip) {
    add_for_cc1(command.argv, "-mllvm");
    add_for_cc1(command.argv, "-" CULPRIT_PASS_STRIP_DEBUG);
    for (const char *option :
         {"-debug-info-kind=constructor", "-dwarf-version=5", "-debugger-tuning=gdb",
          "-fexperimental-assignment-tracking=disabled"})
      add_for_cc1(command.argv, option);
  }
  if (!stops_before_link(args)) {
    std::string linker;
    if (const Arg *path = args.getLastArg(options::OPT_ld_path_EQ))
      linker = path->getValue();
    else
      linker = find_linker(toolchain, args.getLastArgValue(options::OPT_fuse_ld_EQ).str()).string();
    command.linker = linker;
    command.argv.push_back("--ld-path=" + toolchain.linker.string());
  }
  command.argv.emplace_back("--end-no-unused-arguments");
  return command;
}

std::vector<std::string> code_generation_options(const std::vector<std::string> &arguments) {
  const InputArgList args = parse(arguments);
  std::vector<std::string> kept;
  for (const Arg *arg : args) {
    if (!decides_about_code(*arg))
      continue;
    llvm::opt::ArgStringList rendered;
    arg->render(args, rendered);
    kept.insert(kept.end(), rendered.begin(), rendered.end());
  }
  return kept;
}

} // namespace culprit::build
