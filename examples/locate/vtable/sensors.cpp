// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sensors in one array, each with a label: "label N TEXT", "read". A label that is too long runs
// into the next sensor, of which the first word is its virtual table.
#include <cstdio>
#include <cstring>
#include <new>

namespace {

class Sensor {
public:
  explicit Sensor(int base) : base_(base) {}
  virtual ~Sensor() = default;
  virtual int read(int time) const = 0;
  void label(const char *text) {
    char *to = label_;
    while (*text)
      *to++ = *text++; // culprit: first corruption
    *to = '\0';
  }
  const char *label() const { return label_; }

protected:
  int base_;

private:
  char label_[20] = "";
};

class Thermometer : public Sensor {
public:
  using Sensor::Sensor;
  int read(int time) const override { return base_ + time % 7; }
};

class Barometer : public Sensor {
public:
  using Sensor::Sensor;
  int read(int time) const override { return base_ * 10 + time % 3; }
};

class Station {
public:
  Station() {
    for (int i = 0; i < kSensors; ++i) {
      if (i % 2)
        new (at(i)) Barometer(i);
      else
        new (at(i)) Thermometer(i);
    }
  }
  ~Station() {
    for (int i = 0; i < kSensors; ++i)
      at(i)->~Sensor();
    ::operator delete(room_);
  }
  Station(const Station &) = delete;
  Station &operator=(const Station &) = delete;
  Sensor *at(int i) { return reinterpret_cast<Sensor *>(room_ + i * sizeof(Thermometer)); }
  static constexpr int kSensors = 6;

private:
  char *room_ = static_cast<char *>(::operator new(kSensors * sizeof(Thermometer)));
};

} // namespace

int main() {
  Station station;
  char line[128], text[100];
  int which = 0, time = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "label %d %99s", &which, text) == 2)
      station.at(which % Station::kSensors)->label(text);
    else if (std::strncmp(line, "read", 4) == 0)
      for (int i = 0; i < Station::kSensors; ++i)
        std::printf("%d %d %s\n", i, station.at(i)->read(++time), station.at(i)->label());
  }
  return 0;
}
