// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a small language: variables and functions get numbers when they are first seen, and
// what belongs to a number is in tables that grow. The input is a program, one statement a line:
//   use COUNT                     a library with so many functions follows: make room
//   define NAME ARITY TEXT        a function
//   let NAME VALUE                a variable
//   call NAME                     count a call; functions may be called before they are defined
//   dump                          everything
// As in bc, one kind of name is stored before it is asked whether there is room for it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace {

constexpr unsigned kRoom = 32;

struct Body {
  unsigned arity;
  unsigned lines;
  char *text;
};

enum class Kind { variable, function };

struct Symbol {
  Kind kind;
  unsigned number;
};

class Program {
public:
  Program() {
    more_variables(kRoom);
    more_functions(kRoom);
  }

  ~Program() {
    for (unsigned i = 0; i < function_count_; ++i) {
      std::free(function_names_[i]);
      drop(bodies_[i]);
    }
    for (unsigned i = 0; i < variable_count_; ++i)
      std::free(variable_names_[i]);
    delete[] function_names_;
    delete[] bodies_;
    delete[] calls_;
    delete[] variable_names_;
    delete[] values_;
  }

  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  void use(unsigned count) {
    if (function_count_ + count > function_room_)
      more_functions(function_count_ + count + kRoom);
  }

  void define(const std::string &name, unsigned arity, const std::string &text) {
    unsigned number = lookup(name, Kind::function);
    drop(bodies_[number]);
    auto *body = new Body{arity, 1, strdup(text.c_str())};
    for (char letter : text)
      body->lines += letter == ';';
    bodies_[number] = body;
  }

  void let(const std::string &name, long value) {
    unsigned number = lookup(name, Kind::variable);
    values_[number] = value;
  }

  void call(const std::string &name) {
    unsigned number = lookup(name, Kind::function);
    ++calls_[number];
  }

  void dump(std::ostream &out) const {
    for (unsigned i = 0; i < function_count_; ++i) {
      out << function_names_[i] << ": " << calls_[i] << " calls";
      if (const Body *body = bodies_[i])
        out << ", arity " << body->arity << ", " << body->lines << " lines: " << body->text;
      out << '\n';
    }
    for (unsigned i = 0; i < variable_count_; ++i)
      out << variable_names_[i] << " = " << values_[i] << '\n';
  }

  void report(std::ostream &out) const {
    out << variable_count_ << " variables, " << function_count_ << " functions, room for "
        << variable_room_ << " and " << function_room_ << ", " << growths_ << " growths\n";
  }

private:
  unsigned lookup(const std::string &name, Kind kind);
  void more_variables(unsigned room);
  void more_functions(unsigned room);

  template <typename T> static T *grown(T *old, unsigned count, unsigned room) {
    T *table = new T[room]();
    for (unsigned i = 0; i < count; ++i)
      table[i] = old[i];
    delete[] old;
    return table;
  }

  static void drop(Body *body) {
    if (!body)
      return;
    std::free(body->text);
    delete body;
  }

  std::map<std::string, Symbol> symbols_;
  char **function_names_ = nullptr;
  Body **bodies_ = nullptr;
  unsigned long *calls_ = nullptr;
  unsigned function_room_ = 0;
  unsigned function_count_ = 0;
  char **variable_names_ = nullptr;
  long *values_ = nullptr;
  unsigned variable_room_ = 0;
  unsigned variable_count_ = 0;
  unsigned growths_ = 0;
};

void Program::more_variables(unsigned room) {
  variable_names_ = grown(variable_names_, variable_count_, room);
  values_ = grown(values_, variable_count_, room);
  variable_room_ = room;
  ++growths_;
}

void Program::more_functions(unsigned room) {
  function_names_ = grown(function_names_, function_count_, room);
  bodies_ = grown(bodies_, function_count_, room);
  calls_ = grown(calls_, function_count_, room);
  function_room_ = room;
  ++growths_;
}

unsigned Program::lookup(const std::string &name, Kind kind) {
  std::string key = (kind == Kind::function ? "()" : "") + name;
  auto found = symbols_.find(key);
  if (found != symbols_.end())
    return found->second.number;
  unsigned number;
  if (kind == Kind::variable) {
    number = variable_count_;
    if (number >= variable_room_)
      more_variables(variable_room_ + kRoom);
    variable_names_[number] = strdup(name.c_str());
    ++variable_count_;
  } else {
    number = function_count_;
#ifdef FIXED
    if (number >= function_room_)
      more_functions(function_room_ + kRoom);
#endif
    function_names_[number] = strdup(name.c_str()); // guilty: lookup stores it and then makes room
    ++function_count_;
    if (number >= function_room_)
      more_functions(function_room_ + kRoom);
  }
  symbols_[key] = {kind, number};
  return number;
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "/dev/stdin");
  if (!script) {
    std::cerr << "cannot read the program\n";
    return 2;
  }
  Program program;
  for (std::string line; std::getline(script, line);) {
    std::istringstream words(line);
    std::string command, name;
    words >> command >> name;
    if (command == "use") {
      program.use(static_cast<unsigned>(std::atoi(name.c_str())));
    } else if (command == "define") {
      unsigned arity = 0;
      std::string text;
      words >> arity;
      std::getline(words, text);
      program.define(name, arity, text);
    } else if (command == "let") {
      long value = 0;
      words >> value;
      program.let(name, value);
    } else if (command == "call") {
      program.call(name);
    } else if (command == "dump") {
      program.dump(std::cout);
    }
  }
  program.dump(std::cout);
  program.report(std::cout);
  return 0;
}
