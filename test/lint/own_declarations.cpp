// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin for clang-tidy 19: its matchers visit only what stands outside the system headers. They
// would visit the whole of LLVM's and the C++ library's headers in every source otherwise, and
// throw away what they find there; that is two thirds of the time of all checks but the static
// analyzer's, which has its own way of choosing functions.
#include <memory>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

class OwnDeclarations : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) {
      const clang::SourceManager &sources = declaration->getASTContext().getSourceManager();
      if (!sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()))) {
        own_.push_back(declaration);
      }
    }
    return true;
  }

  // Runs before clang-tidy's own consumer, which then starts from this scope.
  void HandleTranslationUnit(clang::ASTContext &context) override {
    context.setTraversalScope(own_);
  }

private:
  std::vector<clang::Decl *> own_;
};

class NarrowTheScope : public clang::PluginASTAction {
public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance & /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<OwnDeclarations>();
  }
  bool ParseArgs(const clang::CompilerInstance & /*compiler*/,
                 const std::vector<std::string> & /*arguments*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<NarrowTheScope>
    kRegistration("own-declarations", "match only outside the system headers");

} // namespace
