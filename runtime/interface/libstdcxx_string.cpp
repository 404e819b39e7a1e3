// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer of a std::string, when libstdc++'s own code allocates it. Such a buffer holds no
// pointers and belongs to the code that called the string: made here, it has that code's context
// and is an ordinary block; made by libstdc++'s operator new, it would be one that unseen native
// code may write, looked at in every scan. Weak: in a static link libstdc++'s definition, which
// comes with many others, stands, and its buffers are native blocks.
#include "runtime/heap/allocate.h"
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/state.h"

using namespace culprit;

// NOLINTBEGIN(cert-dcl58-cpp,readability-identifier-naming): libstdc++'s names
namespace std {

[[noreturn]] __attribute__((weak, visibility("default"))) void
__throw_length_error(const char *message);
template <typename Char> struct char_traits;
template <typename T> class allocator;

namespace __cxx11 {
template <typename Char, typename Traits, typename Allocator> class basic_string {
public:
  __attribute__((weak, visibility("default"))) Char *_M_create(size_t &capacity, size_t old);
};

// At least twice what it was, so that appending is cheap: as libstdc++ promises.
template <typename Char, typename Traits, typename Allocator>
Char *basic_string<Char, Traits, Allocator>::_M_create(size_t &capacity, size_t old) {
  constexpr size_t kMost = PTRDIFF_MAX / sizeof(Char) - 1;
  if (capacity > kMost) {
    if (std::__throw_length_error)
      std::__throw_length_error("basic_string::_M_create");
    heap::stop_with("std::string: too long\n");
  }
  if (capacity > old && capacity < 2 * old)
    capacity = 2 * old < kMost ? 2 * old : kMost;
  size_t bytes = (capacity + 1) * sizeof(Char);
  if (monitor::g_on && bytes < heap::kTableLimit)
    if (void *block = monitor::allocate(bytes, monitor::current_context()))
      return static_cast<Char *>(block);
  return static_cast<Char *>(::operator new(bytes));
}

template class __attribute__((
    visibility("default"))) basic_string<char, char_traits<char>, allocator<char>>;
template class __attribute__((
    visibility("default"))) basic_string<wchar_t, char_traits<wchar_t>, allocator<wchar_t>>;
} // namespace __cxx11

} // namespace std
// NOLINTEND(cert-dcl58-cpp,readability-identifier-naming)
