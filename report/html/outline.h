// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report's place in its page, which may hold several: its ids begin with a prefix of its own, and
// its headings stand one level below the heading it has there.
#pragma once

#include "report/html/markup.h"

#include <string>

namespace culprit::report::html {

struct Outline {
  std::string prefix = {}; // empty: alone in its page

  std::string id(const std::string &name) const { return prefix + name; }
};

// `id` is of the heading itself, made by Outline::id.
Markup section_heading(const Outline &outline, const std::string &id, const std::string &words);
Markup finding_heading(const Outline &outline, const std::string &id, const Markup &words);

// A section with its heading, to be linked to by `name`'s id.
Markup section(const Outline &outline, const std::string &name, const std::string &heading,
               const Markup &inside);

} // namespace culprit::report::html
