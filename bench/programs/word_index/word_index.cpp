// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// word_index: reads a generated text, indexes each word by its lines, ranks words, edits the text
// and updates the index, as a small search program would. Heap: what the C++ library makes of it:
// tree nodes (std::map, std::set), list nodes (std::list), hash nodes and growing bucket arrays
// (std::unordered_map), strings beyond the small-string limit, vectors that double. Nodes are
// linked inside libstdc++'s own functions, out of an instrumentation's sight. Arguments: LINES
// EDITS.

#include "../program.h"
#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Line {
  uint32_t number;
  std::vector<std::string> words;
};

using Text = std::list<Line>;

struct Index {
  std::unordered_map<std::string, std::set<uint32_t>> lines_of;
  std::map<std::string, uint64_t> occurrences;
};

std::string make_word(Random &random) {
  static const char *const parts[] = {"con", "ver", "sion", "inter", "na", "tion", "al", "pre",
                                      "fix", "re",  "port", "able",  "un", "der",  "ly", "ing"};
  // The smaller of two draws: a few words are frequent, many are rare, as in real text.
  uint32_t rank = std::min(random_below(&random, 6000), random_below(&random, 6000));
  Random of_word = {rank};
  std::string word;
  for (uint32_t i = 1 + random_below(&of_word, 6); i > 0; i--)
    word += parts[random_below(&of_word, sizeof parts / sizeof *parts)];
  return word;
}

Line make_line(uint32_t number, Random &random) {
  Line line{number, {}};
  for (uint32_t i = 4 + random_below(&random, 10); i > 0; i--)
    line.words.push_back(make_word(random));
  return line;
}

void enter(Index &index, const Line &line) {
  for (const std::string &word : line.words) {
    index.lines_of[word].insert(line.number);
    index.occurrences[word]++;
  }
}

void remove(Index &index, const Line &line) {
  for (const std::string &word : line.words) {
    if (auto lines = index.lines_of.find(word); lines != index.lines_of.end()) {
      lines->second.erase(line.number);
      if (lines->second.empty())
        index.lines_of.erase(lines);
    }
    if (auto count = index.occurrences.find(word); --count->second == 0)
      index.occurrences.erase(count);
  }
}

// Removes a line here, inserts one there; the list keeps its order, the index follows.
void edit(Text &text, Index &index, uint32_t edits, uint32_t next_number, Random &random) {
  auto at = text.begin();
  for (uint32_t i = 0; i < edits; i++) {
    for (uint32_t steps = random_below(&random, 50); steps > 0; steps--)
      if (++at == text.end())
        at = text.begin();
    remove(index, *at);
    at = text.erase(at);
    if (at == text.end())
      at = text.begin();
    at = text.insert(at, make_line(next_number++, random));
    enter(index, *at);
  }
}

uint64_t hash(const std::string &word) {
  uint64_t checksum = 0;
  for (char letter : word)
    checksum = mix(checksum, static_cast<unsigned char>(letter));
  return checksum;
}

// Over the ordered containers only: the order inside a hash table is the library's own affair.
uint64_t checksum_of(const Index &index) {
  uint64_t checksum = 0;
  for (const auto &[word, count] : index.occurrences) {
    checksum = mix(checksum, hash(word) + count);
    for (uint32_t line : index.lines_of.at(word))
      checksum = mix(checksum, line);
  }
  std::vector<std::pair<uint64_t, std::string>> ranked;
  for (const auto &[word, count] : index.occurrences)
    ranked.emplace_back(count, word);
  std::sort(ranked.rbegin(), ranked.rend());
  for (const auto &[count, word] : ranked)
    checksum = mix(checksum, hash(word) ^ count);
  return checksum;
}

} // namespace

int main(int argc, char **argv) {
  const char *usage = "LINES EDITS";
  uint32_t lines = size_argument(argc, argv, 1, usage);
  uint32_t edits = size_argument(argc, argv, 2, usage);
  Random random = {lines};
  Text text;
  Index index;
  for (uint32_t i = 0; i < lines; i++) {
    text.push_back(make_line(i, random));
    enter(index, text.back());
  }
  uint64_t checksum = checksum_of(index);
  edit(text, index, edits, lines, random);
  checksum = mix(checksum, checksum_of(index));
  printf("word_index lines %zu words %zu checksum %016llx\n", text.size(), index.occurrences.size(),
         static_cast<unsigned long long>(checksum));
  return 0;
}
