// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A catalogue of stars, sorted by one field after the other with a merge sort of ours, which copies
// the entries to and fro. The input is "star NAME CLASS"; the rest of the catalogue is made up. A
// name is put into its entry letter by letter, and what describes the star's class lies behind it.
#include <cstdio>
#include <cstring>

namespace {

constexpr unsigned kStars = 20000;

struct Kind {
  const char *name;
  unsigned stars;
};

struct Star {
  unsigned magnitude;
  char name[20];
  Kind *kind;
  unsigned distance;
};

Kind kinds[] = {{"giant", 0}, {"dwarf", 0}, {"pulsar", 0}, {"nova", 0}};

Kind *kind_of(const char *name) {
  for (Kind &kind : kinds)
    if (std::strcmp(kind.name, name) == 0)
      return &kind;
  return &kinds[0];
}

class Catalogue {
public:
  Catalogue() : stars_(new Star[kStars]), work_(new Star[kStars]) {}
  ~Catalogue() {
    delete[] stars_;
    delete[] work_;
  }
  Catalogue(const Catalogue &) = delete;
  Catalogue &operator=(const Catalogue &) = delete;

  void add(const char *name, Kind *kind) {
    if (used_ == kStars)
      return;
    Star &star = stars_[used_++];
    star.kind = kind;
    star.magnitude = next() % 1000;
    star.distance = next();
    unsigned i = 0;
    for (; name[i]; ++i)
      star.name[i] = name[i]; // culprit: first corruption
    star.name[i] = '\0';
  }
  void fill() {
    char name[16];
    while (used_ < kStars) {
      std::snprintf(name, sizeof name, "S%u", next() % 1000000);
      add(name, &kinds[next() % 4]);
    }
  }
  template <typename Less> void sort(Less less) { sort(0, used_, less); }
  void count() const {
    for (unsigned i = 0; i < used_; ++i)
      ++stars_[i].kind->stars;
  }
  const Star &operator[](unsigned i) const { return stars_[i]; }

private:
  unsigned next() {
    seed_ = seed_ * 1103515245u + 12345u;
    return seed_ >> 12;
  }
  template <typename Less> void sort(unsigned from, unsigned to, Less less) {
    if (to - from < 2)
      return;
    const unsigned middle = from + (to - from) / 2;
    sort(from, middle, less);
    sort(middle, to, less);
    unsigned left = from, right = middle;
    for (unsigned i = from; i < to; ++i) {
      const bool take_right = right < to && (left == middle || less(stars_[right], stars_[left]));
      work_[i] = take_right ? stars_[right++] : stars_[left++];
    }
    for (unsigned i = from; i < to; ++i)
      stars_[i] = work_[i];
  }

  Star *stars_;
  Star *work_;
  unsigned used_ = 0;
  unsigned seed_ = 7;
};

} // namespace

int main() {
  Catalogue catalogue;
  char line[128], name[64], kind[32];
  while (std::fgets(line, sizeof line, stdin))
    if (std::sscanf(line, "star %63s %31s", name, kind) == 2)
      catalogue.add(name, kind_of(kind));
  catalogue.fill();
  catalogue.sort([](const Star &a, const Star &b) { return a.distance < b.distance; });
  catalogue.sort([](const Star &a, const Star &b) { return a.magnitude < b.magnitude; });
  catalogue.sort([](const Star &a, const Star &b) { return std::strncmp(a.name, b.name, 19) < 0; });
  catalogue.count();
  for (const Kind &each : kinds)
    std::printf("%s: %u\n", each.name, each.stars);
  std::printf("first %.20s\n", catalogue[0].name);
  return 0;
}
