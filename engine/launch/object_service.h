// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's side of abi/object_service.h: tells the runtime of a target which file to load
// instead of the one given to dlopen. The service lives as long as the object does; it answers one
// request at a time, since answering may mean to build a flavour, and two threads of a target must
// not build one twice.
#pragma once

#include "engine/error.h"
#include "engine/launch/temporary.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace culprit::launch {

struct ObjectRequest {
  std::string name;                // as given to dlopen
  std::filesystem::path caller;    // the file of the calling object
  std::filesystem::path directory; // the target's current directory

  bool operator==(const ObjectRequest &) const = default;
};

// The path to load instead; empty: load what was asked for.
using ObjectAnswer = std::function<std::string(const ObjectRequest &)>;

class ObjectService {
public:
  static Result<ObjectService> start(ObjectAnswer answer);

  // The value of the runtime option `objects`. Its directory holds nothing else, so that launching
  // can keep it visible in a private working directory.
  std::filesystem::path socket() const { return directory_.path() / "objects"; }

private:
  ObjectService(TemporaryDirectory directory) : directory_(std::move(directory)) {}

  TemporaryDirectory directory_;
  std::jthread thread_; // ends before the directory goes
};

// Nothing if the bytes are not three strings, each ended by a NUL.
std::optional<ObjectRequest> parse_object_request(std::string_view bytes);

struct SearchPaths {
  std::vector<std::filesystem::path> caller =
      {}; // RPATH or RUNPATH of the calling object, $ORIGIN replaced
  std::vector<std::filesystem::path> library = {}; // LD_LIBRARY_PATH of the target
  bool runpath = true; // `caller` is a RUNPATH: searched after `library`, not before
};

// The file that dlopen would load, or nothing if it would fail. The loader's cache (ld.so.cache) is
// not read: the directories of /etc/ld.so.conf are searched instead.
std::optional<std::filesystem::path> resolve_object(const ObjectRequest &request,
                                                    const SearchPaths &paths);

} // namespace culprit::launch
