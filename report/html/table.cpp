// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/table.h"

#include "report/document.h"

#include <fmt/format.h>
#include <utility>

namespace culprit::report::html {

Table::Table(std::string caption, std::string what, std::vector<Column> columns, size_t most)
    : caption_(std::move(caption)), what_(std::move(what)), columns_(std::move(columns)),
      most_(most) {}

void Table::add(const std::vector<Markup> &cells) {
  if (rows_++ >= most_)
    return;
  Markup row;
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    Attributes attributes;
    if (columns_[i].number)
      attributes.push_back({"class", "number"});
    if (i == 0)
      attributes.push_back({"scope", "row"});
    row += i == 0 ? element("th", attributes, cells[i]) : element("td", attributes, cells[i]);
  }
  body_ += element("tr", row);
}

Markup Table::markup() const {
  if (rows_ == 0)
    return {};
  Markup head;
  for (const Column &column : columns_)
    head += element("th", {{"scope", "col"}, {"class", column.number ? "number" : "words"}},
                    column.title);
  std::string caption = caption_;
  if (rows_ > most_)
    caption += fmt::format(" (the first {} of {})", grouped(most_), counted(rows_, what_));
  return element(
      "div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}},
      element("table", joined({element("caption", caption), element("thead", element("tr", head)),
                               element("tbody", body_)})));
}

void Facts::add(const std::string &term, const Markup &value) {
  if (!value.empty())
    rows_ += element("div", joined({element("dt", term), element("dd", value)}));
}

void Facts::add(const std::string &term, const std::string &value) { add(term, text(value)); }

Markup Facts::markup() const {
  return rows_.empty() ? Markup() : element("dl", {{"class", "facts"}}, rows_);
}

Markup folded(const std::string &summary, const Markup &inside) {
  return inside.empty() ? Markup()
                        : element("details", joined({element("summary", summary), inside}));
}

} // namespace culprit::report::html
