// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/records.h"

#include "abi/locate.h"
#include "pass/locate/id_parameters.h"
#include "pass/locate/other_callee.h"
#include "pass/locate/plan.h"
#include "pass/locate/record_members.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>
#include <vector>

namespace culprit {

namespace {

constexpr unsigned kArguments = 32; // of a function, ids not counted
constexpr llvm::Align kAlignment = llvm::Align::Constant<CULPRIT_CELL_BYTES>();

llvm::Type *type_of(const llvm::Value &root) {
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&root))
    return local->getAllocatedType();
  const auto &argument = llvm::cast<llvm::Argument>(root);
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getParamStructRetType();
}

class Records {
public:
  explicit Records(llvm::Module &module) : module_(module), layout_(module.getDataLayout()) {}

  void run() {
    find_roots();
    if (roots_.empty())
      return;
    drop_others();
    llvm::SetVector<llvm::MemIntrinsic *> copies;
    for (const auto &[root, members] : roots_)
      for_each_use(*root, [&](llvm::Use &use, int64_t) {
        if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(use.getUser()))
          copies.insert(copy);
        return true;
      });
    for (llvm::MemIntrinsic *copy : copies)
      take_apart(*copy);
    llvm::SetVector<llvm::Function *> functions;
    for (const auto &[root, members] : roots_)
      if (const auto *argument = llvm::dyn_cast<llvm::Argument>(root))
        functions.insert(const_cast<llvm::Function *>(argument->getParent()));
    for (llvm::Function *function : functions)
      take_apart(*function);
  }

private:
  // Variables, and arguments that stand for one.
  void find_roots() {
    for (llvm::Function &function : module_) {
      if (!is_seen(function))
        continue;
      if (passes_ids_in_registers(function) && count_arguments(function) <= kArguments)
        for (llvm::Argument &argument : function.args())
          if ((argument.hasByValAttr() || argument.hasStructRetAttr()) &&
              argument.getParamAlign().valueOrOne() >= kAlignment)
            add_root(argument);
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            local != nullptr && local->isStaticAlloca() && !local->isArrayAllocation() &&
            !local->isSwiftError() && !local->isUsedWithInAlloca() &&
            local->getAddressSpace() == 0 && local->getAlign() >= kAlignment)
          add_root(*local);
    }
  }
  void add_root(llvm::Value &root) {
    if (auto members = members_of(type_of(root), layout_))
      roots_.insert({&root, std::move(*members)});
  }
  unsigned count_arguments(llvm::Function &function) const {
    size_t count = 0;
    for (const llvm::Argument &argument : function.args()) {
      const auto members = argument.hasByValAttr()
                               ? members_of(argument.getParamByValType(), layout_)
                               : std::nullopt;
      count += members ? members->size() : 1;
    }
    return static_cast<unsigned>(count);
  }

  // Until all that is left is used by what is left.
  void drop_others() {
    bool changes = true;
    while (changes) {
      const size_t before = roots_.size();
      roots_.remove_if([&](auto &each) { return !is_fit(*each.first, each.second); });
      changes = roots_.size() != before;
    }
  }

  // Every use of the root's address and of places inside, with their offset; `visit` says false to
  // stop. False: it was stopped, or there is an address that is no constant place.
  template <typename Visit> bool for_each_use(llvm::Value &root, Visit visit) {
    struct Part {
      llvm::Value *address;
      int64_t offset;
    };
    llvm::SmallVector<Part> parts = {{&root, 0}};
    while (!parts.empty()) {
      const Part part = parts.pop_back_val();
      for (llvm::Use &use : part.address->uses()) {
        if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(use.getUser())) {
          llvm::APInt offset(layout_.getIndexSizeInBits(0), 0);
          if (step->getType()->isVectorTy() || !step->accumulateConstantOffset(layout_, offset))
            return false;
          parts.push_back({step, part.offset + offset.getSExtValue()});
        } else if (!visit(use, part.offset)) {
          return false;
        }
      }
    }
    return true;
  }

  bool is_fit(llvm::Value &root, llvm::ArrayRef<Member> members) {
    const uint64_t size = layout_.getTypeAllocSize(type_of(root));
    auto is_inside = [&](int64_t offset, uint64_t length) {
      return offset >= 0 && static_cast<uint64_t>(offset) <= size &&
             length <= size - static_cast<uint64_t>(offset);
    };
    auto is_at_members = [&](int64_t offset, uint64_t length) {
      return is_inside(offset, length) && begins(members, offset) &&
             (static_cast<uint64_t>(offset) + length == size ||
              begins(members, offset + static_cast<int64_t>(length)));
    };
    return for_each_use(root, [&](llvm::Use &use, int64_t offset) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user))
        return load->isSimple() && is_inside(offset, layout_.getTypeStoreSize(load->getType()));
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
        return store->isSimple() && use.getOperandNo() == store->getPointerOperandIndex() &&
               is_inside(offset, layout_.getTypeStoreSize(store->getValueOperand()->getType()));
      if (const auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
        return length != nullptr && can_take_apart(*copy) &&
               is_at_members(offset, length->getZExtValue());
      }
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
        const llvm::Argument *argument = argument_for(*call, use);
        return argument != nullptr && roots_.contains(const_cast<llvm::Argument *>(argument)) &&
               is_at_members(offset, layout_.getTypeAllocSize(type_of(*argument)));
      }
      return false;
    });
  }

  static bool begins(llvm::ArrayRef<Member> members, int64_t offset) {
    return llvm::any_of(members, [&](const Member &member) {
      return static_cast<int64_t>(member.offset) == offset;
    });
  }

  static bool can_take_apart(const llvm::MemIntrinsic &copy) {
    if (copy.isVolatile() || copy.getDestAddressSpace() != 0 ||
        copy.getDestAlign().valueOrOne() < kAlignment)
      return false;
    if (const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
      return transfer->getSourceAddressSpace() == 0 &&
             transfer->getSourceAlign().valueOrOne() >= kAlignment;
    return llvm::isa<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(copy).getValue());
  }

  // What a value passed by address is in the function called; null: it is no such value.
  static const llvm::Argument *argument_for(const llvm::CallBase &call, const llvm::Use &use) {
    const llvm::Function *callee = call.getCalledFunction();
    if (callee == nullptr || !call.isArgOperand(&use) ||
        callee->getFunctionType() != call.getFunctionType())
      return nullptr;
    const unsigned number = call.getArgOperandNo(&use);
    if (number >= callee->arg_size())
      return nullptr;
    const llvm::Argument *argument = callee->getArg(number);
    const bool is_value = argument->hasByValAttr() || argument->hasStructRetAttr();
    return is_value ? argument : nullptr;
  }

  static llvm::Value *at(llvm::IRBuilder<> &builder, llvm::Value *base, uint64_t offset) {
    return offset == 0 ? base : builder.CreatePtrAdd(base, builder.getInt64(offset));
  }
  static llvm::Value *load(llvm::IRBuilder<> &builder, const Member &member, llvm::Value *base,
                           llvm::Align alignment) {
    return builder.CreateAlignedLoad(member.type, at(builder, base, member.offset),
                                     llvm::commonAlignment(alignment, member.offset));
  }
  static void store(llvm::IRBuilder<> &builder, const Member &member, llvm::Value *value,
                    llvm::Value *base, llvm::Align alignment) {
    builder.CreateAlignedStore(value, at(builder, base, member.offset),
                               llvm::commonAlignment(alignment, member.offset));
  }

  // The members that a copy of a root moves, by their offset in what is copied.
  Members moved_by(const llvm::MemIntrinsic &copy) const {
    auto find = [&](llvm::Value *address) -> std::optional<Members> {
      llvm::APInt offset(layout_.getIndexSizeInBits(0), 0);
      llvm::Value *base =
          address->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
      const auto *root = roots_.find(base);
      if (root == roots_.end())
        return std::nullopt;
      const uint64_t from = offset.getZExtValue();
      const uint64_t end = from + llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue();
      Members moved;
      for (const Member &member : root->second)
        if (member.offset >= from && member.offset < end)
          moved.push_back({member.type, member.offset - from});
      return moved;
    };
    if (auto moved = find(copy.getRawDest()))
      return *moved;
    return *find(llvm::cast<llvm::MemTransferInst>(copy).getRawSource());
  }

  void take_apart(llvm::MemIntrinsic &copy) {
    llvm::IRBuilder<> builder(&copy);
    const Members members = moved_by(copy);
    llvm::SmallVector<llvm::Value *, kMembers> values;
    for (const Member &member : members) {
      if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy)) {
        values.push_back(load(builder, member, transfer->getRawSource(),
                              transfer->getSourceAlign().valueOrOne()));
        continue;
      }
      const auto *byte =
          llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(copy).getValue());
      const auto bits = static_cast<unsigned>(layout_.getTypeStoreSizeInBits(member.type));
      llvm::Constant *filled = builder.getInt(llvm::APInt::getSplat(bits, byte->getValue()));
      values.push_back(member.type->isPointerTy()
                           ? llvm::ConstantExpr::getIntToPtr(filled, member.type)
                           : llvm::ConstantExpr::getBitCast(filled, member.type));
    }
    for (const auto &[member, value] : llvm::zip_equal(members, values))
      store(builder, member, value, copy.getRawDest(), copy.getDestAlign().valueOrOne());
    copy.eraseFromParent();
  }

  // One parameter of a function as it was; the numbers are those of the new function.
  struct Slot {
    const Members *members = nullptr; // null: as it was
    llvm::Type *record = nullptr;
    llvm::Align alignment;
    bool is_result = false;
    unsigned first = 0;
  };

  void take_apart(llvm::Function &function) {
    llvm::LLVMContext &context = function.getContext();
    std::vector<Slot> slots;
    llvm::SmallVector<llvm::Type *, 16> types;
    llvm::SmallVector<llvm::AttributeSet, 16> attributes;
    llvm::Type *result = function.getReturnType();
    for (llvm::Argument &argument : function.args()) {
      Slot slot;
      slot.first = static_cast<unsigned>(types.size());
      if (const auto *root = roots_.find(&argument); root != roots_.end()) {
        slot.members = &root->second;
        slot.record = type_of(argument);
        slot.alignment = argument.getParamAlign().valueOrOne();
        slot.is_result = argument.hasStructRetAttr();
        llvm::SmallVector<llvm::Type *, kMembers> of_members;
        for (const Member &member : root->second)
          of_members.push_back(member.type);
        if (slot.is_result)
          result = llvm::StructType::get(context, of_members);
        else
          types.append(of_members);
      } else {
        types.push_back(argument.getType());
      }
      attributes.resize(types.size());
      if (slot.members == nullptr)
        attributes.back() = function.getAttributes().getParamAttrs(argument.getArgNo());
      slots.push_back(slot);
    }
    llvm::Function *apart = &other_function(
        function, *llvm::FunctionType::get(result, types, false),
        llvm::AttributeList::get(context, function.getAttributes().getFnAttrs(),
                                 function.getAttributes().getRetAttrs(), attributes));
    put_together(function, *apart, slots);
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      change(*llvm::cast<llvm::CallBase>(user), *apart, slots);
    function.eraseFromParent();
  }

  // In the function each record is a variable again.
  void put_together(llvm::Function &from, llvm::Function &to, llvm::ArrayRef<Slot> slots) {
    llvm::BasicBlock &entry = to.getEntryBlock();
    llvm::IRBuilder<> locals(&entry, entry.begin());
    llvm::IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
    const Slot *result = nullptr;
    llvm::AllocaInst *room = nullptr;
    for (unsigned i = 0; i < slots.size(); ++i) {
      llvm::Argument *argument = from.getArg(i);
      const Slot &slot = slots[i];
      if (slot.members == nullptr) {
        to.getArg(slot.first)->takeName(argument);
        argument->replaceAllUsesWith(to.getArg(slot.first));
        continue;
      }
      llvm::AllocaInst *local = locals.CreateAlloca(slot.record);
      local->setAlignment(std::max(local->getAlign(), slot.alignment));
      local->takeName(argument);
      argument->replaceAllUsesWith(local);
      if (slot.is_result) {
        result = &slot;
        room = local;
        continue;
      }
      for (unsigned number = 0; number < slot.members->size(); ++number)
        store(builder, (*slot.members)[number], to.getArg(slot.first + number), local,
              local->getAlign());
    }
    if (result == nullptr)
      return;
    to.addFnAttr(kRecordResult);
    room->setMetadata(kRecordRoom, llvm::MDNode::get(to.getContext(), {}));
    for (llvm::BasicBlock &block : to) {
      auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      if (end == nullptr)
        continue;
      llvm::IRBuilder<> at_end(end);
      llvm::Value *all = llvm::PoisonValue::get(to.getReturnType());
      for (unsigned number = 0; number < result->members->size(); ++number)
        all = at_end.CreateInsertValue(
            all, load(at_end, (*result->members)[number], room, room->getAlign()), number);
      at_end.CreateRet(all);
      end->eraseFromParent();
    }
  }

  void change(llvm::CallBase &call, llvm::Function &callee, llvm::ArrayRef<Slot> slots) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value *, 16> arguments;
    llvm::SmallVector<llvm::AttributeSet, 16> attributes;
    const Slot *result = nullptr;
    llvm::Value *goes_to = nullptr;
    for (unsigned i = 0; i < slots.size(); ++i) {
      llvm::Value *given = call.getArgOperand(i);
      if (slots[i].members == nullptr) {
        arguments.push_back(given);
        attributes.resize(arguments.size());
        attributes.back() = call.getAttributes().getParamAttrs(i);
      } else if (slots[i].is_result) {
        result = &slots[i];
        goes_to = given;
      } else {
        for (const Member &member : *slots[i].members)
          arguments.push_back(load(builder, member, given, slots[i].alignment));
      }
    }
    attributes.resize(arguments.size());
    llvm::CallBase *apart =
        &call_other(call, callee, arguments,
                    llvm::AttributeList::get(call.getContext(), call.getAttributes().getFnAttrs(),
                                             call.getAttributes().getRetAttrs(), attributes));
    if (!call.use_empty())
      call.replaceAllUsesWith(apart);
    call.eraseFromParent();
    if (result == nullptr)
      return;
    llvm::Instruction *next = apart->getNextNode();
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(apart)) {
      llvm::BasicBlock *normal = invoke->getNormalDest();
      if (normal->getSinglePredecessor() == nullptr)
        normal = llvm::SplitEdge(invoke->getParent(), normal);
      next = &*normal->getFirstInsertionPt();
    }
    give(*apart, *result, goes_to, *next);
  }

  static void give(llvm::CallBase &call, const Slot &result, llvm::Value *to,
                   llvm::Instruction &next) {
    llvm::IRBuilder<> builder(&next);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    for (unsigned number = 0; number < result.members->size(); ++number)
      store(builder, (*result.members)[number], builder.CreateExtractValue(&call, number), to,
            result.alignment);
  }

  llvm::Module &module_;
  const llvm::DataLayout &layout_;
  llvm::MapVector<llvm::Value *, Members> roots_;
};

} // namespace

void take_records_apart(llvm::Module &module) { Records(module).run(); }

} // namespace culprit
