// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A road map as a graph with adjacency lists: towns, and roads with their length in kilometres. The
// input is a file, one item a line:
//   town NAME: OTHER=KM, OTHER=KM, ...   a town and its roads; replaces what was known of it
//   gone NAME                            a town and all roads to it disappear
//   route FROM TO                        the shortest way
// Prints a summary at the end.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <list>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

struct Town;

struct Road {
  Town *to;
  double kilometres;
};

struct Town {
  std::string name;
  std::list<Road> roads;
  double distance = 0;
  unsigned search = 0;
};

std::string trimmed(const std::string &text) {
  auto first = text.find_first_not_of(" \t");
  auto last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

class Map {
public:
  Map() = default;
  ~Map() {
    for (auto &[name, town] : towns_)
      delete town;
  }
  Map(const Map &) = delete;
  Map &operator=(const Map &) = delete;

  void read_town(const std::string &line);
  void remove(const std::string &name);
  void route(const std::string &from, const std::string &to);
  void print() const;

private:
  Town *town(const std::string &name);
  static void connect(Town *from, Town *to, double kilometres);
  static void disconnect(Town *from, const Town *to);
  void read_roads(Town *from, const std::string &list);

  std::unordered_map<std::string, Town *> towns_;
  unsigned searches_ = 0;
  unsigned long settled_ = 0;
  double travelled_ = 0;
};

Town *Map::town(const std::string &name) {
  Town *&town = towns_[name];
  if (!town) {
    town = new Town;
    town->name = name;
  }
  return town;
}

void Map::connect(Town *from, Town *to, double kilometres) {
  for (Road &road : from->roads)
    if (road.to == to) {
      road.kilometres = kilometres;
      return;
    }
  from->roads.push_back({to, kilometres});
}

void Map::disconnect(Town *from, const Town *to) {
  from->roads.remove_if([to](const Road &road) { return road.to == to; });
}

void Map::read_roads(Town *from, const std::string &list) {
  std::size_t start = 0;
  while (start < list.size()) {
    std::size_t end =
        list.find(',', start); // guilty: read_roads takes a decimal comma for the next road
#ifdef FIXED
    while (end != std::string::npos && end + 1 < list.size() && list[end + 1] != ' ')
      end = list.find(',', end + 1);
#endif
    if (end == std::string::npos)
      end = list.size();
    std::string road = trimmed(list.substr(start, end - start));
    start = end + 1;
    if (road.empty())
      continue;
    std::size_t equals = road.find('=');
    std::string length = equals == std::string::npos ? "1" : road.substr(equals + 1);
    if (std::size_t comma = length.find(','); comma != std::string::npos)
      length[comma] = '.';
    Town *to = town(trimmed(road.substr(0, equals)));
    double kilometres = std::strtod(length.c_str(), nullptr);
    connect(from, to, kilometres);
    connect(to, from, kilometres);
  }
}

void Map::read_town(const std::string &line) {
  auto colon = line.find(':');
  if (colon == std::string::npos)
    return;
  Town *from = town(trimmed(line.substr(0, colon)));
  for (const Road &road : from->roads)
    if (road.to != from)
      disconnect(road.to, from);
  from->roads.clear();
  read_roads(from, line.substr(colon + 1));
}

void Map::remove(const std::string &name) {
  auto found = towns_.find(name);
  if (found == towns_.end())
    return;
  Town *gone = found->second;
  for (const Road &road : gone->roads)
    if (road.to != gone)
      disconnect(road.to, gone);
  towns_.erase(found);
  delete gone;
}

void Map::route(const std::string &from, const std::string &to) {
  auto start = towns_.find(from), end = towns_.find(to);
  if (start == towns_.end() || end == towns_.end())
    return;
  using Reached = std::pair<double, Town *>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  ++searches_;
  start->second->distance = 0;
  start->second->search = searches_;
  queue.emplace(0, start->second);
  while (!queue.empty()) {
    auto [distance, town] = queue.top();
    queue.pop();
    if (distance > town->distance)
      continue;
    ++settled_;
    if (town == end->second) {
      travelled_ += distance;
      return;
    }
    for (const Road &road : town->roads) {
      double further = distance + road.kilometres;
      if (road.to->search == searches_ && road.to->distance <= further)
        continue;
      road.to->search = searches_;
      road.to->distance = further;
      queue.emplace(further, road.to);
    }
  }
}

void Map::print() const {
  std::size_t roads = 0;
  for (const auto &[name, town] : towns_)
    roads += town->roads.size();
  std::printf("%zu towns, %zu roads, %u routes, %lu settled, %.1f km\n", towns_.size(), roads,
              searches_, settled_, travelled_);
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "/dev/stdin");
  if (!file) {
    std::cerr << "cannot read the map\n";
    return 2;
  }
  Map map;
  std::string line;
  while (std::getline(file, line)) {
    auto space = line.find(' ');
    std::string command = line.substr(0, space);
    std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (command == "town")
      map.read_town(rest);
    else if (command == "gone")
      map.remove(rest);
    else if (command == "route")
      map.route(rest.substr(0, rest.find(' ')), rest.substr(rest.find(' ') + 1));
  }
  map.print();
}
