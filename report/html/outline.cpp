// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/outline.h"

namespace culprit::report::html {

Markup section_heading(const Outline &outline, const std::string &id, const std::string &words) {
  const Attributes attributes = {{"id", id}};
  return outline.prefix.empty() ? element("h2", attributes, words)
                                : element("h3", attributes, words);
}

Markup finding_heading(const Outline &outline, const std::string &id, const Markup &words) {
  const Attributes attributes = {{"id", id}};
  return outline.prefix.empty() ? element("h3", attributes, words)
                                : element("h4", attributes, words);
}

Markup section(const Outline &outline, const std::string &name, const std::string &heading,
               const Markup &inside) {
  const std::string id = outline.id(name);
  return element("section", {{"id", id}, {"aria-labelledby", id + "-heading"}},
                 joined({section_heading(outline, id + "-heading", heading), inside}));
}

} // namespace culprit::report::html
