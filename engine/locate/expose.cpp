// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See expose.h.
#include "engine/locate/expose.h"

#include "abi/locate.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace culprit::locate {
namespace {

bool is_exposed(const Execution &execution) {
  return execution.crash && execution.crash->numbers.kind != CULPRIT_CRASH_EXHAUSTED &&
         execution.crash->numbers.kind != CULPRIT_CRASH_ENDLESS;
}

} // namespace

// The pairs are worth trying only among what the execution used: known after the first order.
void Reordering::list_orders() {
  if (next_ == 0) {
    orders_ = {with_fences(variables_)};
    if (variables_.globals.empty() && variables_.frames.empty())
      orders_.clear();
    if (Arrangement kept = with_left_frames(variables_); !kept.rows.empty())
      orders_.push_back(std::move(kept));
    std::ranges::move(with_other_contents(), std::back_inserter(orders_));
    alone_ = orders_.size();
  } else if (next_ == 1 && orders_.size() == alone_ && options_.orders > alone_) {
    std::ranges::move(with_pairs(used_by(variables_, entered_), options_.orders - alone_),
                      std::back_inserter(orders_));
  }
}

Result<std::optional<std::string>> Reordering::expose(const Targets &targets) {
  for (;; ++next_) {
    list_orders();
    if (next_ >= orders_.size() || next_ >= options_.orders)
      return std::nullopt;
    if (options_.on_order)
      options_.on_order(next_ + 1, std::min(options_.orders, orders_.size()));
    auto execution = execute_(targets, orders_[next_], next_ == 0 ? &entered_ : nullptr);
    if (!execution)
      return std::unexpected(execution.error());
    if (execution->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    if (!is_exposed(*execution))
      continue;
    crash_ = std::move(*execution);
    return orders_[next_++].name;
  }
}

const Arrangement *Reordering::order(const std::string &name) const {
  const auto found = std::ranges::find(orders_, name, &Arrangement::name);
  return found == orders_.end() ? nullptr : &*found;
}

size_t Reordering::tried() const {
  return static_cast<size_t>(std::ranges::count_if(
      orders_ | std::views::take(next_), [](const Arrangement &one) { return !one.rows.empty(); }));
}

std::optional<Execution> Reordering::take_crash() { return std::exchange(crash_, std::nullopt); }

} // namespace culprit::locate
