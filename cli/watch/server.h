// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server of the live page: the page at `/`, its events at `/events`, nothing else, for whom
// admission.h lets in. It listens on 127.0.0.1 alone and never changes anything.
//
// Rules: a client that does not read is dropped; so many may listen at once and no more; what is
// sent is bounded by what report/live keeps, however long the run.
#pragma once

#include "cli/watch/feed.h"
#include "engine/error.h"

#include <memory>
#include <string>

namespace culprit::cli {

class LiveServer {
public:
  // `port` 0: any that is free. The feed outlives the server.
  static Result<LiveServer> start(Feed &feed, int port);

  LiveServer(LiveServer &&) noexcept;
  LiveServer &operator=(LiveServer &&) noexcept;
  ~LiveServer(); // ends all connections

  // With the token.
  const std::string &address() const;

  // After the feed's last change: returns when everybody who listens has it, which includes those
  // who have the page and are about to listen; waits some seconds at most.
  void deliver();

private:
  struct Parts;
  explicit LiveServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace culprit::cli
