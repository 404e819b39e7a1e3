// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The link record: the linker's command line as it ran, item by item, so that it can be run again
// with rebuilt objects after the build tree is gone. Carried as the metadata of a
// CULPRIT_FRAME_LINK_RECORD frame.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::build {

struct LinkItem {
  enum class Kind {
    argument, // passed on as it is
    output,   // -o and its value
    object,   // an object file of the user's: carried, so replaced by what is rebuilt
    archive,  // an archive of the user's: its linked members are carried, so it is dropped
    library,  // -lNAME that resolved to a shared object or to a system archive; `path` says which
    shared,   // a shared object given by its path
    file,     // a file the linker read (version script …); carried as linker input `number`
  };
  Kind kind = Kind::argument;
  std::string text; // the argument as the linker saw it; for `file`, what precedes the path
  std::string path; // absolute, where there is a file
  unsigned number =
      0; // which carried linker input holds the file, or a shared object's interface; 0: none

  bool operator==(const LinkItem &) const = default;
};

struct LinkRecord {
  std::string linker;    // path of the linker that ran
  std::string directory; // where it ran
  std::vector<LinkItem> items;

  bool operator==(const LinkRecord &) const = default;
};

std::string to_json(const LinkRecord &record);
Result<LinkRecord> link_record_from_json(std::string_view text);

} // namespace culprit::build
