// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/template_arguments.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

TEST(TemplateArguments, OfLongOnesTheFirstIsLeft) {
  EXPECT_EQ(without_long_arguments(
                "std::vector<std::basic_string<char, std::char_traits<char>, std::allocator<char> "
                ">, std::allocator<std::basic_string<char> > >::push_back writes a block"),
            "std::vector<std::basic_string<…>, …>::push_back writes a block");
  EXPECT_EQ(without_long_arguments("std::allocator<std::_Rb_tree_node<std::pair<int const, "
                                   "std::pair<long, long> > > >::allocate"),
            "std::allocator<std::_Rb_tree_node<…>>::allocate");
}

TEST(TemplateArguments, AFunctionsNameAloneHasNone) {
  EXPECT_EQ(without_arguments("std::vector<int, std::allocator<int>>::push_back"),
            "std::vector::push_back");
  EXPECT_EQ(without_arguments("std::copy<int*, std::back_insert_iterator<std::list<int>>>"),
            "std::copy");
  EXPECT_EQ(without_arguments("std::less<int>::operator()"), "std::less::operator()");
  EXPECT_EQ(without_arguments("std::operator<< <char>"), "std::operator<<");
  EXPECT_EQ(without_arguments("strcpy"), "strcpy");
}

TEST(TemplateArguments, ShortOnesStay) {
  for (const char *text : {"std::swap<double>", "shop::Queue<int, 16>::push writes",
                           "std::map<int, std::pair<int, int> >", "a.c: 'indegree = 1' is 3 %"})
    EXPECT_EQ(without_long_arguments(text), text);
}

TEST(TemplateArguments, BracketsThatEncloseNothingStay) {
  for (const char *text :
       {"operator<< writes what nobody else and nothing more than that ever wrote >",
        "shop::Money::operator< and a very long text behind it, with operator> at its end",
        "shop::Pointer::operator-> writes", "a < b and no end of it, however long the text goes on",
        "p->next is a very long text, too, with p->previous"})
    EXPECT_EQ(without_long_arguments(text), text);
}

} // namespace
} // namespace culprit::report
