// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last eight samples in a ring: numbers are added, "@N" puts the one of N samples ago right.
// The remainder of a negative number is negative, so that what is put right may lie in front of the
// ring, where the ring keeps whom it tells.
#include <cstdio>
#include <cstdlib>

namespace {

class Log {
public:
  explicit Log(const char *name) : name_(name) {}
  void say(double value) const { std::printf("%s: %g\n", name_, value); }

private:
  const char *name_;
};

class Ring {
public:
  explicit Ring(const Log *log) : log_(log) {}
  void add(double value) {
    samples_[next_] = value;
    next_ = (next_ + 1) % kSamples;
  }
  void amend(int back, double value) {
    samples_[(next_ - back) % kSamples] = value; // culprit: first corruption
  }
  void tell() const {
    double sum = 0;
    for (const double sample : samples_)
      sum += sample;
    log_->say(sum / kSamples * scale_[0] + scale_[1]);
  }

private:
  static constexpr int kSamples = 8;
  int next_ = 0;
  const Log *log_;
  double scale_[2] = {1, 0};
  double samples_[kSamples] = {};
};

const Log mean("mean");
Ring ring(&mean);

} // namespace

int main(int count, char **words) {
  for (int i = 1; i < count; ++i)
    if (words[i][0] == '@')
      ring.amend(std::atoi(words[i] + 1), 1e9);
    else
      ring.add(std::atof(words[i]));
  ring.tell();
  return 0;
}
