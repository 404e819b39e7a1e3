// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any records are a run of accesses or an error; a run can be judged, learned from and counted.
// The input is a list of records without frames: two bytes of kind and size, then the payload.
#include "engine/access/clb.h"
#include "engine/access/judge.h"
#include "engine/access/statistics.h"

#include <cstring>

namespace {

using namespace culprit;

access::SharedTables tables() {
  access::AccessTables all;
  access::UnitTables &unit = all[0];
  unit.sites = {{1, "a.c", 1, 1, "f", "", false, false}, {2, "a.c", 2, 1, "g", "", true, false}};
  unit.rows = {{0, 8, 0}, {1, 4, 1}, {0, 0, 0}};
  unit.variables.resize(2);
  unit.variables[1].kind = access::VariableKind::return_slot;
  unit.layouts = {{"struct t", 16, 0, {{"a", 0, false}, {"b", 8, false}}}};
  return std::make_shared<const access::AccessTables>(std::move(all));
}

template <typename T> T taken(const uint8_t *data, size_t size) {
  T value{};
  std::memcpy(&value, data, std::min(size, sizeof value));
  return value;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const access::SharedTables known = tables();
  run::RunFile file{};
  std::vector<culprit_event> events;
  while (size >= 2) {
    const uint8_t kind = data[0] % 8;
    const size_t length = std::min<size_t>(data[1], size - 2);
    const uint8_t *payload = data + 2;
    const auto add = [&](auto what) { file.records.push_back({0, 0, std::move(what)}); };
    if (kind == 0)
      add(run::AccessUnit{0, taken<uint32_t>(payload, length) % 16, 3});
    else if (kind == 1) {
      auto name = taken<culprit_record_name>(payload, length);
      name.kind %= 5;
      name.unit %= 2;
      add(run::ObjectName{name});
    } else if (kind == 2 || kind == 3)
      add(run::AccessMet{taken<culprit_record_access>(payload, length), {}});
    else if (kind == 4)
      add(run::AccessCounts{{taken<culprit_count_row>(payload, length)}});
    else if (kind == 5)
      add(run::Period{taken<uint8_t>(payload, length), 0});
    else if (kind == 6)
      add(run::Context{taken<uint8_t>(payload, length), 1});
    else
      events.push_back(taken<culprit_event>(payload, length));
    data += 2 + length;
    size -= 2 + length;
  }
  const auto run = access::access_run(file, known, nullptr);
  if (!run)
    return 0;
  access::History history;
  access::add_run(history, access::summarize(*run));
  const access::AccessModel model = access::learn(history, {});
  (void)access::judge(model, *run, {});
  (void)access::learn_then_judge(*run, {});
  (void)access::distributions(history, {});
  (void)access::distributions_of_periods(*run, {});
  (void)access::measure_clb(events, *run, model, {});
  for (const access::MetName &name : run->names)
    (void)access::display(name.name);
  return 0;
}
