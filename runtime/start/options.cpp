// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See options.h.
#include "runtime/start/options.h"

#include "abi/environment.h"
#include "runtime/os/file.h"
#include "runtime/os/lock.h"

extern "C" __attribute__((weak, visibility("default"))) char **environ;

namespace culprit::start {
namespace {

Options g_options;
os::Lock g_lock;
bool g_read;

void assign(u64 &value, const char *text, size_t length) {
  u64 number = 0;
  if (!length)
    return;
  for (size_t i = 0; i < length; ++i) {
    if (text[i] < '0' || text[i] > '9' || number > (~u64{0} - 9) / 10)
      return;
    number = number * 10 + static_cast<u64>(text[i] - '0');
  }
  value = number;
}

void assign(path &value, const char *text, size_t length) {
  if (length >= sizeof value.text)
    length = 0;
  __builtin_memcpy(value.text, text, length);
  value.text[length] = 0;
}

void set_default(u64 &value, u64 number) { value = number; }
template <size_t Size> void set_default(path &value, const char (&text)[Size]) {
  assign(value, text, Size - 1);
}

bool is_key(const char *text, size_t length, const char *name) {
  size_t i = 0;
  while (i < length && name[i] && text[i] == name[i])
    ++i;
  return i == length && !name[i];
}

void take_pair(const char *text, size_t length, Options &options) {
  size_t key = 0;
  while (key < length && text[key] != '=')
    ++key;
  if (key == length)
    return;
#define OPTION(type, name, default_value, meaning)                                                 \
  if (is_key(text, key, #name))                                                                    \
    assign(options.name, text + key + 1, length - key - 1);
#include "abi/options.def"
#undef OPTION
}

constexpr char kPrefix[] = CULPRIT_RUNTIME_VARIABLE "=";
constexpr size_t kPrefixLength = sizeof kPrefix - 1;

bool has_prefix(const char *text) {
  for (size_t i = 0; i < kPrefixLength; ++i)
    if (text[i] != kPrefix[i])
      return false;
  return true;
}

void read_from_environ() {
  for (char **entry = environ; *entry; ++entry)
    if (has_prefix(*entry)) {
      const char *value = *entry + kPrefixLength;
      size_t length = 0;
      while (value[length])
        ++length;
      return parse_options(value, length, g_options);
    }
}

// Before libc set `environ`: the kernel's copy, in pieces, since it may be megabytes.
void read_from_kernel() {
  static char buffer[CULPRIT_RUNTIME_VALUE_LENGTH * 4];
  uint64_t offset = 0;
  for (;;) {
    size_t length = os::read_file("/proc/self/environ", buffer, sizeof buffer - 1, offset);
    if (!length)
      return;
    buffer[length] = 0;
    size_t entry = 0;
    while (entry < length) {
      size_t end = entry;
      while (end < length && buffer[end])
        ++end;
      if (end == length && entry > 0)
        break; // cut: read on from this entry
      if (end - entry > kPrefixLength && has_prefix(buffer + entry))
        return parse_options(buffer + entry + kPrefixLength, end - entry - kPrefixLength,
                             g_options);
      entry = end + 1;
    }
    offset += entry < length ? entry : length;
  }
}

} // namespace

void parse_options(const char *text, size_t length, Options &options) {
#define OPTION(type, name, default_value, meaning) set_default(options.name, default_value);
#include "abi/options.def"
#undef OPTION
  for (size_t from = 0; from < length;) {
    size_t end = from;
    while (end < length && text[end] != ':')
      ++end;
    take_pair(text + from, end - from, options);
    from = end + 1;
  }
}

const Options &options() {
  if (__atomic_load_n(&g_read, __ATOMIC_ACQUIRE))
    return g_options;
  os::Hold hold(g_lock);
  if (!g_read) {
    parse_options("", 0, g_options);
    if (&environ && environ)
      read_from_environ();
    else
      read_from_kernel();
    __atomic_store_n(&g_read, true, __ATOMIC_RELEASE);
  }
  return g_options;
}

} // namespace culprit::start
