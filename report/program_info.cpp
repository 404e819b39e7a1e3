// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/program_info.h"

#include "report/document.h"
#include "report/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

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

// The options that matter to a reader: the optimisation level, as clang decided it.
std::string level_of(const build::Module &module) {
  std::string level = "-O0";
  for (const std::string &argument : module.arguments)
    if (argument.starts_with("-O"))
      level = argument;
  return level;
}

} // namespace

std::string to_json(const ProgramInfo &info) {
  nlohmann::ordered_json document = document_head("info", info.program);
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
  for (const ProgramInfo::SharedObject &object : info.shared_objects)
    document["shared_objects"].push_back(
        {{"path", object.path.string()}, {"modules", object.modules}});
  document["flavours"] = nlohmann::ordered_json::array();
  for (const build::CacheEntry &entry : info.flavours)
    document["flavours"].push_back(
        {{"name", entry.flavour}, {"path", entry.file.string()}, {"size", entry.size}});
  return to_text(document);
}

std::string to_text(const ProgramInfo &info) {
  const auto modules = info.carried.modules();
  const auto natives = info.carried.natives();
  if (modules.empty() && natives.empty())
    return fmt::format("{}: {} that carries no bitcode\n"
                       "next: build it with `culprit cc` (CC=culprit-cc CXX=culprit-c++)\n",
                       printable(info.program), name_of(info.carried.type));
  size_t bitcode = 0;
  for (const build::Module *module : modules)
    bitcode += module->bitcode.size();
  std::string text =
      fmt::format("{}: {}, carries {} ({} of bitcode), {}, {}\n", printable(info.program),
                  name_of(info.carried.type), counted(modules.size(), "module"),
                  human_size(bitcode), counted(natives.size(), "native object"),
                  info.carried.link ? "a link record" : "no link record");
  text += "  modules\n";
  for (const build::Module *module : modules)
    text += fmt::format("    {:<40} {}\n", printable(module->source), level_of(*module));
  if (!natives.empty()) {
    text += "  without bitcode: carried as they are, not analysed\n";
    for (const build::NativeObject *native : natives)
      text += fmt::format("    {}\n", printable(native->name));
  }
  if (!info.shared_objects.empty()) {
    text += "  shared objects\n";
    for (const ProgramInfo::SharedObject &object : info.shared_objects)
      text += fmt::format("    {:<40} {}\n", printable(object.path.string()),
                          object.modules == 0 ? std::string("no bitcode")
                                              : counted(object.modules, "module"));
  }
  text += "  cached flavours\n";
  for (const build::CacheEntry &entry : info.flavours)
    text += fmt::format("    {:<40} {}\n", entry.flavour, human_size(entry.size));
  if (info.flavours.empty())
    text += "    none yet\n";
  return text;
}

} // namespace culprit::report
