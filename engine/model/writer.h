// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model file opened for adding runs; made if there is none. One run, one transaction.
//
// Several may add to one file at a time. Each transaction first reads again what the others wrote,
// because sites and names have numbers in the file that two must not give twice; and if the file
// was removed or replaced, all this writer knows goes into the one that is there now.
#pragma once

#include "engine/model/model.h"

#include <functional>
#include <memory>

struct sqlite3;

namespace culprit::model {

struct AccessNumbers;

class Writer {
public:
  // Reads the file as read() does first, so that a damaged one is never written to.
  static Result<Writer> open(const std::filesystem::path &path);
  Writer(Writer &&) noexcept;
  Writer &operator=(Writer &&) noexcept;
  ~Writer();

  Result<void> add_program(const std::string &build_id, const std::string &path,
                           const heap::SiteTables &tables,
                           const access::AccessTables *accesses = nullptr);
  Result<void> add_run(const heap::RunSummary &run); // replaces an equal one
  // What one run said of its heap and of its accesses (null: nothing), in one transaction.
  Result<void> add_run(const heap::RunSummary *heap, const access::Summary *access);
  // Pairs that are normal from now on, whatever the runs say.
  Result<void> accept(const access::Acceptance &pairs);
  // Takes in what others have written since.
  Result<void> refresh();
  // Removes the file if what is in it now is good for nothing. Nobody can add to it meanwhile.
  Result<void> remove_if(const std::function<bool(const Contents &)> &is_useless);
  const Contents &contents() const { return contents_; }

private:
  Writer();
  // These three have the folder's lock (engine/model/folder_lock.h); change_file() takes it.
  static Result<Writer> open_locked(const std::filesystem::path &path);
  static Result<Writer> open_once(const std::filesystem::path &path);
  Result<void> change_locked(const std::function<Result<void>()> &changes);
  Result<void> change_file(const std::function<Result<void>()> &changes);
  Result<void> begin();
  Result<void> follow();
  Result<void> insert_new(const access::History &added, AccessNumbers &numbers);
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::filesystem::path path_;
  Contents contents_;
  std::unique_ptr<AccessNumbers> numbers_;
  int64_t seen_ = 0; // SQLite's number for what others had written when contents_ was read
};

} // namespace culprit::model
