// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for tests: sites, names and how probable it is that a run makes them meet, drawn with a
// seeded generator; and runs of them. The same seed gives the same run on every machine.
#pragma once

#include "engine/access/judge.h"
#include "engine/heap/simulated.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace culprit::access::simulated {

using heap::simulated::Random;

// Sites and names of a program; runs point into it.
struct Program {
  std::shared_ptr<AccessTables> tables = std::make_shared<AccessTables>();
  std::vector<Name> names;

  explicit Program(size_t sites = 0) {
    (*tables)[1];
    for (size_t i = 0; i < sites; ++i)
      add_site("f" + std::to_string(i / 4));
  }
  size_t add_site(const std::string &function, bool direct = false, bool read = false) {
    std::vector<AccessSite> &list = (*tables)[1].sites;
    const size_t number = list.size();
    list.push_back({(number + 1) * 0x9e3779b97f4a7c15u, "p.c", static_cast<unsigned>(number + 1), 3,
                    function, "", read, direct});
    (*tables)[1].rows.push_back({static_cast<uint32_t>(number), 8, 0});
    return number;
  }
  size_t add_name(NameKind kind, const std::string &member = {}) {
    Name name;
    name.kind = kind;
    name.member = member;
    const std::string number = std::to_string(names.size());
    if (kind == NameKind::heap || kind == NameKind::outside)
      name.chain = {names.size() + 1, names.size() + 2, 7, 8};
    else if (kind == NameKind::return_slot)
      name.function = "f" + number;
    else
      name.symbol = "v" + number;
    names.push_back(name);
    return names.size() - 1;
  }
  const AccessSite &site(size_t number) const { return tables->at(1).sites[number]; }

  AccessRun start() const {
    AccessRun run;
    run.watched = true;
    run.counted = true;
    run.tables = tables;
    run.heap_sites = std::make_shared<const heap::SiteTables>();
    run.unit_of_row_base[0] = 1;
    for (size_t i = 0; i < names.size(); ++i) {
      run.names.push_back({names[i], key_of(names[i]), {}});
      run.name_numbers[static_cast<uint32_t>(i + 1)] = static_cast<uint32_t>(i);
    }
    return run;
  }
  Met &meet(AccessRun &run, size_t site_number, size_t name, uint64_t count = 1) const {
    Met met;
    met.site = &site(site_number);
    met.name = static_cast<uint32_t>(name);
    met.direct = met.site->direct;
    met.count = count;
    met.periods = {0};
    met.work = run.pairs.size();
    run.pairs.push_back(met);
    run.reads = run.reads || met.site->read;
    return run.pairs.back();
  }
};

// A program whose features are executed by some runs and not by others: most by all, some by half,
// and a tail of ever rarer ones. A site has mostly one name, some have many, of which a run sees
// only a part.
struct LongTail {
  struct Edge {
    size_t site;
    size_t name;
    double probability; // in a run that executes the feature
    size_t before;      // name; SIZE_MAX: none
  };
  struct Feature {
    double probability;
    std::vector<Edge> edges;
  };
  Program program;
  std::vector<Feature> features;

  // `tail`: share of the features and names that are rare.
  LongTail(uint64_t seed, size_t number_of_features, double tail) {
    Random random(seed);
    const auto rare = [&] { return std::pow(10, -0.5 - 3 * random.uniform()); };
    std::vector<size_t> shared; // names that many features use
    for (size_t i = 0; i < number_of_features; ++i)
      shared.push_back(program.add_name(i % 3 == 0 ? NameKind::heap : NameKind::global));
    for (size_t i = 0; i < number_of_features; ++i) {
      Feature feature{random.uniform() < tail ? rare() : random.uniform() < 0.5 ? 1 : 0.5, {}};
      for (size_t s = 0; s < 2 + random.next() % 4; ++s) {
        const size_t site = program.add_site("f" + std::to_string(i));
        const size_t names = random.uniform() < 0.85 ? 1 : 2 + random.next() % 12;
        size_t last = SIZE_MAX;
        for (size_t n = 0; n < names; ++n) {
          const size_t name = random.uniform() < 0.5 ? shared[random.next() % shared.size()]
                                                     : program.add_name(NameKind::heap);
          feature.edges.push_back({site, name, n == 0 || random.uniform() > tail ? 1 : rare(),
                                   random.uniform() < 0.3 ? last : SIZE_MAX});
          last = name;
        }
      }
      features.push_back(std::move(feature));
    }
  }

  AccessRun draw(uint64_t seed) const {
    Random random(seed);
    AccessRun run = program.start();
    std::set<std::pair<size_t, size_t>> seen;
    for (const Feature &feature : features) {
      if (random.uniform() >= feature.probability)
        continue;
      for (const Edge &edge : feature.edges)
        if (random.uniform() < edge.probability && seen.emplace(edge.site, edge.name).second) {
          Met &met = program.meet(run, edge.site, edge.name, 1 + random.next() % 1000);
          if (edge.before != SIZE_MAX)
            met.before = static_cast<uint32_t>(edge.before);
        }
    }
    return run;
  }

  History train(uint64_t first_seed, size_t runs) const {
    History history;
    add_program(history, *program.tables);
    for (size_t i = 0; i < runs; ++i) {
      Summary summary = summarize(draw(first_seed + i));
      summary.run.arguments = std::to_string(i); // equal sets are still several runs
      add_run(history, summary);
    }
    return history;
  }
};

} // namespace culprit::access::simulated
