// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small libraries, compiled by gcc and clang, optimised and not. Every function has a type of its
// own, so the type says which call is meant.
#include "engine/native/names.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace culprit::native {
namespace {

constexpr const char *kCode = R"(
#include <stdlib.h>
#define NODE(name) struct name { struct name *next; char text[16]; int key; int more; }
NODE(in_local); NODE(in_global); NODE(in_member); NODE(in_element); NODE(in_return); NODE(in_wrapper);
NODE(in_array); NODE(in_zeroed); NODE(in_argument); NODE(with_more); NODE(grown); NODE(not_asked_for);
NODE(one);
struct flexible { int length; char bytes[]; };
struct never_seen;
struct table { int count; struct in_member *first; };
static struct in_global *g_last;
static struct in_element *g_many[8];
struct never_seen *g_hidden;
void use(void *);
void *handed_out(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}
int keeps_local(int key) {
  struct in_local *made = malloc(sizeof *made);
  if (!made)
    return 0;
  made->key = key;
  use(made);
  return 1;
}
struct in_global *last(void) { return g_last; }
void keeps_global(void) { g_last = malloc(sizeof *g_last); use(g_last); }
void keeps_member(struct table *table) { table->first = malloc(sizeof *table->first); use(table); }
void keeps_element(int i) { g_many[i] = malloc(sizeof *g_many[i]); use(g_many); }
__attribute__((noinline)) static struct in_return *gives_back(void) { return calloc(1, sizeof(struct in_return)); }
void asks_for_one(void) { // who calls is all there is, where gives_back ends with a jump
  struct in_return *made = gives_back();
  use(made);
  made->key = 1;
}
void keeps_wrapped(int n) {
  struct in_wrapper *made = handed_out(sizeof *made);
  use(made);
  made->key = n;
}
void keeps_array(unsigned n) {
  struct in_array *made = malloc(n * sizeof *made);
  use(made);
  made[n / 2].key = 1;
}
void keeps_zeroed(unsigned n) {
  struct in_zeroed *made = calloc(n, sizeof *made);
  use(made);
  made[n / 2].key = 1;
}
void keeps_grown(struct grown **all, unsigned n) { *all = realloc(*all, (n + 4) * sizeof **all); use(*all); }
__attribute__((noinline)) static void fill(struct in_argument *made) { use(made); use(made); }
void gives_on(void) { fill(malloc(sizeof(struct in_argument))); }
void keeps_flexible(unsigned n) {
  struct flexible *made = malloc(sizeof *made + n);
  use(made);
  made->length = 3;
}
void keeps_with_more(unsigned n) {
  struct with_more *made = malloc(sizeof *made + n);
  use(made);
  made->key = 3;
}
void keeps_bytes(unsigned n) {
  struct not_asked_for *made = malloc(n); // of what size, nobody knows
  use(made);
  made->key = 3;
}
void keeps_text(unsigned n) {
  char *made = malloc(n * sizeof(struct one));
  use(made);
  made[1] = 3;
  use(((struct one *)made)->next);
}
void keeps_hidden(void) { g_hidden = malloc(32); use(g_hidden); }
)";

constexpr const char *kCxxCode = R"(
#include <list>
#include <memory>
struct Base { virtual ~Base() {} long id = 0; char tag[8] = {}; };
struct Derived : Base { Derived(int n) : extra(n) {} int extra; char text[20] = {}; };
struct Plain { int a; int b; double c; };
struct Owned { int a; int b; double c; };
struct Listed { int a; int b; double c; };
void use(void *);
Base *made(int n) { return new Derived(n); }
void plain() { Plain *p = new Plain(); use(p); p->a = 1; }
std::unique_ptr<Owned> owned() { return std::make_unique<Owned>(); }
void listed(std::list<Listed> &all) { all.push_back({1, 2, 3}); }
)";

using Members = std::vector<std::string>;
const Members kNode = {"next", "text", "key", "more"};

class NativeResults : public testing::TestWithParam<const char *> {
protected:
  FileNames names_of(const char *source, const char *language, const char *suffix) const {
    const std::filesystem::path folder(testing::TempDir());
    std::string words = GetParam();
    std::ranges::replace(words, ' ', '_');
    const auto code = folder / fmt::format("native_results_{}_{}.{}", getpid(), words, suffix);
    const auto library = folder / fmt::format("native_results_{}_{}.so", getpid(), words);
    std::ofstream(code) << source;
    const std::string compiler = std::string(GetParam()).starts_with("gcc") ? "gcc" : "clang-19";
    const std::string level = std::string(GetParam()).ends_with("O0") ? "-O0" : "-O2";
    const std::string command =
        fmt::format("{} {} -g -w -fPIC -shared -fvisibility=hidden -x {} {} -o {}", compiler, level,
                    language, code.string(), library.string());
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    auto read = read_names(library);
    EXPECT_TRUE(read);
    std::filesystem::remove(code);
    std::filesystem::remove(library);
    return read ? std::move(*read) : FileNames();
  }

  // The members that calls of this type have; nothing: there is no such call.
  static Members members_of(const FileNames &names, std::string_view type) {
    for (const CallResult &call : names.calls)
      if (call.type == type)
        return names.layouts[call.layout - 1].members;
    return {};
  }
};

TEST_P(NativeResults, TheTypeIsThatOfWhatReceivesTheResult) {
  const FileNames names = names_of(kCode, "c", "c");
  for (const char *type : {"in_local", "in_global", "in_member", "in_element", "in_return",
                           "in_wrapper", "in_array", "in_zeroed", "in_argument", "grown"})
    EXPECT_EQ(members_of(names, type), kNode) << type;
}

TEST_P(NativeResults, WhatIsBehindAStructIsAMemberOfItsOwn) {
  const FileNames names = names_of(kCode, "c", "c");
  EXPECT_EQ(members_of(names, "flexible"), (Members{"length", "bytes"}));
  EXPECT_EQ(members_of(names, "with_more"), (Members{"next", "text", "key", "more", "(behind)"}));
}

TEST_P(NativeResults, ATypeThatNothingSupportsIsNotBelieved) {
  const FileNames names = names_of(kCode, "c", "c");
  EXPECT_EQ(members_of(names, "not_asked_for"), Members()) << "its size is not known to go with it";
  EXPECT_EQ(members_of(names, "one"), Members()) << "text is what is allocated";
  EXPECT_EQ(members_of(names, "never_seen"), Members());
}

TEST_P(NativeResults, AWrapperHandsOut) {
  const FileNames names = names_of(kCode, "c", "c");
  EXPECT_TRUE(std::ranges::any_of(names.calls, &CallResult::handed_out));
}

TEST_P(NativeResults, OfADerivedClassTheMembersAreThoseOfTheWholeObject) {
  const FileNames names = names_of(kCxxCode, "c++", "cpp");
  const Members derived = members_of(names, "Derived");
  ASSERT_EQ(derived.size(), 5u);
  EXPECT_EQ(derived.back(), "text");
  EXPECT_EQ(members_of(names, "Base"), Members());
}

TEST_P(NativeResults, NewAndTheContainersAllocateTheirType) {
  const FileNames names = names_of(kCxxCode, "c++", "cpp");
  EXPECT_EQ(members_of(names, "Plain"), (Members{"a", "b", "c"}));
  EXPECT_EQ(members_of(names, "Owned"), (Members{"a", "b", "c"}));
  EXPECT_EQ(members_of(names, "_List_node<Listed>"),
            (Members{"_M_next", "_M_prev", "_M_storage.a", "_M_storage.b", "_M_storage.c"}));
}

INSTANTIATE_TEST_SUITE_P(Compilers, NativeResults,
                         testing::Values("gcc O0", "gcc O2", "clang O0", "clang O2"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

} // namespace
} // namespace culprit::native
