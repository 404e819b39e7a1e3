// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the arguments with a string class of ours. Its growth counts the separator only once.
#include <cstdio>
#include <cstring>

namespace {

class Text {
public:
  Text() : room_(16), length_(0), bytes_(new char[room_]) { bytes_[0] = '\0'; }
  ~Text() { delete[] bytes_; }
  Text(const Text &) = delete;
  Text &operator=(const Text &) = delete;
  void append(const char *word, const char *separator) {
    const std::size_t more = std::strlen(word) + 2;
    if (length_ + more > room_) // culprit: the error
      grow(length_ + more);
    add(word);
    add(separator);
  }
  const char *c_str() const { return bytes_; }
  std::size_t length() const { return length_; }

private:
  void add(const char *text) {
    const std::size_t size = std::strlen(text);
    std::memcpy(bytes_ + length_, text, size + 1); // culprit: first corruption
    length_ += size;
  }
  void grow(std::size_t wanted) {
    char *larger = new char[wanted]; // culprit: also right
    std::memcpy(larger, bytes_, length_ + 1);
    delete[] bytes_;
    bytes_ = larger;
    room_ = wanted;
  }

  std::size_t room_, length_;
  char *bytes_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  Text joined, lengths;
  for (int i = 2; i < argc; ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "%zu", std::strlen(argv[i]));
    joined.append(argv[i], argv[1]);
    lengths.append(number, ",");
  }
  std::printf("%s\n%s\n%zu\n", joined.c_str(), lengths.c_str(), joined.length());
  return 0;
}
