// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The course of a run's metrics while it goes on, in memory that does not grow with the run.
//
// The points added so far are cut into parts of equally many; of each part and metric the lowest
// and the highest value are kept, as html/thinning.h keeps them of a run that is over. A part is
// one point at first, so nothing is left out; when there are too many parts, two and two become
// one. Whoever shows the course has it part by part, and all of it anew when `generation` changes.
#pragma once

#include "report/html/thinning.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace culprit::report::live {

class Course {
public:
  static constexpr size_t kParts = 1200; // twice as many points: more than a plot has columns

  explicit Course(size_t metrics, size_t most_parts = kParts);

  // `values`: one for each metric; what is not a number is missing. `x` grows.
  void add(double x, std::span<const double> values);
  // What is left of a part that is not complete becomes one.
  void finish();

  uint64_t added() const { return added_; }
  uint64_t points_in_part() const { return stride_; }
  uint64_t generation() const { return generation_; }
  size_t parts() const { return parts_; }
  double last_x() const { return last_x_; }

  // Of the parts from `first` on; missing values are left out.
  std::vector<html::Point> points(size_t metric, size_t first = 0) const;

private:
  struct Extremes {
    html::Point low;
    html::Point high;
    bool any = false;

    void take(const html::Point &point);
    void take(const Extremes &more);
  };

  void complete();
  void halve();

  size_t most_parts_;                          // even
  std::vector<std::vector<Extremes>> metrics_; // complete parts
  std::vector<Extremes> current_;              // of the part that is not, by metric
  uint64_t in_current_ = 0;
  uint64_t stride_ = 1;
  uint64_t added_ = 0;
  uint64_t generation_ = 0;
  size_t parts_ = 0;
  double last_x_ = 0;
};

} // namespace culprit::report::live
