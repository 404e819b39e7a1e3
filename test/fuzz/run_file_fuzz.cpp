// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes are a run file, a torn one, or an error: never a crash. Random bytes do not get past
// the checksums, so the input is parsed twice: as it is, and with its header and frames made true,
// so that payloads are reached.
#include "engine/run/run_file.h"

#include <algorithm>
#include <cstring>

namespace {

void make_true(std::vector<std::byte> &bytes) {
  if (bytes.size() < sizeof(culprit_run_header))
    return;
  bytes.resize(bytes.size() / 8 * 8);
  culprit_run_header head;
  std::memcpy(&head, bytes.data(), sizeof head);
  head.magic = CULPRIT_RUN_MAGIC;
  head.version = CULPRIT_RUN_VERSION;
  head.byte_order = CULPRIT_RUN_BYTE_ORDER;
  head.header_size = sizeof head;
  head.reserved = head.committed = bytes.size();
  std::memcpy(bytes.data(), &head, sizeof head);
  for (size_t at = sizeof head; at + sizeof(culprit_record) <= bytes.size();) {
    culprit_record record;
    std::memcpy(&record, bytes.data() + at, sizeof record);
    size_t left = bytes.size() - at;
    size_t size = std::clamp<size_t>(record.size / 8 * 8, sizeof record, left);
    record.size = static_cast<uint32_t>(std::min<size_t>(size, CULPRIT_RUN_RECORD_MAX));
    record.kind %= CULPRIT_RECORD_watch + 2; // mostly kinds that exist
    std::memcpy(bytes.data() + at, &record, sizeof record);
    record.commit =
        culprit_record_checksum(reinterpret_cast<culprit_record *>(bytes.data() + at), at);
    std::memcpy(bytes.data() + at, &record, sizeof record);
    at += record.size;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<std::byte> bytes(size);
  if (size)
    std::memcpy(bytes.data(), data, size);
  (void)culprit::run::parse(bytes, "fuzz");
  make_true(bytes);
  (void)culprit::run::parse(bytes, "fuzz");
  return 0;
}
