// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters by name: the arguments are "NAME" or "NAME=NUMBER", each applied to a value. A filter
// that does not know its number throws, is caught, and another one is asked for, which there may
// not be.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

class Filter {
public:
  virtual ~Filter() = default;
  virtual long apply(long value, long number) const = 0;
  virtual const char *instead() const { return ""; }
};

class Shift : public Filter {
public:
  long apply(long value, long number) const override {
    if (number < 0 || number > 62)
      throw std::invalid_argument("shift");
    return value << number;
  }
  const char *instead() const override { return "scale"; }
};

class Offset : public Filter {
public:
  long apply(long value, long number) const override { return value + number; }
};

const Shift shift;
const Offset offset;

struct Named {
  const char *name;
  const Filter *filter;
};

const Named known[] = {{"shift", &shift}, {"offset", &offset}};

const Filter *find(const char *name) {
  for (const Named &one : known)
    if (std::strncmp(one.name, name, std::strlen(one.name)) == 0)
      return one.filter;
  return nullptr; // culprit: first corruption
}

long apply(const char *word, long value) {
  const char *equals = std::strchr(word, '=');
  const long number = equals ? std::strtol(equals + 1, nullptr, 10) : 1;
  const Filter *filter = find(word);
  if (!filter)
    return value;
  try {
    return filter->apply(value, number);
  } catch (const std::invalid_argument &) {
    const Filter *other = find(filter->instead());
    return other->apply(value, number); // culprit: the error
  }
}

} // namespace

int main(int argc, char **argv) {
  long value = 3;
  for (int i = 1; i < argc; ++i)
    value = apply(argv[i], value);
  std::printf("%ld\n", value);
  return 0;
}
