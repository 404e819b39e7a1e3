// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit info PROG`: what PROG carries, what it does not, and which of its flavours are cached.
#include "cli/command.h"
#include "cli/info_run_file.h"
#include "cli/output.h"
#include "engine/build/cache.h"
#include "engine/build/carried.h"
#include "engine/build/needed.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace culprit::cli {

namespace {

struct Options {
  std::string program;
  std::string json;
};

struct Companion { // a shared object the program needs
  std::filesystem::path path;
  size_t modules = 0;
};

struct Info {
  build::Carried carried;
  std::vector<Companion> shared_objects;
  std::vector<build::CacheEntry> flavours;
};

const char *name_of(build::FileType type) {
  switch (type) {
  case build::FileType::executable:
    return "executable";
  case build::FileType::shared_object:
    return "shared object";
  case build::FileType::object:
    return "object";
  }
  return "";
}

Result<Info> collect(const std::string &program) {
  auto carried = build::read_carried(program);
  if (!carried)
    return std::unexpected(carried.error());
  Info info{std::move(*carried), {}, {}};
  if (info.carried.type != build::FileType::object) {
    auto objects = build::needed_objects(program, info.carried.type == build::FileType::executable
                                                      ? build::Missing::is_an_error
                                                      : build::Missing::is_left_out);
    if (!objects)
      return std::unexpected(objects.error());
    for (const auto &path : *objects) {
      auto other = build::read_carried(path);
      if (!other)
        return std::unexpected(other.error());
      info.shared_objects.push_back({path, other->modules().size()});
    }
  }
  const build::Toolchain toolchain = build::find_toolchain();
  if (auto cache = build::Cache::open(); cache && !info.carried.units.empty())
    for (const build::FlavourKind &kind : build::flavour_kinds())
      if (auto entry = cache->lookup(toolchain, info.carried, kind); entry && *entry)
        info.flavours.push_back(**entry);
  return info;
}

// The options that matter to a reader: the optimisation level, as clang decided it.
std::string level_of(const build::Module &module) {
  std::string level = "-O0";
  for (const std::string &argument : module.arguments)
    if (argument.starts_with("-O"))
      level = argument;
  return level;
}

std::string to_json(const Info &info, const std::string &program) {
  nlohmann::ordered_json document = document_head("info", program);
  document["type"] = name_of(info.carried.type);
  document["link_record"] = info.carried.link.has_value();
  document["modules"] = nlohmann::ordered_json::array();
  for (const build::Module *module : info.carried.modules())
    document["modules"].push_back({{"source", module->source},
                                   {"directory", module->directory},
                                   {"arguments", module->arguments},
                                   {"bitcode_size", module->bitcode.size()}});
  document["native_objects"] = nlohmann::ordered_json::array();
  for (const build::NativeObject *native : info.carried.natives())
    document["native_objects"].push_back({{"name", native->name}, {"size", native->bytes.size()}});
  document["shared_objects"] = nlohmann::ordered_json::array();
  for (const Companion &object : info.shared_objects)
    document["shared_objects"].push_back(
        {{"path", object.path.string()}, {"modules", object.modules}});
  document["flavours"] = nlohmann::ordered_json::array();
  for (const build::CacheEntry &entry : info.flavours)
    document["flavours"].push_back(
        {{"name", entry.flavour}, {"path", entry.file.string()}, {"size", entry.size}});
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const Info &info, const std::string &program) {
  const auto modules = info.carried.modules();
  const auto natives = info.carried.natives();
  if (modules.empty() && natives.empty())
    return fmt::format("{}: {} that carries no bitcode\n"
                       "next: build it with `culprit cc` (CC=culprit-cc CXX=culprit-c++)\n",
                       program, name_of(info.carried.type));
  size_t bitcode = 0;
  for (const build::Module *module : modules)
    bitcode += module->bitcode.size();
  std::string text =
      fmt::format("{}: {}, carries {} module{} ({} of bitcode), {} native object{}, {}\n", program,
                  name_of(info.carried.type), modules.size(), modules.size() == 1 ? "" : "s",
                  human_size(bitcode), natives.size(), natives.size() == 1 ? "" : "s",
                  info.carried.link ? "a link record" : "no link record");
  text += "  modules\n";
  for (const build::Module *module : modules)
    text += fmt::format("    {:<40} {}\n", module->source, level_of(*module));
  if (!natives.empty()) {
    text += "  without bitcode: carried as they are, not analysed\n";
    for (const build::NativeObject *native : natives)
      text += fmt::format("    {}\n", native->name);
  }
  if (!info.shared_objects.empty()) {
    text += "  shared objects\n";
    for (const Companion &object : info.shared_objects)
      text += fmt::format("    {:<40} {}\n", object.path.string(),
                          object.modules == 0 ? std::string("no bitcode")
                                              : fmt::format("{} module{}", object.modules,
                                                            object.modules == 1 ? "" : "s"));
  }
  text += "  cached flavours\n";
  for (const build::CacheEntry &entry : info.flavours)
    text += fmt::format("    {:<40} {}\n", entry.flavour, human_size(entry.size));
  if (info.flavours.empty())
    text += "    none yet\n";
  return text;
}

} // namespace

Action declare_info(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("PROG", options->program, "executable, shared object, object or run file")
      ->required();
  app.add_option("--json", options->json, "write the same as JSON to FILE (`-`: standard output)")
      ->type_name("FILE");
  return [options] {
    if (is_run_file(options->program))
      return info_run_file(options->program, options->json);
    auto info = collect(options->program);
    if (!info)
      return report_error(info.error());
    if (!options->json.empty()) {
      if (auto written = write_document(options->json, to_json(*info, options->program)); !written)
        return report_error(written.error());
    }
    if (options->json != "-")
      if (auto written = write_document("-", to_text(*info, options->program)); !written)
        return report_error(written.error());
    return kDone;
  };
}

} // namespace culprit::cli
