// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of a run → places in the source. The target never symbolizes; it writes raw return
// addresses and where its modules lie, and this looks them up in the modules' debug information.
//
// Rules: what cannot be found (no file, no debug information, an address outside every module) is a
// place with fewer words, never an error: a report without a line is better than no report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::symbolize {

struct Place {
  std::string function;  // as people write it, without parameters; never empty
  std::string file = {}; // empty: not known
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const Place &) const = default;
};

// A variable of the program.
struct DataPlace {
  std::string file = {}; // where it is declared; of a symbol table: the file it names; may be empty
  unsigned line = 0;     // 0: not known
};

// A file as it lay in the target's memory.
struct Mapping {
  uint64_t low = 0; // first and past-the-last byte
  uint64_t high = 0;
  uint64_t base = 0; // address in memory minus address in the file
  std::filesystem::path file;
};

class Symbolizer {
public:
  explicit Symbolizer(std::vector<Mapping> mappings);
  Symbolizer(Symbolizer &&) noexcept;
  Symbolizer &operator=(Symbolizer &&) noexcept;
  ~Symbolizer();

  // The places of one return address, innermost inlined function first; at least one.
  const std::vector<Place> &return_address(uint64_t address);
  // Whether nobody wrote the function of the n-th of these places: a class's own copy constructor,
  // which stands at the line of the class.
  bool is_implicit(uint64_t address, size_t n) const;
  // The variable at an address.
  DataPlace variable(uint64_t address) const;
  // The file an address lies in; null: none.
  const Mapping *mapping_of(uint64_t address) const;

private:
  std::vector<Place> look_up(uint64_t address) const;

  struct Library; // LLVM's, kept out of this header
  std::vector<Mapping> mappings_;
  std::unique_ptr<Library> library_;
  std::map<uint64_t, std::vector<Place>> known_;
};

// "_ZN5Queue4pushEPKc" → "Queue::push"; names that are no mangled ones are returned as they are.
std::string readable_name(std::string_view linkage_name);

} // namespace culprit::symbolize
