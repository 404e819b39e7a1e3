// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An inbox: "mail FROM TEXT", "reply TEXT" (to the last one), "thread". A mail that is no reply has
// nothing it replies to, which one of the two constructors does not say.
#include <cstdio>
#include <cstring>

namespace {

struct Mail {
  Mail(const char *from, const char *text, const Mail *to) : Mail(from, text) { to_ = to; }
  Mail(const char *from, const char *text) { // culprit: the error
    std::snprintf(from_, sizeof from_, "%s", from);
    std::snprintf(text_, sizeof text_, "%s", text);
  }
  const Mail *to() const {
    return to_; // culprit: also right
  }
  char from_[20];
  char text_[44];

private:
  const Mail *to_;
};

class Inbox {
public:
  ~Inbox() {
    for (unsigned i = 0; i < used_; ++i)
      delete mails_[i];
  }
  void mail(const char *from, const char *text) {
    if (used_ < kMails)
      mails_[used_++] = new Mail(from, text); // culprit: first corruption
  }
  void reply(const char *text) {
    if (used_ && used_ < kMails) {
      mails_[used_] = new Mail("me", text, mails_[used_ - 1]);
      ++used_;
    }
  }
  unsigned thread() const {
    unsigned length = 0;
    for (const Mail *mail = used_ ? mails_[used_ - 1] : nullptr; mail; mail = mail->to()) {
      std::printf("%s: %s\n", mail->from_, mail->text_);
      ++length;
    }
    return length;
  }

private:
  static constexpr unsigned kMails = 32;
  Mail *mails_[kMails] = {};
  unsigned used_ = 0;
};

// Mails that are thrown away unread.
void spam(int count) {
  char *blocks[16];
  for (int i = 0; i < count && i < 16; ++i) {
    blocks[i] = new char[sizeof(Mail)];
    std::memset(blocks[i], '$', sizeof(Mail));
  }
  for (int i = 0; i < count && i < 16; ++i)
    delete[] blocks[i];
}

} // namespace

int main() {
  Inbox inbox;
  char line[128], from[64], text[64];
  int count = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "mail %63s %63s", from, text) == 2)
      inbox.mail(from, text);
    else if (std::sscanf(line, "reply %63s", text) == 1)
      inbox.reply(text);
    else if (std::sscanf(line, "spam %d", &count) == 1)
      spam(count);
    else if (std::strncmp(line, "thread", 6) == 0)
      std::printf("%u mails\n", inbox.thread());
  }
  return 0;
}
