// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit doctor`: what this machine lacks for which job, and the command that mends it.
#include "cli/command.h"
#include "cli/output.h"
#include "engine/build/toolchain.h"
#include "engine/launch/spawn.h"
#include "engine/monitor/deep.h"
#include "report/document.h"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace culprit::cli {

namespace {

struct Need {
  std::string what;    // a file or a program
  std::string purpose; // which job needs it
  std::string package; // Debian's; empty: part of culprit itself
  bool there = false;
};

std::vector<Need> needs() {
  const build::Toolchain tools = build::find_toolchain();
  auto file = [](const std::filesystem::path &path, std::string purpose, std::string package) {
    return Need{path.string(), std::move(purpose), std::move(package),
                access(path.c_str(), R_OK) == 0};
  };
  auto program = [](const std::string &name, std::string purpose, std::string package) {
    return Need{name, std::move(purpose), std::move(package),
                launch::find_program(name).has_value()};
  };
  return {
      file(tools.clang, "cc, c++: compiling", "clang-19"),
      file("/usr/lib/llvm-19/lib/clang/19/include/stddef.h", "cc, c++: compiling",
           "libclang-common-19-dev"),
      program("ld", "cc, c++: linking", "binutils"),
      file("/usr/include/stdio.h", "cc: C headers and start files", "libc6-dev"),
      file("/usr/include/c++/12/vector", "c++: the C++ library", "libstdc++-12-dev"),
      file(tools.lld, "flavours: whole-program linking", "lld-19"),
      file(tools.ar, "culprit-ar, culprit-ranlib", "llvm-19"),
      file(tools.plugin, "cc, c++: capturing bitcode", ""),
      file(tools.linker, "cc, c++: recording the link", ""),
      file(tools.runtime, "flavours: the runtime", ""),
      file(tools.threads, "locate: programs with threads", ""),
      file(tools.unmodified, "train, check: programs that carry no bitcode", ""),
      // Made only where Valgrind's package was there.
      file(tools.deep, "train, check --deep: stores of libraries without bitcode",
           std::string(monitor::kDeepPackage)),
      file(monitor::deep_core(), "train, check --deep: Valgrind's own part",
           std::string(monitor::kDeepPackage)),
  };
}

void print_text(const std::vector<Need> &all, const std::string &packages, bool own_part_missing) {
  for (const Need &need : all)
    fmt::print("{:<8} {:<52} {}\n", need.there ? "ok" : "missing", need.what, need.purpose);
  if (!packages.empty())
    fmt::print("next: sudo apt-get install -y{}\n", packages);
  if (own_part_missing)
    fmt::print("next: install culprit again; a part of it is missing beside its executable\n");
  if (packages.empty() && !own_part_missing)
    fmt::print("all there\n");
}

nlohmann::ordered_json document_of(const std::vector<Need> &all) {
  nlohmann::ordered_json document = report::document_head("doctor", "");
  document["needs"] = nlohmann::ordered_json::array();
  for (const Need &need : all)
    document["needs"].push_back({{"what", need.what},
                                 {"purpose", need.purpose},
                                 {"package", need.package},
                                 {"there", need.there}});
  return document;
}

int execute(const std::string &json) {
  const std::vector<Need> all = needs();
  std::string packages;
  bool own_part_missing = false;
  for (const Need &need : all) {
    if (need.there)
      continue;
    if (need.package.empty())
      own_part_missing = true;
    else if ((packages + " ").find(" " + need.package + " ") == std::string::npos)
      packages += " " + need.package;
  }
  if (!json.empty())
    if (auto written = write_document(json, report::to_text(document_of(all))); !written)
      return report_error(written.error());
  if (json != "-")
    print_text(all, packages, own_part_missing);
  return packages.empty() && !own_part_missing ? kDone : kFindings;
}

} // namespace

Action declare_doctor(CLI::App &app) {
  auto json = std::make_shared<std::string>();
  app.add_option("--json", *json, "write the same as JSON to FILE (`-`: standard output)")
      ->type_name("FILE");
  return [json] { return execute(*json); };
}

} // namespace culprit::cli
