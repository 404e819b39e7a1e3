// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in its locate flavours: `trace` for the first execution, `suppress` for the others,
// `reorder` for those with variables in another order, `origins` for one that says what a value was
// computed from; the latter three are made only when needed.
//
// Rules: all have the same numbers (abi/locate.h); if they do not, it is an Error.
#pragma once

#include "engine/error.h"
#include "engine/launch/launch.h"
#include "engine/launch/object_service.h"
#include "engine/locate/execution.h"
#include "engine/locate/tables.h"
#include "engine/locate/targets.h"
#include "engine/locate/variables.h"
#include "engine/symbolize/symbolize.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::locate {

class Target {
public:
  struct Options {
    std::string typed; // PROG as the user wrote it
    unsigned jobs = 1;
    std::function<void(std::string_view flavour, const std::filesystem::path &file)> on_make = {};
  };
  static Result<Target> open(const Options &options);

  const launch::Program &program() const { return trace_->program; }
  const Tables &tables() const { return trace_->tables; }

  // `common` with nothing suppressed, or with these targets. Leaves nothing in `scratch`. May be
  // called from several threads.
  Result<Execution> trace(launch::Request common, const std::filesystem::path &scratch) const;
  Result<Execution> suppress(launch::Request common, const Targets &targets,
                             const std::filesystem::path &scratch) const;

  // With targets, and with origins kept (abi/locate.h).
  Result<Execution> origins(launch::Request common, const Targets &targets,
                            const std::filesystem::path &scratch) const;

  // With variables in the order that `rows` (abi/layout.h) give. In `entered`, if not null, by
  // number which functions were entered.
  Result<Execution> reorder(launch::Request common, const Targets &targets, const std::string &rows,
                            const std::filesystem::path &scratch,
                            std::vector<bool> *entered = nullptr) const;
  // Those that can have another order.
  Result<Variables> variables() const;

  enum class Which { trace, suppress, reorder, origins };
  // For the addresses of an execution.
  symbolize::Symbolizer symbolizer(const std::vector<run::Module> &modules, Which which) const;

private:
  struct Flavour {
    launch::Program program;
    Tables tables;
    std::unique_ptr<launch::ObjectService> objects;
  };
  // Made when first asked for.
  struct Later {
    std::mutex mutex;
    std::optional<Result<Flavour>> made;
  };
  static Result<Flavour> make(const Options &options, std::string_view name);
  struct Order {
    const std::string &rows;
    std::vector<bool> *entered;
  };
  static Result<Execution> execute(const Flavour &flavour, launch::Request request,
                                   const std::filesystem::path &scratch, const Targets *targets,
                                   const Order *order = nullptr);
  Result<const Flavour *> made(Later &later, std::string_view name) const;

  Target() = default;
  Options options_;
  std::unique_ptr<Flavour> trace_;
  std::unique_ptr<Later> suppress_;
  std::unique_ptr<Later> reorder_;
  std::unique_ptr<Later> origins_;
};

} // namespace culprit::locate
