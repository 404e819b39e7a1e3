// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a state of a triage or an error; what was read can be grouped and
// survives being written.
#include "engine/triage/group.h"
#include "engine/triage/inputs.h"
#include "engine/triage/state.h"

#include <cstdlib>

using namespace culprit::triage;

namespace {

void group_all(const Located &located) {
  std::vector<Record> records;
  for (const auto &[digest, document] : located) {
    auto record = read_record(document);
    if (!record)
      std::abort();
    records.push_back(std::move(*record));
  }
  (void)group(records);
}

void read_and_write(std::string_view text) {
  const auto state = parse_state(text, "p");
  if (!state)
    return;
  group_all(state->located);
  std::string written(state_head());
  for (const auto &[digest, document] : state->located)
    written += state_line("p", digest, document);
  const auto again = parse_state(written, "p");
  if (!again || again->located.size() != state->located.size())
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  read_and_write(text);
  // The same as a document, with the checksum it would have.
  std::string line(text);
  std::erase(line, '\n');
  read_and_write(std::string(state_head()) + digest_text(line) + " " + line + "\n");
  return 0;
}
