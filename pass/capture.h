// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Capture and embed: the module's bitcode, written before the first optimisation, is put into the
// module after the last one.
#pragma once

#include "llvm/IR/PassManager.h"

#include <memory>
#include <string>
#include <utility>

namespace culprit {

// Writes the module to `captured` as a whole frame.
class CapturePass : public llvm::PassInfoMixin<CapturePass> {
public:
  CapturePass(std::shared_ptr<std::string> captured, std::string metadata)
      : captured_(std::move(captured)), metadata_(std::move(metadata)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<std::string> captured_;
  std::string metadata_; // JSON object of the driver; the module's source name is added to it
};

// Adds the captured frame to the module as a private constant in CULPRIT_FRAME_SECTION.
class EmbedPass : public llvm::PassInfoMixin<EmbedPass> {
public:
  explicit EmbedPass(std::shared_ptr<std::string> captured) : captured_(std::move(captured)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<std::string> captured_;
};

} // namespace culprit
