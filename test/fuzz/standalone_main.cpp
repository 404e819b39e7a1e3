// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives a fuzz target without libFuzzer, for ctest: every file of the seed folders as it is, every
// cut of the small ones, then random mutations of them until the time is over. Fixed seed: a
// failure repeats. The input that crashed is in the file named by CULPRIT_FUZZ_LAST, if set, which
// libFuzzer's build of the target can take as an argument.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

void run_one(const Input &input) {
  static const char *const last = std::getenv("CULPRIT_FUZZ_LAST");
  if (last)
    std::ofstream(last, std::ios::binary)
        .write(reinterpret_cast<const char *>(input.data()),
               static_cast<std::streamsize>(input.size()));
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

Input read_input(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Input mutate(Input input, const std::vector<Input> &seeds, std::mt19937_64 &random) {
  static constexpr uint64_t kNastyNumbers[] = {
      0,      1,      7,          8,          0x7f,         0xff,
      0x7fff, 0xffff, 0x7fffffff, 0xffffffff, ~uint64_t{0}, uint64_t{1} << 63};
  for (uint64_t changes = 1 + random() % 8; changes; --changes) {
    if (input.empty())
      input.resize(1 + random() % 64);
    size_t at = random() % input.size();
    switch (random() % 7) {
    case 0:
      input[at] ^= static_cast<uint8_t>(1u << random() % 8);
      break;
    case 1:
      input[at] = static_cast<uint8_t>(random());
      break;
    case 2: {
      uint64_t number = kNastyNumbers[random() % std::size(kNastyNumbers)] + random() % 3 - 1;
      size_t width = size_t{1} << random() % 4;
      std::memcpy(input.data() + at, &number, std::min(width, input.size() - at));
      break;
    }
    case 3:
      input.resize(at);
      break;
    case 4:
      input.erase(input.begin() + static_cast<ptrdiff_t>(at),
                  input.begin() +
                      static_cast<ptrdiff_t>(std::min(input.size(), at + random() % 40)));
      break;
    case 5:
      input.insert(input.begin() + static_cast<ptrdiff_t>(at), random() % 40,
                   static_cast<uint8_t>(random()));
      break;
    default: {
      const Input &other = seeds[random() % seeds.size()];
      if (other.empty())
        break;
      size_t from = random() % other.size();
      size_t length = std::min({other.size() - from, input.size() - at, size_t(random() % 200)});
      std::memcpy(input.data() + at, other.data() + from, length);
      break;
    }
    }
  }
  return input;
}

} // namespace

int main(int argc, char **argv) {
  std::chrono::seconds time{3};
  std::vector<Input> seeds{{}};
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.starts_with("--seconds=")) {
      time = std::chrono::seconds(std::atol(argument.c_str() + 10));
    } else if (std::filesystem::is_directory(argument)) {
      std::vector<std::filesystem::path> paths;
      for (const auto &entry : std::filesystem::directory_iterator(argument))
        paths.push_back(entry.path());
      std::sort(paths.begin(), paths.end()); // the folder's own order differs between machines
      for (const auto &path : paths)
        seeds.push_back(read_input(path));
    } else if (std::filesystem::exists(argument)) {
      seeds.push_back(read_input(argument));
    } else {
      std::fprintf(stderr, "no such seed: %s\n", argv[i]);
      return 2;
    }
  }
  using Clock = std::chrono::steady_clock;
  uint64_t count = 0;
  // A target that forks for each input has no time for all cuts: then the rest is left to the
  // mutations.
  auto end = Clock::now() + time;
  for (const Input &seed : seeds) {
    run_one(seed);
    for (size_t size = 0; size < seed.size() && size < 4096 && Clock::now() < end; ++size, ++count)
      run_one({seed.begin(), seed.begin() + static_cast<ptrdiff_t>(size)});
  }
  std::mt19937_64 random(1);
  end = Clock::now() + time;
  while (Clock::now() < end)
    for (int i = 0; i < 64; ++i, ++count)
      run_one(mutate(seeds[random() % seeds.size()], seeds, random));
  std::printf("%llu inputs, no crash\n", static_cast<unsigned long long>(count));
}
