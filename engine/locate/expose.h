// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paper's Figure 5: orders of variables are tried, one after the other, until the program
// crashes in one. What memory holds that nobody has written is varied in the same way: that, too,
// decides whether an error shows. And what Figure 7 needs of it: asked again after more was
// suppressed, it goes on with the orders it has not tried yet.
//
// Rules: knows executions only by what they told, so a test can simulate them. At most `orders`
// executions in all. A stack that is full in another order does not count as a crash: frames are
// longer than in the program's own.
#pragma once

#include "engine/error.h"
#include "engine/locate/arrangement.h"
#include "engine/locate/execution.h"
#include "engine/locate/targets.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit::locate {

class Reordering {
public:
  // An execution with these variables in this order; says which functions were entered if asked to.
  using Execute = std::function<Result<Execution>(const Targets &targets, const Arrangement &order,
                                                  std::vector<bool> *entered)>;
  struct Options {
    size_t orders = 20;
    std::function<void(size_t tried, size_t orders)> on_order = {}; // before each
  };
  Reordering(Variables variables, Execute execute, Options options)
      : variables_(std::move(variables)), execute_(std::move(execute)),
        options_(std::move(options)) {}

  // The name of an order in which the program crashes with these targets; nothing: there is none
  // left.
  Result<std::optional<std::string>> expose(const Targets &targets);

  // One that was tried, by its name; null: none.
  const Arrangement *order(const std::string &name) const;
  // The execution in which it crashed, to be asked for once.
  std::optional<Execution> take_crash();

  // Orders of variables, without other contents of memory.
  size_t tried() const;

private:
  void list_orders();

  Variables variables_;
  Execute execute_;
  Options options_;
  std::vector<Arrangement> orders_;
  std::vector<bool> entered_; // by the first execution
  size_t alone_ = 0;          // how many of them need no pairs
  size_t next_ = 0;
  std::optional<Execution> crash_;
};

} // namespace culprit::locate
