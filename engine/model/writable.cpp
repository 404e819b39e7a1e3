// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a model can be written, asked before the work whose result it is to hold; see model.h.
#include "engine/model/model.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace culprit::model {

namespace {
constexpr const char *kNameAnother = "see to it that you may write there, or name another file";
} // namespace

Result<void> check_writable(const std::filesystem::path &path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  if (!std::filesystem::exists(folder, error))
    return fail(fmt::format("{}: there is no folder {}", path.string(), folder.string()),
                "make the folder, or name another file");
  if (!std::filesystem::is_directory(folder, error))
    return fail(fmt::format("{}: {} is no folder", path.string(), folder.string()),
                "name another file");
  // By doing it: what rights and file systems allow is not to be told by looking. SQLite, too, puts
  // a file beside the model.
  std::filesystem::path beside = path;
  beside += fmt::format(".{}.tmp", ::getpid());
  const int probe = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const int why = probe < 0 && errno != EEXIST ? errno : 0;
  if (probe >= 0) {
    ::close(probe);
    ::unlink(beside.c_str());
  }
  if (why != 0)
    return fail(fmt::format("{}: no file can be made in {} ({})", path.string(), folder.string(),
                            std::generic_category().message(why)),
                kNameAnother);
  if (std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), W_OK) != 0 &&
      errno != ENOENT) // removed meanwhile by another culprit
    return fail(fmt::format("{}: cannot be written ({})", path.string(),
                            std::generic_category().message(errno)),
                kNameAnother);
  return {};
}

} // namespace culprit::model
