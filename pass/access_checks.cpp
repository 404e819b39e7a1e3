// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_checks.h"

#include "abi/features.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/outside_loops.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <algorithm>

namespace culprit {

namespace {

constexpr unsigned kBehindGs = 256; // LLVM's address space of what gs is the base of

// A constant that the compiler does not see through, so that it stays in a register.
llvm::Value *opaque(llvm::IRBuilder<> &builder, uint64_t constant) {
  auto *type = llvm::FunctionType::get(builder.getPtrTy(), {builder.getInt64Ty()}, false);
  llvm::CallInst *value = builder.CreateCall(
      llvm::InlineAsm::get(type, "movabsq $1, $0", "=r,i", /*hasSideEffects=*/false),
      {builder.getInt64(constant)});
  value->setDoesNotThrow();
  value->setDoesNotAccessMemory();
  return value;
}

// Frozen, for loops: the optimiser would see that the granule's number and the place in it grow
// from round to round as the address does, and keep registers and additions for each of them.
llvm::Value *number_of(llvm::IRBuilder<> &builder, llvm::Value *address) {
  return builder.CreateFreeze(builder.CreatePtrToInt(address, builder.getInt64Ty()));
}

// Checks of more parts than this are left to the runtime.
constexpr uint64_t kLargestInline = 64;
constexpr uint64_t kWord = 8; // the largest alignment that types mostly have
constexpr unsigned kReachedRows = (INT32_MAX / CULPRIT_ROW_PITCH - 1) * CULPRIT_ROWS_TOGETHER;

// Of what it reads before the call (first_reads.h); "" if it is no call of a library function.
llvm::StringRef callee_of(const Access &access) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(access.from);
  if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call))
    return "";
  const llvm::Function *function = called_library_function(*call);
  return function != nullptr ? plain_library_name(function->getName()) : "";
}

} // namespace

AccessChecks::AccessChecks(llvm::Function &function, unsigned features, AccessUnit &unit,
                           Hooks &hooks)
    : function_(function), features_(features), unit_(unit), hooks_(hooks),
      layout_(function.getParent()->getDataLayout()),
      rarely_(llvm::MDBuilder(function.getContext()).createUnlikelyBranchWeights()) {}

void AccessChecks::insert(llvm::ArrayRef<Access> accesses, llvm::ArrayRef<JoinedAccesses> joined,
                          llvm::ArrayRef<OnceAccesses> once) {
  if (accesses.empty())
    return;
  if ((features_ & CULPRIT_FEATURE_EVENTS) == 0)
    make_bases(accesses);
  std::vector<bool> is_served(accesses.size());
  std::vector<const JoinedAccesses *> begins(accesses.size());
  for (const JoinedAccesses &set : joined) {
    begins[set.first] = &set;
    for (const JoinedAccesses::Other &other : set.others)
      is_served[other.access] = true;
  }
  std::vector<llvm::AllocaInst *> flags;
  for (const OnceAccesses &set : once) {
    flags.push_back(insert_once(accesses, set));
    for (const OnceAccesses::Each &each : set.accesses)
      is_served[each.access] = true;
  }
  for (size_t i = 0; i < accesses.size(); ++i)
    if (begins[i] != nullptr)
      insert_joint(accesses, *begins[i]);
    else if (!is_served[i])
      insert_one(accesses[i]);
  if (!flags.empty()) {
    llvm::DominatorTree dominators(function_);
    llvm::PromoteMemToReg(flags, dominators);
  }
}

void AccessChecks::make_bases(llvm::ArrayRef<Access> accesses) {
  llvm::SmallVector<llvm::Instruction *> places;
  for (const Access &access : accesses)
    places.push_back(access.at);
  llvm::Instruction *place = place_before_all(function_, places);
  llvm::IRBuilder<> builder(place);
  if (llvm::DISubprogram *subprogram = function_.getSubprogram())
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), 0, 0, subprogram));
  const bool counts = (features_ & CULPRIT_FEATURE_COUNTS) != 0;
  tags_ = rows_ =
      llvm::ConstantPointerNull::get(llvm::PointerType::get(function_.getContext(), kBehindGs));
  if (counts)
    counts_ = opaque(builder, CULPRIT_COUNT_BASE);
  if (unit_.is_main()) {
    // Rows further down than an instruction can say have a register of their own in the functions
    // that use them. Those of a function follow each other, but for places it shares with others.
    if (const unsigned next = unit_.sites().rows(); next > kReachedRows) {
      rows_at_ = culprit_row(next);
      rows_ = opaque(builder, rows_at_);
    }
    return;
  }
  // From one row to the next where as many lie together, on the average: the unit's first row is
  // the first of those that do.
  llvm::Value *first = builder.CreateZExt(unit_.row_base(builder), builder.getInt64Ty());
  const auto pitches = [&](uint64_t together, uint64_t pitch) {
    static_assert(CULPRIT_ROW_PITCH % CULPRIT_ROWS_TOGETHER == 0 &&
                  CULPRIT_COUNT_PITCH % CULPRIT_COUNTS_TOGETHER == 0);
    return builder.CreateMul(first, builder.getInt64(pitch / together));
  };
  rows_ = builder.CreatePtrAdd(
      tags_, builder.CreateNeg(pitches(CULPRIT_ROWS_TOGETHER, CULPRIT_ROW_PITCH)));
  if (counts)
    counts_ = builder.CreatePtrAdd(counts_, pitches(CULPRIT_COUNTS_TOGETHER, CULPRIT_COUNT_PITCH));
}

unsigned AccessChecks::flags_of(const Access &access) const {
  return (access.is_read ? CULPRIT_ROW_READ : 0) |
         (is_direct(access, layout_) ? CULPRIT_ROW_DIRECT : 0);
}

void AccessChecks::insert_one(const Access &access) {
  const unsigned flags = flags_of(access);
  if (access.mask != nullptr)
    return tell_lanes(access, flags);
  llvm::IRBuilder<> builder(access.at);
  if (access.length != nullptr)
    return tell_range(access, access.address,
                      builder.CreateZExtOrTrunc(access.length, builder.getInt64Ty()), flags);
  const bool is_event = (features_ & CULPRIT_FEATURE_EVENTS) != 0;
  if (is_event || access.size > kLargestInline)
    return tell_range(access, access.address, builder.getInt64(access.size), flags);
  check_natural(access, {access.at, access.address, access.size, access.alignment}, flags);
}

// Where they are not known together, each is checked by itself, and the runtime is asked whether
// they can be from now on, until it has said that they cannot.
void AccessChecks::insert_joint(llvm::ArrayRef<Access> accesses, const JoinedAccesses &set) {
  AccessSites &sites = unit_.sites();
  const auto row_of = [&](const Access &access) {
    return sites.row(*access.from, callee_of(access), static_cast<unsigned>(access.size),
                     flags_of(access), access.alignment);
  };
  const Access &first = accesses[set.first];
  const unsigned row = row_of(first);
  llvm::SmallVector<JoinedRow, 4> others;
  for (const JoinedAccesses::Other &other : set.others)
    others.push_back({other.distance, row_of(accesses[other.access])});
  const unsigned joint = sites.joint_row(row, others);
  llvm::Instruction *apart =
      branch_if_new(first.at, first.address, joint, first.alignment, nullptr);
  const auto check = [&](const Access &access, llvm::Value *address) {
    check_natural(access, {apart, address, access.size, access.alignment}, flags_of(access));
  };
  check(first, first.address);
  llvm::IRBuilder<> builder(apart);
  for (const JoinedAccesses::Other &other : set.others) {
    builder.SetInsertPoint(apart);
    check(accesses[other.access],
          builder.CreatePtrAdd(first.address, builder.getInt64(other.distance)));
  }
  llvm::Instruction *ask = branch_if_new(apart, first.address, joint + 1, first.alignment, nullptr);
  builder.SetInsertPoint(ask);
  builder.SetCurrentDebugLocation(first.from->getDebugLoc());
  hooks_.call(builder, Hooks::join,
              {first.address, describe_set(row, joint, others), unit_.row_base(builder)});
}

// The flag, which is no register yet.
llvm::AllocaInst *AccessChecks::insert_once(llvm::ArrayRef<Access> accesses,
                                            const OnceAccesses &set) {
  llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *flag = builder.CreateAlloca(builder.getInt1Ty());
  builder.SetInsertPoint(set.begin);
  builder.CreateStore(builder.getFalse(), flag);
  llvm::Instruction *first = accesses[set.accesses.front().access].at;
  builder.SetInsertPoint(first);
  llvm::Value *is_done = builder.CreateLoad(builder.getInt1Ty(), flag);
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(builder.CreateNot(is_done), first,
                                                            /*Unreachable=*/false, rarely_);
  for (const OnceAccesses::Each &each : set.accesses) {
    const Access &access = accesses[each.access];
    builder.SetInsertPoint(then);
    llvm::Value *address = each.base;
    if (each.offset != 0)
      address = builder.CreatePtrAdd(address, builder.getInt64(each.offset));
    check_natural(access, {then, address, access.size, access.alignment}, flags_of(access));
  }
  builder.SetInsertPoint(then);
  builder.CreateStore(builder.getTrue(), flag);
  return flag;
}

// A culprit_joined_set.
llvm::Constant *AccessChecks::describe_set(unsigned row, unsigned joint,
                                           llvm::ArrayRef<JoinedRow> others) {
  llvm::LLVMContext &context = function_.getContext();
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  llvm::Type *narrow = llvm::Type::getInt32Ty(context);
  const auto number = [&](uint64_t value) { return llvm::ConstantInt::get(narrow, value); };
  auto *one = llvm::StructType::get(context, {wide, narrow, narrow});
  std::vector<llvm::Constant *> each;
  for (const JoinedRow &other : others)
    each.push_back(llvm::ConstantStruct::get(
        one, {llvm::ConstantInt::getSigned(wide, other.distance), number(other.row), number(0)}));
  static_assert(sizeof(culprit_joined) == 16 && sizeof(culprit_joined_set) == 16);
  llvm::Constant *set = llvm::ConstantStruct::getAnon(
      {number(row), number(joint), number(others.size()), number(0),
       llvm::ConstantArray::get(llvm::ArrayType::get(one, each.size()), each)});
  return new llvm::GlobalVariable(*function_.getParent(), set->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, set, "culprit.joined");
}

void AccessChecks::check_natural(const Access &access, const Bytes &bytes, unsigned flags) {
  const llvm::Align natural(llvm::bit_floor(std::min<uint64_t>(bytes.size, kWord)));
  if (bytes.alignment >= natural)
    return check_parts(access, bytes, flags);
  llvm::IRBuilder<> builder(bytes.before);
  llvm::Value *rest = builder.CreateAnd(builder.CreatePtrToInt(bytes.first, builder.getInt64Ty()),
                                        natural.value() - 1);
  llvm::Instruction *odd = nullptr;
  llvm::Instruction *even = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(builder.CreateIsNotNull(rest), bytes.before, &odd, &even,
                                      rarely_);
  check_parts(access, {odd, bytes.first, bytes.size, bytes.alignment}, flags);
  check_parts(access, {even, bytes.first, bytes.size, natural}, flags);
}

void AccessChecks::check_parts(const Access &access, const Bytes &bytes, unsigned flags) {
  const llvm::Align alignment = std::min(bytes.alignment, llvm::Align(CULPRIT_GRANULE));
  for (uint64_t done = 0; done < bytes.size; done += CULPRIT_GRANULE) {
    const uint64_t part = std::min<uint64_t>(bytes.size - done, CULPRIT_GRANULE);
    llvm::IRBuilder<> builder(bytes.before);
    llvm::Value *first =
        done == 0 ? bytes.first : builder.CreatePtrAdd(bytes.first, builder.getInt64(done));
    check_part(access, {bytes.before, first, part, alignment}, flags);
  }
}

void AccessChecks::check_part(const Access &access, const Bytes &part, unsigned flags) {
  AccessSites &sites = unit_.sites();
  const auto size = static_cast<unsigned>(part.size);
  llvm::IRBuilder<> builder(part.before);
  check_byte(access, part.before, part.first,
             sites.row(*access.from, callee_of(access), size, flags, part.alignment),
             part.alignment, builder.getInt64(1));
  if (size <= part.alignment.value())
    return;
  builder.SetInsertPoint(part.before);
  llvm::Value *last = builder.CreatePtrAdd(part.first, builder.getInt64(size - 1));
  llvm::Value *count = nullptr;
  if ((features_ & CULPRIT_FEATURE_COUNTS) != 0) {
    // Only if it does lie across two granules.
    llvm::Value *place =
        builder.CreateAnd(builder.CreatePtrToInt(last, builder.getInt64Ty()), CULPRIT_GRANULE - 1);
    count = builder.CreateZExt(builder.CreateICmpULT(place, builder.getInt64(size - 1)),
                               builder.getInt64Ty());
  }
  check_byte(
      access, part.before, last,
      sites.row(*access.from, callee_of(access), size, flags | CULPRIT_ROW_TAIL, part.alignment),
      llvm::Align(1), count);
}

void AccessChecks::check_byte(const Access &access, llvm::Instruction *before, llvm::Value *address,
                              unsigned row, llvm::Align alignment, llvm::Value *count) {
  if ((features_ & CULPRIT_FEATURE_COUNTS) == 0) {
    count = nullptr;
    if (type_of(*access.from) == AccessType::whole && alignment.value() < CULPRIT_GRANULE)
      before = branch_if_partly_new(before, address, row);
  }
  llvm::Instruction *then = branch_if_new(before, address, row, alignment, count);
  llvm::IRBuilder<> builder(then);
  builder.SetCurrentDebugLocation(access.from->getDebugLoc());
  hooks_.call(builder, Hooks::access, {address, unit_.runtime_row(builder, row)});
}

llvm::Instruction *AccessChecks::branch_if_new(llvm::Instruction *before, llvm::Value *address,
                                               unsigned row, llvm::Align alignment,
                                               llvm::Value *count) {
  llvm::IRBuilder<> builder(before);
  llvm::Type *wide = builder.getInt64Ty();
  llvm::Value *number = number_of(builder, address);
  llvm::Value *tag = load_tag(builder, number);
  if (count != nullptr) {
    const uint64_t distance = culprit_count(row) - CULPRIT_COUNT_BASE;
    llvm::Value *word =
        builder.CreatePtrAdd(builder.CreateGEP(wide, counts_, tag), builder.getInt64(distance));
    llvm::Value *counted =
        builder.CreateAdd(Hooks::unsanitized(builder.CreateLoad(wide, word)), count);
    Hooks::unsanitized(builder.CreateStore(counted, word));
  }
  llvm::Type *narrow = builder.getInt32Ty();
  llvm::Value *bits = load_bits(builder, tag, row);
  // A start that is known when compiling needs no bit test.
  if (alignment.value() < CULPRIT_GRANULE)
    bits = builder.CreateLShr(bits, builder.CreateAnd(builder.CreateTrunc(number, narrow), 31));
  llvm::Value *is_new = builder.CreateNot(builder.CreateTrunc(bits, builder.getInt1Ty()));
  return llvm::SplitBlockAndInsertIfThen(is_new, before, /*Unreachable=*/false, rarely_);
}

// A comparison with memory: the word in a register would be one instruction more.
llvm::Instruction *AccessChecks::branch_if_partly_new(llvm::Instruction *before,
                                                      llvm::Value *address, unsigned row) {
  llvm::IRBuilder<> builder(before);
  llvm::Value *bits = load_bits(builder, load_tag(builder, number_of(builder, address)), row);
  llvm::Value *is_partly_new = builder.CreateICmpNE(bits, builder.getInt32(~0U));
  return llvm::SplitBlockAndInsertIfThen(is_partly_new, before, /*Unreachable=*/false, rarely_);
}

llvm::Value *AccessChecks::load_tag(llvm::IRBuilder<> &builder, llvm::Value *number) {
  llvm::Value *granule = builder.CreateLShr(number, CULPRIT_GRANULE_SHIFT);
  llvm::LoadInst *tag = builder.CreateLoad(builder.getInt16Ty(),
                                           builder.CreateGEP(builder.getInt16Ty(), tags_, granule));
  return builder.CreateZExt(Hooks::unsanitized(tag), builder.getInt64Ty());
}

llvm::Value *AccessChecks::load_bits(llvm::IRBuilder<> &builder, llvm::Value *tag, unsigned row) {
  llvm::Value *word = builder.CreatePtrAdd(builder.CreateGEP(builder.getInt64Ty(), rows_, tag),
                                           builder.getInt64(culprit_row(row) - rows_at_));
  return Hooks::unsanitized(builder.CreateLoad(builder.getInt32Ty(), word));
}

void AccessChecks::tell_range(const Access &access, llvm::Value *address, llvm::Value *length,
                              unsigned flags) {
  llvm::IRBuilder<> builder(access.at);
  const bool is_event = (features_ & CULPRIT_FEATURE_EVENTS) != 0;
  // An event's row tells its size where that has one.
  const bool has_size = is_event && access.length == nullptr && access.size <= CULPRIT_GRANULE;
  const unsigned row =
      unit_.sites().row(*access.from, callee_of(access),
                        has_size ? static_cast<unsigned>(access.size) : 0, flags, access.alignment);
  hooks_.call(builder, is_event ? Hooks::event : Hooks::access_range,
              {address, length, unit_.runtime_row(builder, row)});
}

// A masked-out lane may have any address: it is told with a length of none.
void AccessChecks::tell_lanes(const Access &access, unsigned flags) {
  const auto *lanes = llvm::cast<llvm::FixedVectorType>(access.mask->getType());
  const bool is_spread = access.address->getType()->isVectorTy();
  for (unsigned lane = 0; lane < lanes->getNumElements(); ++lane) {
    llvm::IRBuilder<> builder(access.at);
    llvm::Value *address =
        is_spread ? builder.CreateExtractElement(access.address, lane)
                  : builder.CreatePtrAdd(access.address, builder.getInt64(lane * access.size));
    llvm::Value *length = builder.CreateSelect(builder.CreateExtractElement(access.mask, lane),
                                               builder.getInt64(access.size), builder.getInt64(0));
    tell_range(access, address, length, flags);
  }
}

} // namespace culprit
