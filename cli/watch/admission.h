// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may see the live page. It is served on this machine alone, but other users of it, and every
// page in the user's browser, can reach a port here: so a request needs the token of the address we
// printed, which nobody can guess, and must be one that was meant for us. A page of another site
// may have its name resolve to 127.0.0.1 (DNS rebinding): then Host is that name. One that asks us
// directly says so in Origin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace culprit::cli {

struct Admission {
  std::string token;
  int port = 0;
};

// What a request says of itself.
struct Asked {
  std::string method;
  std::vector<std::string> hosts;   // values of the header Host
  std::vector<std::string> origins; // of Origin
  std::vector<std::string> tokens;  // of the parameter token
};

// Why it is refused; empty: it may come in.
std::string refusal(const Asked &asked, const Admission &admission);

// 128 bits of the kernel's, in hexadecimal digits; empty: the kernel has none.
std::string new_token();

} // namespace culprit::cli
