// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What weather stations have sent, in records of fixed size as they go out by radio. The input is a
// list of telegrams, one a line:
//   station NUMBER NAME           a station; the rest of the line is its name
//   remark NUMBER TEXT            what its keeper says
//   values NUMBER VALUE...        measured values, of which the last ones are kept
//   route NUMBER STATION...       whom it passes telegrams on to
//   urgent NUMBER LEVEL           somebody should look there
//   send NUMBER                   the record goes out to all of its route
// Everything is copied by the same functions of the C++ library, and once by a wrong length.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kName = 20;
constexpr std::size_t kRemark = 36;
constexpr std::size_t kValues = 8;
constexpr std::size_t kRoute = 4;

// As it goes out.
struct Record {
  std::array<char, kName> name;
  std::array<char, kRemark> remark;
  std::array<int, kRoute> route;
  std::array<int, kValues> values;
  int urgency;
  int hops;
  unsigned sent;
};

class Network {
public:
  void station(int number, const std::string &name) {
    Record &record = records_[number];
    record = Record{};
    name.copy(record.name.data(), record.name.size() - 1);
  }

  void remark(int number, const std::string &text) {
    Record *record = find(number);
    if (record == nullptr)
      return;
    record->remark.fill('\0');
    text.copy(record->remark.data(), record->remark.size() - 1);
  }

  void values(int number, const std::vector<int> &list) {
    Record *record = find(number);
    if (record == nullptr)
      return;
    std::size_t count = std::min(list.size(), record->values.size());
    std::copy(list.end() - static_cast<long>(count), list.end(), record->values.begin());
  }

  void route(int number, const std::vector<int> &list) {
    Record *record = find(number);
    if (record == nullptr)
      return;
#ifdef FIXED
    std::size_t count = std::min(list.size(), record->route.size());
#else
    std::size_t count = std::min(list.size(), record->values.size());
#endif
    record->route.fill(0);
    auto end = list.begin() + static_cast<long>(count);
    std::copy(list.begin(), end, record->route.begin()); // guilty: route takes another list's size
  }

  void urgent(int number, int level) {
    if (Record *record = find(number)) {
      record->urgency = level;
      ++record->hops;
    }
  }

  // The newest records are kept by value.
  void send(int number) {
    Record *record = find(number);
    if (record == nullptr)
      return;
    for (int to : record->route)
      if (to != 0 && records_.count(to) != 0)
        ++record->sent;
    if (newest_.size() == 10)
      newest_.erase(newest_.begin());
    newest_.push_back(*record);
  }

  void report(std::ostream &out) const {
    for (const auto &[number, record] : records_) {
      std::array<int, kValues> sorted{};
      std::copy(record.values.begin(), record.values.end(), sorted.begin());
      std::sort(sorted.begin(), sorted.end());
      out << number << ' ' << record.name.data() << ": " << sorted.front() << " to "
          << sorted.back() << ", sent " << record.sent << '\n';
    }
    for (const Record &record : newest_)
      out << record.name.data() << ' ' << record.remark.data() << ' ' << record.urgency << '\n';
    out << refused_ << " for nobody\n";
  }

private:
  Record *find(int number) {
    auto found = records_.find(number);
    if (found != records_.end())
      return &found->second;
    ++refused_;
    return nullptr;
  }

  std::map<int, Record> records_;
  std::vector<Record> newest_;
  unsigned refused_ = 0;
};

std::vector<int> numbers_of(std::istream &words) {
  std::vector<int> list;
  for (int value = 0; words >> value;)
    list.push_back(value);
  return list;
}

std::string rest_of(std::istream &words) {
  std::string text;
  std::getline(words >> std::ws, text);
  return text;
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "/dev/stdin");
  if (!script) {
    std::cerr << "cannot read the telegrams\n";
    return 2;
  }
  Network network;
  for (std::string line; std::getline(script, line);) {
    std::istringstream words(line);
    std::string kind;
    int number = 0;
    words >> kind >> number;
    if (kind == "station")
      network.station(number, rest_of(words));
    else if (kind == "remark")
      network.remark(number, rest_of(words));
    else if (kind == "values")
      network.values(number, numbers_of(words));
    else if (kind == "route")
      network.route(number, numbers_of(words));
    else if (kind == "urgent" && words >> line)
      network.urgent(number, std::atoi(line.c_str()));
    else if (kind == "send")
      network.send(number);
  }
  network.report(std::cout);
  return 0;
}
