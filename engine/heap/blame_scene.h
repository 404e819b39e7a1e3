// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of blame: a program with one allocation site, the objects of one metric point with who
// touched them last, and what training knew of them.
#pragma once

#include "engine/heap/neighbourhood.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace culprit::heap {

constexpr uint32_t kNone = ~0U;

// One allocation site in make_node, called by the functions given; store sites of any function.
class Scene {
public:
  Scene() {
    add({100, SiteKind::alloc, "list.c", 10, 1, "make_node", "malloc", "struct node", {}, false});
  }

  uint32_t add(Site site) {
    sites_.push_back(std::move(site));
    return static_cast<uint32_t>(sites_.size()); // numbers start at 1
  }
  uint32_t store(const std::string &function, std::vector<std::string> from = {}) {
    return add({1000 + sites_.size(), SiteKind::store, "list.c",
                static_cast<unsigned>(20 + sites_.size()), 3, function, "", "", std::move(from),
                false});
  }
  uint32_t context(const std::string &caller) {
    const uint32_t call = add({2000 + sites_.size(),
                               SiteKind::call,
                               "list.c",
                               static_cast<unsigned>(20 + sites_.size()),
                               5,
                               caller,
                               "make_node",
                               "",
                               {},
                               false});
    chains_.push_back(uint64_t{call} << 16 | 1);
    return static_cast<uint32_t>(chains_.size());
  }
  // So many objects of the context are in the cell, last touched by these sites.
  void objects(uint32_t context, unsigned in, unsigned out, uint64_t count, uint32_t linked,
               uint32_t unlinked, uint32_t wrote) {
    objects(context, in, out, count, linked, unlinked, wrote, wrote);
  }
  void objects(uint32_t context, unsigned in, unsigned out, uint64_t count, uint32_t linked,
               uint32_t unlinked, uint32_t wrote, uint32_t changed) {
    rows_.push_back({context, culprit_cell(in, out), linked, unlinked, wrote, changed, count});
  }
  // The runtime wrote down one of these, with its neighbours.
  void example(uint32_t context, unsigned in, unsigned out,
               std::vector<culprit_neighbour> neighbours) {
    examples_.push_back(
        {{5, context, in, out, culprit_cell(in, out), static_cast<uint32_t>(neighbours.size())},
         std::move(neighbours)});
  }
  // In training the store did this to so many of the objects.
  void usually_written(size_t role, uint32_t store, double share) {
    usual_writers_[role][sites_[store - 1].id] = share;
  }
  void usually(unsigned in, unsigned out, double share) { usual_[culprit_cell(in, out)] = share; }

  // Of all objects of the heap, in training.
  void usual_share(double share) { usual_share_ = share; }

  Blame judge(unsigned metric, bool high, double low_end, double high_end, bool writers = true) {
    return judge(metrics()[metric], high, low_end, high_end, writers);
  }
  Blame judge_pointers(bool high, unsigned lost_degree) {
    return judge(*find_metric("pointers"), high, 0, 0, true, lost_degree);
  }
  Neighbourhoods around(unsigned metric, bool high, double low_end, double high_end) {
    const auto [finding, model] = prepare(metrics()[metric], high, low_end, high_end, 0);
    return neighbourhoods(finding, run_, model, run_);
  }

private:
  Blame judge(const Metric &metric, bool high, double low_end, double high_end, bool writers,
              unsigned lost_degree = 0) {
    const auto [finding, model] = prepare(metric, high, low_end, high_end, lost_degree);
    return blame(finding, run_, model, writers ? &run_ : nullptr);
  }

  std::pair<Finding, HeapModel> prepare(const Metric &metric, bool high, double low_end,
                                        double high_end, unsigned lost_degree) {
    auto tables = std::make_shared<SiteTables>();
    (*tables)[7] = sites_;
    run_ = {};
    run_.tables = tables;
    run_.numbers =
        SiteNumbers(*tables, std::vector<run::Unit>{{7, 1, static_cast<uint32_t>(sites_.size())}});
    run_.sites = {{100, &(*tables)[7][0]}};
    for (size_t i = 0; i < chains_.size(); ++i)
      run_.contexts[static_cast<uint32_t>(i + 1)] = {0, run_.numbers.chain(chains_[i])};
    Point point;
    point.index = 5;
    std::map<uint32_t, Cells> cells;
    for (const culprit_blame_row &row : rows_) {
      cells[row.context][row.cell] += row.count;
      point.cells[row.cell] += row.count;
    }
    for (const auto &[context, counts] : cells)
      run_.changes.push_back({0, context, counts});
    run_.points = {point};
    run_.blame = {{5, rows_}};
    run_.neighbourhoods = examples_;
    HeapModel model;
    LearnedSite site;
    site.id = 100;
    site.runs = 10;
    site.share = usual_share_;
    for (const auto &[number, share] : usual_)
      site.cells[number] = share;
    site.writers = usual_writers_;
    for (const auto &writers : usual_writers_)
      site.writer_runs += writers.empty() ? 0 : 1;
    model.sites[100] = site;
    Finding finding;
    finding.metric = &metric;
    finding.high = high;
    finding.range = {low_end, high_end};
    finding.worst_index = 5;
    finding.lost_degree = lost_degree;
    return {finding, model};
  }

  std::vector<Site> sites_;
  std::vector<uint64_t> chains_;
  std::vector<culprit_blame_row> rows_;
  std::vector<run::Neighbourhood> examples_;
  std::map<unsigned, double> usual_;
  double usual_share_ = 1;
  std::array<std::map<uint64_t, double>, kWriterRoles> usual_writers_;
  HeapRun run_;
};

inline testing::AssertionResult among_first_three(const Blame &blame, const std::string &function) {
  std::string named;
  for (size_t i = 0; i < blame.suspects.size(); ++i) {
    if (i < 3 && blame.suspects[i].place.function == function)
      return testing::AssertionSuccess();
    named += " " + blame.suspects[i].place.function;
  }
  return testing::AssertionFailure() << "named:" << named;
}

} // namespace culprit::heap
