// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/screen.h"

#include "engine/launch/interrupt.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <termios.h>
#include <thread>
#include <unistd.h>

namespace culprit::cli {

namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"; // no cursor, no wrapping
constexpr std::string_view kLeave = "\x1b[?7h\x1b[?25h\x1b[?1049l";

// For whoever ends the process; read by one that may have interrupted anything.
std::atomic<int> g_screen = -1;
std::atomic<int> g_keys = -1;
termios g_before;

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0)
      return; // a terminal that is gone is no reason to fail
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Only what a signal handler may call.
void give_back() {
  const int keys = g_keys.exchange(-1);
  if (keys >= 0)
    ::tcsetattr(keys, TCSANOW, &g_before);
  const int screen = g_screen.exchange(-1);
  if (screen >= 0)
    write_all(screen, kLeave);
}

// One that reads from the terminal while it is not in front would be stopped.
launch::Descriptor open_keys() {
  launch::Descriptor keys(::isatty(STDIN_FILENO) == 1
                              ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                              : ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!keys.is_open() || ::tcgetpgrp(keys.get()) != ::getpgrp())
    return {};
  return keys;
}

} // namespace

bool Screen::is_there(int descriptor) {
  const char *terminal = std::getenv("TERM");
  const bool dumb =
      terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
  return ::isatty(descriptor) == 1 && !dumb;
}

Screen::Screen(int descriptor) : descriptor_(descriptor), keys_(open_keys()) {
  termios raw{};
  if (keys_.is_open() && ::tcgetattr(keys_.get(), &raw) == 0) {
    g_before = raw;
    g_keys = keys_.get();
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    raw.c_cc[VSUSP] = _POSIX_VDISABLE; // stopped, we would leave the screen as it is
    ::tcsetattr(keys_.get(), TCSANOW, &raw);
  }
  g_screen = descriptor;
  launch::at_forced_exit(give_back);
  write_all(descriptor_, kEnter);
}

Screen::~Screen() {
  launch::at_forced_exit(nullptr);
  give_back();
}

Screen::Size Screen::size() const {
  winsize size{};
  if (::ioctl(descriptor_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    return {size.ws_col, size.ws_row};
  return {80, 24};
}

void Screen::draw(const std::vector<std::string> &lines) const {
  std::string text = "\x1b[H";
  for (size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : "\r\n") + lines[i] + "\x1b[K";
  write_all(descriptor_, text + "\x1b[J");
}

std::vector<Key> Screen::keys(std::chrono::milliseconds patience) {
  if (!keys_.is_open()) {
    std::this_thread::sleep_for(patience);
    return {};
  }
  pollfd wanted{.fd = keys_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&wanted, 1, static_cast<int>(patience.count())) <= 0)
    return {};
  std::array<char, 256> bytes{};
  const ssize_t read = ::read(keys_.get(), bytes.data(), bytes.size());
  if (read <= 0) { // the terminal is gone
    g_keys = -1;
    keys_ = {};
    return {};
  }
  return keys_in({bytes.data(), static_cast<size_t>(read)});
}

} // namespace culprit::cli
