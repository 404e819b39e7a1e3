// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a model file that hold builds, sites and runs, and all of its tables at once; see
// model.h for the file as a whole.
#pragma once

#include "engine/model/access_part.h"
#include "engine/model/model.h"

#include <filesystem>
#include <string>

namespace culprit::model {

Result<Contents> read_contents(sqlite3 *database, const std::filesystem::path &path,
                               AccessNumbers &numbers);
Result<void> insert_contents(sqlite3 *database, const std::filesystem::path &path,
                             const Contents &contents, AccessNumbers &numbers);

Result<void> insert_build(sqlite3 *database, const std::filesystem::path &path,
                          const std::string &id, const std::string &executable);
Result<void> insert_site(sqlite3 *database, const std::filesystem::path &path, uint64_t id,
                         const KnownSite &site);
// In place of one with the same key.
Result<void> insert_run(sqlite3 *database, const std::filesystem::path &path,
                        const std::string &key, const heap::RunSummary &run);
// Numbers a reader would refuse are refused here, too: no model that cannot be read again.
Result<void> check_run(const heap::RunSummary &run);

} // namespace culprit::model
