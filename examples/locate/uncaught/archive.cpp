// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an archive of named parts: "part NAME LENGTH" lines, then "read NAME". A length that is
// larger than the archive is an error that nobody catches; the name of a part runs into its length.
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

constexpr unsigned kBytes = 4096;
constexpr unsigned kParts = 16;

struct Part {
  char name[12];
  unsigned start;
  unsigned length;
};

class Archive {
public:
  void add(const char *name, unsigned length) {
    if (count_ == kParts || length > kBytes - used_)
      return;
    Part &part = parts_[count_++];
    part.start = used_;
    part.length = length;
    std::strcpy(part.name, name); // culprit: first corruption
    used_ += length;
  }
  unsigned sum(const char *name) const {
    for (unsigned i = 0; i < count_; ++i)
      if (std::strncmp(parts_[i].name, name, 8) == 0)
        return sum_of(parts_[i]);
    return 0;
  }

private:
  unsigned sum_of(const Part &part) const {
    if (part.start > kBytes || part.length > kBytes - part.start)
      throw std::out_of_range("part lies outside the archive");
    unsigned sum = 0;
    for (unsigned i = 0; i < part.length; ++i)
      sum += bytes_[part.start + i];
    return sum;
  }

  Part parts_[kParts]{};
  unsigned char bytes_[kBytes]{};
  unsigned count_ = 0, used_ = 0;
};

Archive archive;

} // namespace

int main() {
  char line[128], name[64];
  unsigned length = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "part %63s %u", name, &length) == 2)
      archive.add(name, length);
    else if (std::sscanf(line, "read %63s", name) == 1)
      std::printf("%s: %u\n", name, archive.sum(name));
  }
  return 0;
}
