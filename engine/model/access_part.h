// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a model file that hold accesses; see model.h for the file as a whole.
#pragma once

#include "engine/access/history.h"
#include "engine/model/access_row.h"
#include "engine/model/database.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace culprit::model {

Result<void> read_access(sqlite3 *database, const std::filesystem::path &path,
                         access::History &history, AccessNumbers &numbers);

// Sites and names that have no number get the next one; known ones are described anew.
Result<void> insert_access_facts(sqlite3 *database, const std::filesystem::path &path,
                                 const std::map<uint64_t, access::AccessSite> &sites,
                                 const std::map<uint64_t, access::Name> &names,
                                 AccessNumbers &numbers);
// Fails if the run names a site or name without a number.
Result<void> insert_access_run(sqlite3 *database, const std::filesystem::path &path,
                               const std::string &key, const access::RunPairs &run,
                               const AccessNumbers &numbers);
Result<void> insert_accepted(sqlite3 *database, const std::filesystem::path &path,
                             const std::set<access::PairKey> &accepted);
// All of the program's ids, in place of those there are.
Result<void> insert_access_program(sqlite3 *database, const std::filesystem::path &path,
                                   const std::set<uint64_t> &program);

} // namespace culprit::model
