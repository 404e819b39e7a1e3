// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/library.h"

#include "abi/locate.h"
#include "pass/hooks.h"
#include "pass/library_table.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

using How = LibraryLength::How;
using Use = LibraryAccess::Use;

constexpr uint64_t kNothingSize = 64;

bool is_of_constant(const llvm::Value *address) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(address));
  return variable != nullptr && variable->isConstant();
}

// The argument that the result is returned in.
llvm::Value *result_in_memory(const llvm::CallBase &call) {
  return call.arg_size() > 0 && call.paramHasAttr(0, llvm::Attribute::StructRet)
             ? call.getArgOperand(0)
             : nullptr;
}

// The arguments that a length known before the call is made of.
llvm::SmallVector<unsigned, 2> arguments_of(const LibraryLength &length) {
  switch (length.how) {
  case How::bytes:
    return {length.first};
  case How::items:
  case How::all_items:
    return {length.first, length.second};
  default:
    return {};
  }
}

// What the call looks at before it is made.
class Reading {
public:
  using Builder = llvm::IRBuilder<>;

  Reading(Builder &builder, llvm::CallBase &call, llvm::Value *newest, Hooks &hooks,
          llvm::Value *nothing)
      : builder_(builder), call_(call), hooks_(hooks), nothing_(nothing), newest_(newest),
        is_corrupt_(builder.CreateICmpSLT(newest, builder.getInt64(0))) {}

  llvm::Value *newest() const { return newest_; }

  // A readable stand-in for an address that must not be used.
  llvm::Value *readable(unsigned argument) {
    llvm::Value *address = call_.getArgOperand(argument);
    return builder_.CreateSelect(builder_.CreateOr(is_corrupt_, builder_.CreateIsNull(address)),
                                 nothing_, address);
  }
  bool matters(unsigned argument) const { return !is_of_constant(call_.getArgOperand(argument)); }

  void text(unsigned argument) {
    if (matters(argument))
      join(hooks_.call(builder_, Hooks::id_of_text, {readable(argument)}));
  }
  void bytes(unsigned argument, llvm::Value *length) {
    if (matters(argument))
      join(hooks_.call(
          builder_, Hooks::id_of,
          {readable(argument), builder_.CreateSelect(is_corrupt_, builder_.getInt64(0), length)}));
  }

private:
  void join(llvm::Value *id) {
    newest_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, newest_, id);
  }

  Builder &builder_;
  llvm::CallBase &call_;
  Hooks &hooks_;
  llvm::Value *nothing_;
  llvm::Value *newest_;
  llvm::Value *is_corrupt_;
};

} // namespace

LibraryIds::LibraryIds(llvm::Module &module, Hooks &hooks)
    : module_(module), hooks_(hooks), library_(module),
      nothing_(llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(
          CULPRIT_NOTHING_SYMBOL,
          llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), kNothingSize)))) {}

bool LibraryIds::is_known(const llvm::CallBase &call) {
  return !library_accesses(call).empty() || format_argument(call).has_value() ||
         !scanned_arguments(call).empty();
}

bool LibraryIds::writes(const llvm::CallBase &call) {
  auto is_write = [](const LibraryAccess &access) { return access.use == Use::writes; };
  auto is_written = [](const PrintedArgument &printed) {
    return printed.target.use == PrintTarget::Use::written;
  };
  return result_in_memory(call) != nullptr || llvm::any_of(library_accesses(call), is_write) ||
         !scanned_arguments(call).empty() || llvm::any_of(printed_arguments(call), is_written);
}

llvm::Value *LibraryIds::read_id(Builder &builder, llvm::CallBase &call, llvm::Value *newest) {
  Reading reading(builder, call, newest, hooks_, nothing_);
  const auto copy = library_copy(call);
  for (const LibraryAccess &each : library_accesses(call)) {
    if (each.use == Use::writes || (copy && copy->from == each.address))
      continue;
    if (each.length.how == How::text)
      reading.text(each.address);
    else if (each.length.how == How::text_up_to && reading.matters(each.address))
      reading.bytes(each.address,
                    length_of_text(builder, reading.readable(each.address),
                                   builder.CreateZExtOrTrunc(call.getArgOperand(each.length.first),
                                                             builder.getInt64Ty())));
    else if (llvm::Value *length = length_before(builder, call, each.length))
      reading.bytes(each.address, length);
  }
  if (const auto format = format_argument(call))
    reading.text(*format);
  for (const PrintedArgument &each : printed_arguments(call)) {
    if (each.target.use == PrintTarget::Use::text)
      reading.text(each.argument);
    else if (each.target.use == PrintTarget::Use::part)
      reading.bytes(each.argument, builder.getInt64(1));
  }
  return reading.newest();
}

void LibraryIds::define(llvm::CallBase &call, llvm::Instruction &behind, llvm::Value *id) {
  Builder before(&call);
  Builder after(&behind);
  after.SetCurrentDebugLocation(call.getDebugLoc());
  auto define_range = [&](llvm::Value *address, llvm::Value *length) {
    hooks_.call(after, Hooks::define, {address, length, id});
  };
  if (llvm::Value *result = result_in_memory(call)) {
    llvm::Type *type = call.getParamStructRetType(0);
    define_range(result,
                 after.getInt64(module_.getDataLayout().getTypeAllocSize(type).getFixedValue()));
  }
  if (const auto copy = library_copy(call)) {
    hooks_.call(after, Hooks::copy_ids,
                {call.getArgOperand(copy->to), call.getArgOperand(copy->from),
                 after.CreateZExtOrTrunc(call.getArgOperand(copy->length), after.getInt64Ty()),
                 id});
    return;
  }
  for (const LibraryAccess &each : library_accesses(call)) {
    if (each.use != Use::writes)
      continue;
    llvm::Value *start = start_before(before, call, each, library_);
    define_range(start, length_after(after, call, start, each.length, library_));
  }
  for (const ScannedArgument &each : scanned_arguments(call))
    define_range(call.getArgOperand(each.argument), scanned_length(after, call, each, library_));
  for (const PrintedArgument &each : printed_arguments(call))
    if (each.target.use == PrintTarget::Use::written)
      define_range(call.getArgOperand(each.argument), after.getInt64(each.target.size));
}

void LibraryIds::leave_out(Builder &builder, llvm::CallBase &call,
                           llvm::ArrayRef<llvm::Value *> ids, llvm::Value *is_left_out,
                           llvm::Value *id, uint64_t room) {
  auto is_clean = [&](unsigned argument) -> llvm::Value * {
    return argument < ids.size() ? builder.CreateICmpSGE(ids[argument], builder.getInt64(0))
                                 : builder.getTrue();
  };
  auto define_range = [&](unsigned argument, llvm::Value *length) {
    llvm::Value *is_written = builder.CreateAnd(is_left_out, is_clean(argument));
    is_written =
        builder.CreateAnd(is_written, builder.CreateIsNotNull(call.getArgOperand(argument)));
    hooks_.call(builder, Hooks::define,
                {call.getArgOperand(argument),
                 builder.CreateSelect(is_written, length, builder.getInt64(0)), id});
  };
  if (result_in_memory(call) != nullptr) {
    llvm::Type *type = call.getParamStructRetType(0);
    define_range(0,
                 builder.getInt64(module_.getDataLayout().getTypeAllocSize(type).getFixedValue()));
  }
  for (const LibraryAccess &each : library_accesses(call)) {
    if (each.use != Use::writes)
      continue;
    llvm::Value *length = length_before(builder, call, each.length);
    if (length == nullptr)
      length = builder.getInt64(1);
    for (const unsigned argument : arguments_of(each.length))
      length = builder.CreateSelect(is_clean(argument), length, builder.getInt64(1));
    define_range(each.address, length);
  }
  for (const ScannedArgument &each : scanned_arguments(call))
    define_range(each.argument, builder.getInt64(std::max<uint64_t>(each.target.size, 1)));
  for (const PrintedArgument &each : printed_arguments(call))
    if (each.target.use == PrintTarget::Use::written)
      define_range(each.argument, builder.getInt64(each.target.size));
  tell_length(builder, call, ids, is_left_out, id, room);
}

// What the marks above say is not all: of a text they are its first byte, and they know no members.
void LibraryIds::tell_length(Builder &builder, llvm::CallBase &call,
                             llvm::ArrayRef<llvm::Value *> ids, llvm::Value *is_left_out,
                             llvm::Value *id, uint64_t room) {
  const auto accesses = library_accesses(call);
  const auto *write = llvm::find_if(
      accesses, [](const LibraryAccess &access) { return access.use == Use::writes; });
  if (write == accesses.end() || (room == kNoRoomKnown && (write->length.how == How::fixed ||
                                                           !arguments_of(write->length).empty())))
    return; // they do
  // Nothing of what it is made of is looked at if any of it is corrupt.
  llvm::Value *is_looked_at = is_left_out;
  for (llvm::Value *of_argument : ids)
    is_looked_at =
        builder.CreateAnd(is_looked_at, builder.CreateICmpSGE(of_argument, builder.getInt64(0)));
  if (llvm::Value *length = length_if_made(builder, call, *write, is_looked_at))
    hooks_.call(builder, Hooks::left_out,
                {call.getArgOperand(write->address),
                 builder.CreateSelect(is_looked_at, length, builder.getInt64(0)), id,
                 builder.getInt64(room)});
}

// With its terminating zero; of none if it must not be looked at.
llvm::Value *LibraryIds::text_length(Builder &builder, llvm::Value *text,
                                     llvm::Value *is_looked_at) {
  llvm::Value *is_text = builder.CreateAnd(is_looked_at, builder.CreateIsNotNull(text));
  return library_.measure_text(builder, builder.CreateSelect(is_text, text, nothing_));
}

// How much a call that is left out would have written; null: that cannot be known.
llvm::Value *LibraryIds::length_if_made(Builder &builder, llvm::CallBase &call,
                                        const LibraryAccess &write, llvm::Value *is_looked_at) {
  if (llvm::Value *length = length_before(builder, call, write.length))
    return length;
  if (write.length.how == How::printed)
    return printed_length(builder, call, is_looked_at);
  if (write.length.how != How::text && write.length.how != How::appended)
    return nullptr;
  // A text that is read as a whole is what is written.
  for (const LibraryAccess &each : library_accesses(call)) {
    if (each.use == Use::writes || each.length.how != How::text || each.address == write.address)
      continue;
    llvm::Value *length = text_length(builder, call.getArgOperand(each.address), is_looked_at);
    if (write.length.how == How::text)
      return length;
    llvm::Value *old = text_length(builder, call.getArgOperand(write.address), is_looked_at);
    return builder.CreateSub(builder.CreateAdd(old, length), builder.getInt64(1));
  }
  return nullptr;
}

// sprintf says how much it would be if it is asked to print nothing. Not with a format that is only
// known later: it may write, too.
llvm::Value *LibraryIds::printed_length(Builder &builder, llvm::CallBase &call,
                                        llvm::Value *is_looked_at) {
  constexpr unsigned kFormat = 1;
  llvm::StringRef format;
  const llvm::Function *function = called_library_function(call);
  if (function == nullptr || function->getName() != "sprintf" || call.arg_size() <= kFormat ||
      !llvm::getConstantStringInfo(call.getArgOperand(kFormat), format) ||
      llvm::any_of(printed_arguments(call), [](const PrintedArgument &printed) {
        return printed.target.use == PrintTarget::Use::written;
      }))
    return nullptr;
  llvm::Type *pointer = builder.getPtrTy();
  const llvm::FunctionCallee measure = module_.getOrInsertFunction(
      "snprintf", llvm::FunctionType::get(builder.getInt32Ty(),
                                          {pointer, builder.getInt64Ty(), pointer}, true));
  llvm::SmallVector<llvm::Value *, 8> arguments{
      llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getInt64(0),
      builder.CreateSelect(is_looked_at, call.getArgOperand(kFormat), nothing_)};
  for (unsigned i = kFormat + 1; i < call.arg_size(); ++i)
    arguments.push_back(call.getArgOperand(i));
  llvm::Value *length =
      builder.CreateSExt(builder.CreateCall(measure, arguments), builder.getInt64Ty());
  return builder.CreateAdd(
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, length, builder.getInt64(-1)),
      builder.getInt64(1));
}

std::optional<unsigned> LibraryIds::returned_argument(const llvm::CallBase &call) {
  return culprit::returned_argument(call);
}

llvm::Value *LibraryIds::result_id(Builder &builder, llvm::CallBase &call, llvm::Value *of_argument,
                                   llvm::Value *fresh) {
  return builder.CreateSelect(builder.CreateIsNull(&call), fresh, of_argument);
}

llvm::Value *LibraryIds::length_of_text(Builder &builder, llvm::Value *address,
                                        llvm::Value *limit) {
  return builder.CreateCall(limited_text_length(), {address, limit});
}

// As strnlen, but with the terminating zero: not the library's, for there may be none in a static
// link.
llvm::Function *LibraryIds::limited_text_length() {
  if (limited_text_length_ != nullptr)
    return limited_text_length_;
  llvm::LLVMContext &context = module_.getContext();
  Builder builder(context);
  limited_text_length_ = llvm::Function::Create(
      llvm::FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy(), builder.getInt64Ty()},
                              false),
      llvm::GlobalValue::InternalLinkage, "culprit.limited_text_length", module_);
  limited_text_length_->setDoesNotThrow();
  llvm::Argument *address = limited_text_length_->getArg(0);
  llvm::Argument *limit = limited_text_length_->getArg(1);
  auto *entry = llvm::BasicBlock::Create(context, "", limited_text_length_);
  auto *loop = llvm::BasicBlock::Create(context, "loop", limited_text_length_);
  auto *look = llvm::BasicBlock::Create(context, "look", limited_text_length_);
  auto *end = llvm::BasicBlock::Create(context, "end", limited_text_length_);
  builder.SetInsertPoint(entry);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode *length = builder.CreatePHI(builder.getInt64Ty(), 2);
  length->addIncoming(builder.getInt64(0), entry);
  builder.CreateCondBr(builder.CreateICmpEQ(length, limit), end, look);
  builder.SetInsertPoint(look);
  llvm::Value *letter = Hooks::unsanitized(
      builder.CreateLoad(builder.getInt8Ty(), builder.CreatePtrAdd(address, length)));
  llvm::Value *next = builder.CreateAdd(length, builder.getInt64(1));
  length->addIncoming(next, look);
  builder.CreateCondBr(builder.CreateIsNull(letter), end, loop);
  builder.SetInsertPoint(end);
  llvm::PHINode *result = builder.CreatePHI(builder.getInt64Ty(), 2);
  result->addIncoming(length, loop);
  result->addIncoming(next, look);
  builder.CreateRet(result);
  return limited_text_length_;
}

llvm::PreservedAnalyses LibraryIdsPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  Hooks hooks(module);
  LibraryIds library(module, hooks);
  std::vector<llvm::CallBase *> calls;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call != nullptr && called_library_function(*call) != nullptr)
          calls.push_back(call);
  for (llvm::CallBase *call : calls) {
    llvm::Instruction *behind = place_after(*call);
    if (behind == nullptr)
      continue;
    llvm::IRBuilder<> builder(call);
    llvm::Type *type = builder.getInt64Ty();
    llvm::Constant *slot = module.getOrInsertGlobal(CULPRIT_RESULT_ID_SYMBOL, type);
    llvm::Value *newest = builder.CreateLoad(type, slot);
    llvm::Value *read = library.read_id(builder, *call, newest);
    if (!LibraryIds::writes(*call)) {
      builder.CreateStore(read, slot);
      continue;
    }
    const llvm::SmallVector<llvm::Value *> ids(call->arg_size(), newest);
    library.leave_out(builder, *call, ids, builder.CreateICmpSLT(read, builder.getInt64(0)), read);
    library.define(*call, *behind, newest);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
