// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table with a caption, and the parts that surround tables and plots in a page.
//
// Rules: a table holds as many rows as a reader and a browser can bear, and says how many there
// are.
#pragma once

#include "report/html/markup.h"

#include <string>
#include <vector>

namespace culprit::report::html {

struct Column {
  std::string title;
  bool number = false; // aligned to the right
};

class Table {
public:
  // `what` is one of the rows, in a word: "run".
  Table(std::string caption, std::string what, std::vector<Column> columns, size_t most);

  // Is there room for another row? To be asked where making the cells is work.
  bool takes_more() const { return rows_ < most_; }
  // A row; beyond `most` it is only counted. The first cell is the row's heading.
  void add(const std::vector<Markup> &cells);
  void count_only() { ++rows_; }
  bool empty() const { return rows_ == 0; }
  Markup markup() const;

private:
  std::string caption_;
  std::string what_;
  std::vector<Column> columns_;
  size_t most_;
  size_t rows_ = 0;
  Markup body_;
};

// Terms and what they are, as far as there is something to say.
class Facts {
public:
  void add(const std::string &term, const Markup &value);
  void add(const std::string &term, const std::string &value);
  Markup markup() const;

private:
  Markup rows_;
};

// Shown when asked for, and in print.
Markup folded(const std::string &summary, const Markup &inside);

} // namespace culprit::report::html
