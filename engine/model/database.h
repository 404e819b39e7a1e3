// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few things a model file asks of SQLite: open with everything distrusted, run statements, read
// rows. Errors carry the file's name.
//
// A model file comes from anywhere, so: no schema objects but ours (a trigger or view in the file
// would run when we touch a table), trusted_schema off, cell sizes checked, lengths limited, and a
// quick check of the whole file first.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace culprit::model {

constexpr int kApplicationId = 0x43554c50; // "CULP"
// 1 had other cells and no accesses, 2 folders in the names of variables, 3 one access site for all
// callers of a library's header.
constexpr int kVersion = 4;

struct CloseDatabase {
  void operator()(sqlite3 *database) const;
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

struct Bytes {
  std::string_view bytes;
};
using Value = std::variant<int64_t, std::string_view, Bytes>;

// One row while it is read: columns of the type that is asked for, or nothing.
class Row {
public:
  explicit Row(sqlite3_stmt *statement) : statement_(statement) {}
  bool is_number(int column) const;
  bool is_text(int column) const;
  bool is_bytes(int column) const;
  int64_t number(int column) const;
  std::string_view text(int column) const; // of text and of bytes
private:
  sqlite3_stmt *statement_;
};

enum class Access { read, create };
// Checks what kind of file it is and that it is whole; `create` makes the tables, if nobody else
// did so at the same time.
Result<Database> open_database(const std::filesystem::path &path, Access access);

// Runs statements without results.
Result<void> execute(sqlite3 *database, const std::filesystem::path &path, const std::string &sql);
// One statement with parameters and no rows.
Result<void> change(sqlite3 *database, const std::filesystem::path &path, const char *sql,
                    const std::vector<Value> &values);
// One statement with one number for an answer.
Result<int64_t> number_of(sqlite3 *database, const std::filesystem::path &path, const char *sql);
// The file was removed or replaced since it was opened: what is written now would be lost.
bool has_moved(sqlite3 *database);
// Calls `each` for every row until it fails.
Result<void> query(sqlite3 *database, const std::filesystem::path &path, const char *sql,
                   const std::function<Result<void>(const Row &)> &each);

std::unexpected<Error> damaged_model(const std::filesystem::path &path, std::string_view what);

} // namespace culprit::model
