// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See arrangement.h.
#include "engine/locate/arrangement.h"

#include "abi/layout.h"
#include "abi/locate.h"
#include "engine/heap/sites.h"
#include "engine/locate/pairing.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>

namespace culprit::locate {
namespace {

// On either side of a variable. An index that is too large by a few, negative since it is a letter
// above 127 in a signed char, or that strides, strides the further the larger its array is. Those
// of globals cost nothing while the program runs, those of a frame are filled each time it begins.
constexpr uint64_t kFence = 32;
constexpr uint64_t kLongestLocalFence = 128;
constexpr uint64_t kLongestFence = 1024;
constexpr uint64_t kArenaStart = 1U << 16;
constexpr uint64_t kSentinelArea = 16; // the sentinel and what is unused behind it
constexpr uint64_t kArgumentUnit = 8;
constexpr const char *kBlocksApart = "up to 1 KiB between heap blocks";
constexpr size_t kNamedPairs = 8;        // of an order's name
constexpr uint64_t kBlockAlignment = 64; // of an activation's own block

uint64_t align_to(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct Fence {
  uint64_t offset;
  uint64_t length;
  uint64_t start; // of the variable it belongs to
  uint64_t size;
  uint32_t definition;
};

// Puts variables one behind the other, from low to high.
class Line {
public:
  Line(uint64_t begin, uint64_t longest_fence) : end_(begin), longest_fence_(longest_fence) {}

  // Returns its offset. Close: right behind the one before. `next`: the alignment of what will
  // follow closely; 1: nothing will.
  uint64_t put(const Variable &variable, bool close, uint64_t next) {
    const uint64_t fences = fence_behind() + fence_of(variable.size);
    uint64_t start = align_to(end_ + (close ? 0 : fences), variable.alignment);
    // Ending on a cell's border, too: the cell's id is that of its last write alone.
    const uint64_t wanted = std::max<uint64_t>(next, CULPRIT_CELL_BYTES);
    for (uint64_t step = 0; !close && step < wanted; step += variable.alignment)
      if ((start + step + variable.size) % wanted == 0) {
        start += step;
        break;
      }
    const uint64_t gap = start - end_;
    const uint64_t of_last = close ? gap : fence_behind();
    close_gap(of_last);
    if (gap != of_last)
      fences_.push_back({end_ + of_last, gap - of_last, start, variable.size, variable.definition});
    last_ = &variable;
    last_start_ = start;
    end_ = start + variable.size;
    return start;
  }

  // A fence of the last variable, up to `offset`.
  void end_at(uint64_t offset) {
    close_gap(offset - end_);
    end_ = offset;
  }
  uint64_t end() const { return end_; }
  uint64_t fence_behind() const { return last_ ? fence_of(last_->size) : 0; }
  const std::vector<Fence> &fences() const { return fences_; }

private:
  uint64_t fence_of(uint64_t size) const {
    return std::clamp(align_to(2 * size, 16), kFence, longest_fence_);
  }
  void close_gap(uint64_t length) {
    if (length != 0 && last_ != nullptr)
      fences_.push_back({end_, length, last_start_, last_->size, last_->definition});
  }

  uint64_t end_;
  uint64_t longest_fence_;
  const Variable *last_ = nullptr;
  uint64_t last_start_ = 0;
  std::vector<Fence> fences_;
};

// The variables `numbers`, those of a pair one behind the other; a chain that ends in `last` comes
// last.
std::vector<std::vector<size_t>> chains(const std::vector<size_t> &numbers, const Pairs &pairs,
                                        std::optional<size_t> last) {
  std::map<size_t, size_t> behind;
  std::map<size_t, size_t> before;
  for (const Pair &pair : pairs) {
    behind[pair.buffer] = pair.address;
    before[pair.address] = pair.buffer;
  }
  std::vector<std::vector<size_t>> all;
  std::vector<size_t> at_the_end;
  for (const size_t first : numbers) {
    if (before.contains(first))
      continue;
    std::vector<size_t> chain = {first};
    while (behind.contains(chain.back()))
      chain.push_back(behind[chain.back()]);
    if (last && chain.back() == *last)
      at_the_end = std::move(chain);
    else
      all.push_back(std::move(chain));
  }
  if (!at_the_end.empty())
    all.push_back(std::move(at_the_end));
  return all;
}

class Writer {
public:
  explicit Writer(const Variables &variables) : variables_(variables) {}

  // A local that is to lie among the globals.
  struct Guest {
    size_t frame;
    size_t variable;
  };

  // Numbers behind those of the globals are guests.
  void globals(const Pairs &pairs, const std::vector<Guest> &guests) {
    const size_t own = variables_.globals.size();
    std::vector<size_t> numbers(own + guests.size());
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = i;
    const auto variable = [&](size_t number) -> const Variable & {
      if (number < own)
        return variables_.globals[number];
      const Guest &guest = guests[number - own];
      return variables_.frames[guest.frame].variables[guest.variable];
    };
    Line line(kArenaStart, kLongestFence);
    for (const std::vector<size_t> &chain : chains(numbers, pairs, std::nullopt))
      for (size_t i = 0; i < chain.size(); ++i) {
        const uint64_t next = i + 1 < chain.size() ? variable(chain[i + 1]).alignment : 1;
        const uint64_t offset = line.put(variable(chain[i]), i != 0, next);
        if (chain[i] < own)
          fmt::format_to(out(), "g {} {}\n", chain[i], offset);
        else
          fmt::format_to(out(), "l {} {}\n", entry_of(guests[chain[i] - own]), offset);
      }
    line.end_at(line.end() + line.fence_behind());
    for (const Fence &fence : line.fences())
      fmt::format_to(out(), "w {} {} {} {} {}\n", fence.offset, fence.length, fence.start,
                     fence.size, fence.definition);
    for (const Pair &pair : pairs) {
      std::string owner;
      if (pair.address >= own)
        owner = owner_of(variables_.frames[guests[pair.address - own].frame]);
      name_pair(variable(pair.buffer).name, owner + variable(pair.address).name);
    }
  }

  // In `pairs` the number behind those of the variables is the sentinel.
  void frame(const Frame &frame, const Pairs &pairs, const std::vector<size_t> &elsewhere) {
    const size_t sentinel = frame.variables.size();
    std::vector<size_t> numbers; // as clang has them: the first declared highest
    for (size_t i = sentinel; i-- > 0;)
      if (!frame.variables[i].is_argument && std::ranges::find(elsewhere, i) == elsewhere.end())
        numbers.push_back(i);
    Line line(0, kLongestLocalFence);
    bool is_close = false; // to the sentinel
    for (const std::vector<size_t> &chain : chains(numbers, pairs, sentinel))
      for (size_t i = 0; i < chain.size(); ++i) {
        if (chain[i] == sentinel) {
          is_close = i != 0;
          continue;
        }
        const uint64_t next = i + 1 == chain.size()      ? 1
                              : chain[i + 1] == sentinel ? kSentinelArea
                                                         : frame.variables[chain[i + 1]].alignment;
        const uint64_t offset = line.put(frame.variables[chain[i]], i != 0, next);
        entry(frame, chain[i], offset);
      }
    const uint64_t base = align_to(
        line.end() + (is_close ? 0 : line.fence_behind()) + kSentinelArea, frame.alignment);
    line.end_at(base - kSentinelArea);
    uint64_t height = 0;
    for (size_t i = 0; i < frame.variables.size(); ++i) {
      const Variable &variable = frame.variables[i];
      if (!variable.is_argument)
        continue;
      height = align_to(height, variable.alignment);
      entry(frame, i, base + height);
      height = align_to(height + variable.size, kArgumentUnit);
    }
    fmt::format_to(out(), "v {} {}\n", frame.first_entry, base + align_to(height, frame.alignment));
    fmt::format_to(out(), "v {} {}\n", frame.first_entry + 1, base - kSentinelArea);
    for (const Fence &fence : line.fences())
      fmt::format_to(out(), "f {} {} {} {} {} {}\n", frame.number, fence.offset, fence.length,
                     fence.start, fence.size, fence.definition);
    for (const Pair &pair : pairs)
      name_pair(owner_of(frame) + frame.variables[pair.buffer].name,
                pair.address == sentinel ? "the return address"
                                         : frame.variables[pair.address].name);
  }

  // Named by its pairs, of which no other order has any.
  Arrangement take() {
    std::string name;
    for (size_t i = 0; i < std::min(names_.size(), kNamedPairs); ++i)
      name += (i == 0 ? "" : ", ") + names_[i];
    if (names_.size() > kNamedPairs)
      name += fmt::format(" and {} more", names_.size() - kNamedPairs);
    return {name.empty() ? "guard words beside every variable" : std::move(name), std::move(rows_)};
  }

private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(rows_); }
  void entry(const Frame &frame, size_t variable, uint64_t offset) {
    fmt::format_to(out(), "v {} {}\n", frame.first_entry + CULPRIT_LAYOUT_FRAME_HEAD + variable,
                   offset);
  }
  uint64_t entry_of(const Guest &guest) const {
    return variables_.frames[guest.frame].first_entry + CULPRIT_LAYOUT_FRAME_HEAD + guest.variable;
  }
  static std::string owner_of(const Frame &frame) {
    return heap::short_function(frame.function) + "::";
  }
  void name_pair(const std::string &buffer, const std::string &address) {
    names_.push_back(fmt::format("{} before {}", buffer, address));
  }

  const Variables &variables_;
  std::string rows_;
  std::vector<std::string> names_;
};

std::vector<Pairs> pairs_of(const std::vector<GlobalVariable> &globals, size_t most) {
  std::vector<size_t> buffers;
  std::vector<size_t> addresses;
  for (size_t i = 0; i < globals.size(); ++i) {
    if (globals[i].is_buffer)
      buffers.push_back(i);
    if (globals[i].is_address)
      addresses.push_back(i);
  }
  return pair_up(buffers, addresses, most);
}

std::vector<Pairs> pairs_of(const Frame &frame, size_t most) {
  std::vector<size_t> buffers;
  std::vector<size_t> addresses;
  for (size_t i = 0; i < frame.variables.size(); ++i) {
    if (frame.variables[i].is_argument)
      continue;
    if (frame.variables[i].is_buffer)
      buffers.push_back(i);
    if (frame.variables[i].is_address)
      addresses.push_back(i);
  }
  addresses.push_back(frame.variables.size()); // the sentinel
  return pair_up(buffers, addresses, most);
}

Pairs nth(const std::vector<Pairs> &orders, size_t n) {
  return n < orders.size() ? orders[n] : Pairs{};
}

// Global buffers and the address variables of frames that are alone.
void add_guests(const Variables &variables, size_t most, std::vector<Arrangement> &all) {
  std::vector<size_t> buffers;
  for (size_t i = 0; i < variables.globals.size(); ++i)
    if (variables.globals[i].is_buffer)
      buffers.push_back(i);
  std::vector<Writer::Guest> guests;
  std::vector<size_t> addresses;
  for (size_t f = 0; f < variables.frames.size(); ++f)
    for (size_t i = 0; variables.frames[f].is_alone && i < variables.frames[f].variables.size();
         ++i) {
      const Variable &variable = variables.frames[f].variables[i];
      if (!variable.is_address || variable.is_argument || variable.is_buffer)
        continue;
      addresses.push_back(variables.globals.size() + guests.size());
      guests.push_back({f, i});
    }
  for (const Pairs &pairs : pair_up(buffers, addresses, most - all.size())) {
    Writer writer(variables);
    writer.globals(pairs, guests);
    for (size_t f = 0; f < variables.frames.size(); ++f) {
      std::vector<size_t> elsewhere;
      for (const Writer::Guest &guest : guests)
        if (guest.frame == f)
          elsewhere.push_back(guest.variable);
      writer.frame(variables.frames[f], {}, elsewhere);
    }
    all.push_back(writer.take());
  }
}

} // namespace

Arrangement with_fences(const Variables &variables) {
  Writer writer(variables);
  writer.globals({}, {});
  for (const Frame &frame : variables.frames)
    writer.frame(frame, {}, {});
  return writer.take();
}

Arrangement with_left_frames(const Variables &variables) {
  Arrangement kept{.name = "variables of functions that have returned are not used again",
                   .rows = {}};
  for (const Frame &frame : variables.frames) {
    uint64_t offset = 0;
    for (size_t i = 0; i < frame.variables.size(); ++i) {
      const Variable &variable = frame.variables[i];
      if (variable.is_argument || variable.alignment > kBlockAlignment)
        continue;
      // None beside another: who runs past its end meets nobody.
      offset = align_to(offset, std::max<uint64_t>(variable.alignment, 16));
      fmt::format_to(std::back_inserter(kept.rows), "k {} {} {} {} {}\n", frame.number,
                     frame.first_entry + CULPRIT_LAYOUT_FRAME_HEAD + i, offset, variable.size,
                     variable.definition);
      offset += variable.size + kFence;
    }
  }
  return kept;
}

bool puts_blocks_apart(std::string_view name) { return name == kBlocksApart; }

std::vector<Arrangement> with_other_contents() {
  return {{.name = "fresh memory is zero", .rows = {}, .contents = CULPRIT_CONTENTS_ZERO},
          {.name = "fresh memory is zero, freed memory is left as it was",
           .rows = {},
           .contents = CULPRIT_CONTENTS_LEFT},
          {.name = kBlocksApart, .rows = {}, .contents = CULPRIT_CONTENTS_APART},
          {.name = "freed memory may not be read", .rows = {}, .contents = CULPRIT_CONTENTS_READ}};
}

Arrangement with_unwritten_locals() {
  return {.name = "local variables do not begin as zeros",
          .rows = {},
          .contents = CULPRIT_CONTENTS_LOCALS};
}

bool has_other_contents(std::string_view name) {
  return name == with_unwritten_locals().name ||
         std::ranges::any_of(with_other_contents(),
                             [&](const Arrangement &one) { return one.name == name; });
}

bool needs_origins(std::string_view name) { return name == with_other_contents().back().name; }

std::vector<Arrangement> with_pairs(const Variables &variables, size_t most) {
  const std::vector<Pairs> of_globals = pairs_of(variables.globals, most);
  std::vector<std::vector<Pairs>> of_frames;
  size_t rounds = of_globals.size();
  for (const Frame &frame : variables.frames) {
    of_frames.push_back(pairs_of(frame, most));
    rounds = std::max(rounds, of_frames.back().size());
  }
  std::vector<Arrangement> all;
  for (size_t round = 0; round < rounds; ++round) {
    Writer writer(variables);
    writer.globals(nth(of_globals, round), {});
    for (size_t f = 0; f < variables.frames.size(); ++f)
      writer.frame(variables.frames[f], nth(of_frames[f], round), {});
    all.push_back(writer.take());
  }
  if (all.size() < most)
    add_guests(variables, most, all);
  return all;
}

} // namespace culprit::locate
