// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heaps for tests: runs of an imagined program, drawn from a shape with a seeded generator. The
// same seed gives the same run on every machine (no std:: distribution, whose results are the
// library's).
#pragma once

#include "engine/heap/series.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace culprit::heap::simulated {

class Random {
public:
  // Far apart for seeds that follow one another: otherwise each would be the next one's tail.
  explicit Random(uint64_t seed) : state_(seed) { state_ = next() ^ (next() << 1); }
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum;
  }

private:
  uint64_t state_;
};

inline unsigned cell(unsigned in, unsigned out) { return culprit_cell(in, out); }

// The objects of one allocation site.
struct SiteShape {
  uint64_t id;
  double share;                     // of the objects that grow with the input
  std::map<unsigned, double> cells; // shares, adding up to 1
  double fixed = 0;                 // objects that every run has
  double late_share = -1;           // share in the second half of the run; < 0: the same
};

struct Shape {
  std::vector<SiteShape> sites;
  double smallest = 1000; // objects of a run, drawn evenly on a logarithmic scale
  double largest = 20000;
  double between = 0.01; // how much shares differ from run to run (standard deviation, relative)
  double within = 0.003; // and from point to point
  double drift = 0;      // and slowly
  bool grows = true;     // from a tenth of the objects to all of them; otherwise all from the start
  size_t points = 300;
};

// From `at` on, this share of a site's objects in one cell are in another.
struct Fault {
  uint64_t site = 0;
  unsigned from = 0;
  unsigned to = 0;
  double share = 0;
  double at = 0.4;
};

inline HeapRun run_of(const Shape &shape, uint64_t seed, const Fault &fault = {}) {
  Random random(seed);
  HeapRun run;
  const double objects = std::exp(std::log(shape.smallest) +
                                  random.uniform() * std::log(shape.largest / shape.smallest));
  std::vector<std::map<unsigned, double>> tilted;
  std::vector<double> sizes;
  for (const SiteShape &site : shape.sites) {
    run.sites.push_back({site.id, nullptr});
    run.contexts[static_cast<uint32_t>(run.sites.size())] = {run.sites.size() - 1, {}};
    sizes.push_back(std::max(0.0, 1 + shape.between * random.normal()));
    double sum = 0;
    std::map<unsigned, double> cells = site.cells;
    for (auto &[number, share] : cells)
      sum += share *= std::max(0.0, 1 + shape.between * random.normal());
    for (auto &[number, share] : cells)
      share /= sum;
    tilted.push_back(cells);
  }
  uint64_t work = 0;
  double slow = 0;
  for (size_t i = 0; i < shape.points; ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(shape.points);
    work += 1 + static_cast<uint64_t>(100 * random.uniform() * (1 + 3 * at));
    slow += shape.drift * random.normal();
    Point point;
    point.index = static_cast<uint32_t>(i + 1);
    point.work = work;
    const double now = objects * (shape.grows ? 0.1 + 0.9 * at : 1);
    for (size_t s = 0; s < shape.sites.size(); ++s) {
      const SiteShape &site = shape.sites[s];
      const double share = at >= 0.5 && site.late_share >= 0 ? site.late_share : site.share;
      const double count =
          site.fixed + now * share * sizes[s] * (1 + shape.within * random.normal() + slow);
      ContextChange change{i, static_cast<uint32_t>(s + 1), {}};
      for (const auto &[number, part] : tilted[s]) {
        // As many as a binomial draw gives, roughly.
        const double noise = std::sqrt(std::max(0.0, count * part * (1 - part))) * 0.3;
        change.cells[number] = static_cast<uint64_t>(
            std::max(0.0, std::round(count * part + noise * random.normal() * (part < 1))));
      }
      if (site.id == fault.site && at >= fault.at) {
        const auto moved =
            static_cast<uint64_t>(fault.share * static_cast<double>(change.cells[fault.from]));
        change.cells[fault.from] -= moved;
        change.cells[fault.to] += moved;
      }
      for (size_t c = 0; c < change.cells.size(); ++c)
        point.cells[c] += change.cells[c];
      run.changes.push_back(change);
    }
    point.live_objects = total(point.cells);
    point.live_bytes = point.live_objects * 48;
    run.points.push_back(point);
  }
  return run;
}

} // namespace culprit::heap::simulated
