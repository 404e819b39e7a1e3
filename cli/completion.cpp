// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit completion SHELL`: a completion script made from the command table and each command's
// declared options, so it cannot fall behind them.
#include "cli/command.h"

#include <fmt/format.h>
#include <memory>

namespace culprit::cli {

namespace {

struct Entry {
  std::string command;
  std::string summary;
  std::string options; // separated by blanks
};

std::vector<Entry> entries() {
  std::vector<Entry> list = {{"cc", "compile and link C", ""}, {"c++", "compile and link C++", ""}};
  for (const Command &command : commands()) {
    CLI::App app;
    command.declare(app);
    std::string options;
    for (const CLI::Option *option : app.get_options())
      for (const auto &[names, dashes] :
           {std::pair{&option->get_lnames(), "--"}, std::pair{&option->get_snames(), "-"}})
        for (const std::string &name : *names)
          options += fmt::format("{}{}{}", options.empty() ? "" : " ", dashes, name);
    list.push_back({command.name, command.summary, options});
  }
  return list;
}

std::string names(const std::vector<Entry> &list) {
  std::string text;
  for (const Entry &entry : list)
    text += (text.empty() ? "" : " ") + entry.command;
  return text;
}

std::string bash(const std::vector<Entry> &list) {
  std::string cases;
  for (const Entry &entry : list)
    cases += fmt::format("    {}) words=\"{}\" ;;\n", entry.command, entry.options);
  return fmt::format(R"(_culprit() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _culprit culprit
)",
                     names(list), cases);
}

std::string zsh(const std::vector<Entry> &list) {
  std::string described;
  std::string cases;
  for (const Entry &entry : list) {
    described += fmt::format("    '{}:{}'\n", entry.command, entry.summary);
    cases += fmt::format("    {}) compadd -- {} ;;\n", entry.command, entry.options);
  }
  return fmt::format(R"(#compdef culprit
_culprit() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ $PREFIX == -* ]]; then
    case $words[2] in
{}    esac
  else
    _files
  fi
}}
compdef _culprit culprit
)",
                     described, cases);
}

std::string fish(const std::vector<Entry> &list) {
  std::string text;
  for (const Entry &entry : list) {
    text += fmt::format("complete -c culprit -n __fish_use_subcommand -a '{}' -d '{}'\n",
                        entry.command, entry.summary);
    size_t start = 0;
    while (start < entry.options.size()) {
      const size_t end = std::min(entry.options.find(' ', start), entry.options.size());
      const std::string option = entry.options.substr(start, end - start);
      text += fmt::format("complete -c culprit -n '__fish_seen_subcommand_from {}' {} {}\n",
                          entry.command, option.starts_with("--") ? "-l" : "-s",
                          option.substr(option.find_first_not_of('-')));
      start = end + 1;
    }
  }
  return text;
}

} // namespace

Action declare_completion(CLI::App &app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell] {
    const auto list = entries();
    fmt::print("{}", *shell == "bash" ? bash(list) : *shell == "zsh" ? zsh(list) : fish(list));
    return kDone;
  };
}

} // namespace culprit::cli
