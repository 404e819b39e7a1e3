// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/plan.h"

#include "pass/call_graph.h"
#include "pass/debug_types.h"
#include "pass/hooks.h"
#include "pass/library_table.h"
#include "pass/locate/dead_ends.h"
#include "pass/locate/lent.h"
#include "pass/locate/library.h"
#include "pass/locate/returned_variables.h"
#include "pass/locate/sound_addresses.h"
#include "pass/locate/variable_names.h"
#include "pass/work_reach.h"

#include "abi/locate.h"
#include "abi/sites.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

constexpr uint64_t kSmallNumber = 255; // leaves no page, of elements of a few words

// An access that can neither fault nor meet another variable.
bool is_inside(const llvm::Value *address, uint64_t size, const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base =
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  uint64_t whole = 0;
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    const auto known = local->getAllocationSize(layout);
    whole = known && !known->isScalable() ? known->getFixedValue() : 0;
  } else if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base);
             global != nullptr && !global->isDeclaration() && !global->isInterposable()) {
    whole = layout.getTypeAllocSize(global->getValueType());
  } else if (const auto *argument = llvm::dyn_cast<llvm::Argument>(base)) {
    // A copy, or where a result goes: a variable of the caller's, which no source names.
    llvm::Type *type = argument->hasByValAttr()       ? argument->getParamByValType()
                       : argument->hasStructRetAttr() ? argument->getParamStructRetType()
                                                      : nullptr;
    whole = type != nullptr ? layout.getTypeAllocSize(type).getFixedValue() : 0;
  }
  return !offset.isNegative() && offset.getActiveBits() <= 63 && size <= whole &&
         offset.getZExtValue() <= whole - size;
}

class Planner {
public:
  Planner(llvm::Function &function, LocateTables &tables)
      : function_(function), tables_(tables), names_(function),
        layout_(function.getParent()->getDataLayout()), sound_(layout_) {}

  Plan make() {
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        declare(*local);
    for (const ReturnedVariable &variable : returned_variables(function_))
      plan_.returned.try_emplace(variable.from,
                                 PlannedReturned{variable.place, define(*variable.variable)});
    for (llvm::BasicBlock &block : function_) {
      sound_.enter(block);
      for (llvm::Instruction &instruction : block) {
        look_at(instruction);
        sound_.pass(instruction);
      }
      sound_.leave(block);
    }
    return std::move(plan_);
  }

private:
  void declare(llvm::AllocaInst &local) {
    plan_.homes[&local] = home_of(local);
    const llvm::DILocalVariable *variable = names_.variable(local);
    if (variable == nullptr || variable->isParameter())
      return;
    plan_.variables[&local] = define(*variable);
  }

  // Its declaration.
  unsigned define(const llvm::DILocalVariable &variable) {
    SourcePlace place{path_of(variable.getDirectory(), variable.getFilename()),
                      source_name(function_).str(), variable.getLine(), 0, 0};
    return tables_.add_definition({"variable", std::move(place), variable.getName().str(), "", {}});
  }

  // An element, or what a pointer that walks points to.
  static bool may_go_astray(llvm::Value *address) {
    auto walks = [](const llvm::Value *pointer) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer);
      const auto *local =
          load != nullptr ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
      return local != nullptr && llvm::any_of(local->users(), [&](const llvm::User *user) {
               const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
               return store != nullptr && store->getPointerOperand() == local &&
                      llvm::isa<llvm::GetElementPtrInst>(store->getValueOperand());
             });
    };
    return llvm::any_of(leaves_of_address(address), [&](const Leaf &leaf) {
      return leaf.role == "index" || walks(leaf.value);
    });
  }

  // Is it in a variable that will not be in memory?
  bool becomes_register(const llvm::Value *address) const {
    const auto *local = llvm::dyn_cast<llvm::AllocaInst>(address->stripInBoundsConstantOffsets());
    const auto home = local != nullptr ? plan_.homes.find(local) : plan_.homes.end();
    return home != plan_.homes.end() &&
           (home->second == Home::promoted || home->second == Home::split);
  }

  std::vector<std::string> names_of(llvm::ArrayRef<Leaf> leaves) const {
    std::vector<std::string> names;
    for (const Leaf &leaf : leaves)
      if (std::string name = names_.of(leaf.value); !name.empty())
        names.push_back(std::move(name));
    return names;
  }

  void define(llvm::Instruction &at, llvm::StringRef kind, std::string variable,
              llvm::StringRef callee, std::vector<std::string> leaves) {
    plan_.definitions[&at] = tables_.add_definition(
        {kind, place_of(at), std::move(variable), callee.str(), std::move(leaves)});
  }

  // What a write to this address is meant for.
  std::string object_at(const llvm::Value *address) const {
    const llvm::Value *object = llvm::getUnderlyingObject(address, /*MaxLookup=*/0);
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      const llvm::DILocalVariable *variable = names_.variable(*local);
      return variable != nullptr ? (source_name(function_) + ":" + variable->getName() + ":" +
                                    llvm::Twine(variable->getLine()))
                                       .str()
                                 : "";
    }
    return llvm::isa<llvm::GlobalVariable>(object) ? object->getName().str() : "";
  }

  // The variable that a library function writes as a whole. Only an array of numbers: what else it
  // writes over lies outside then, while a member of a struct may have a pointer behind it.
  std::string array_at(const llvm::Value *address) const {
    const llvm::Value *object = llvm::getUnderlyingObject(address, /*MaxLookup=*/0);
    const llvm::Type *type = nullptr;
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      type = global->getValueType();
    else if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object))
      type = local->getAllocatedType();
    const auto *array = llvm::dyn_cast_or_null<llvm::ArrayType>(type);
    return array != nullptr && array->getElementType()->isIntegerTy() ? object_at(address) : "";
  }

  static unsigned mark_local(const llvm::Value *address) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address, /*MaxLookup=*/0))
               ? CULPRIT_MARK_LOCAL
               : 0;
  }

  // Bytes from there to the end of the local variable; 0: it is none, or that is not known. (Of
  // globals and blocks the runtime knows.)
  uint64_t room_in_local(const llvm::Value *address) const {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const auto *local = llvm::dyn_cast<llvm::AllocaInst>(
        address->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true));
    const auto size = local != nullptr && local->isStaticAlloca()
                          ? local->getAllocationSize(layout_)
                          : std::nullopt;
    return size && !size->isScalable() && offset.ult(size->getFixedValue())
               ? size->getFixedValue() - offset.getZExtValue()
               : 0;
  }

  // What the last step of an address has led to.
  struct Step {
    bool is_followed = false; // a member that has others behind it
    bool is_chosen = false;   // an element of such a member, by an index
  };
  static Step step_of(const llvm::GEPOperator &address) {
    Step step;
    if (const auto *outer = llvm::dyn_cast<llvm::GEPOperator>(address.getPointerOperand()))
      step.is_followed = step_of(*outer).is_followed;
    llvm::Type *type = address.getSourceElementType();
    for (const llvm::Use &index : llvm::drop_begin(address.indices())) {
      const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
      const auto *record = llvm::dyn_cast<llvm::StructType>(type);
      step.is_chosen = record == nullptr && constant == nullptr && step.is_followed;
      step.is_followed = record != nullptr && constant != nullptr &&
                         constant->getZExtValue() + 1 < record->getNumElements();
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, index.get());
    }
    return step;
  }

  static unsigned mark_member(const llvm::Value *address) {
    const auto *element = llvm::dyn_cast<llvm::GEPOperator>(address);
    return element != nullptr && step_of(*element).is_chosen ? CULPRIT_MARK_MEMBER : 0;
  }

  void define_library(llvm::CallBase &call, const llvm::Value *written, llvm::StringRef callee,
                      std::vector<std::string> leaves) {
    const uint64_t member = written != nullptr ? names_.member_size(written, writes_text(call)) : 0;
    plan_.rooms[&call] = member != 0 || written == nullptr ? member : room_in_local(written);
    const auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call);
    const llvm::Constant *initializer = copy != nullptr ? initializer_of(*copy) : nullptr;
    plan_.definitions[&call] = tables_.add_definition(
        {"library", place_of(call), written != nullptr ? names_.at(written) : "", callee.str(),
         std::move(leaves), member, written != nullptr ? array_at(written) : "",
         (written != nullptr ? mark_local(written) : 0U) |
             (initializer != nullptr && has_small_numbers(*initializer) ? CULPRIT_MARK_SMALL
                                                                        : 0U)});
  }

  // Do both mean one place, by what they are computed from? (`r->count = r->count + 1` computes its
  // address twice.)
  static bool is_same(const llvm::Value *a, const llvm::Value *b) {
    if (a == b)
      return true;
    const auto *one = llvm::dyn_cast<llvm::Instruction>(a);
    const auto *other = llvm::dyn_cast<llvm::Instruction>(b);
    return one != nullptr && other != nullptr &&
           llvm::isa<llvm::LoadInst, llvm::GetElementPtrInst, llvm::CastInst>(one) &&
           one->isSameOperationAs(other) &&
           std::equal(one->op_begin(), one->op_end(), other->op_begin(),
                      [](const llvm::Use &x, const llvm::Use &y) { return is_same(x, y); });
  }

  static bool is_update(llvm::StoreInst &store) {
    auto reads_it = [&](const Leaf &leaf) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(leaf.value);
      return load != nullptr && is_same(load->getPointerOperand(), store.getPointerOperand());
    };
    return llvm::any_of(leaves_of(store.getValueOperand(), ""), reads_it);
  }

  static bool is_small(const llvm::Value *value) {
    const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value);
    return number != nullptr && number->getValue().abs().ule(kSmallNumber);
  }

  // All numbers in it are, and there is nothing else but addresses of variables.
  static bool has_small_numbers(const llvm::Constant &value) {
    if (const auto *items = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
      for (unsigned i = 0; i < items->getNumElements(); ++i)
        if (!is_small(items->getElementAsConstant(i)))
          return false;
      return true;
    }
    if (llvm::isa<llvm::ConstantAggregate>(value))
      return llvm::all_of(value.operands(), [](const llvm::Use &part) {
        return has_small_numbers(*llvm::cast<llvm::Constant>(part));
      });
    return is_small(&value) || is_variable(&value) || llvm::isa<llvm::UndefValue>(value);
  }

  // The address of a variable, or in it.
  static bool is_variable(const llvm::Value *value) {
    return value->getType()->isPointerTy() &&
           llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(value->stripInBoundsConstantOffsets());
  }

  // A number that was written down, and is no larger than what tables have elements. And where a
  // variable is leads nowhere else by itself.
  static unsigned mark_small(const llvm::Value *value) {
    return is_small(value) || is_variable(value) ? CULPRIT_MARK_SMALL : 0;
  }

  void define_store(llvm::StoreInst &store) {
    llvm::Value *value = store.getValueOperand();
    llvm::Value *address = store.getPointerOperand();
    plan_.definitions[&store] = tables_.add_definition(
        {"store", place_of(store), names_.at(address), "", names_of(leaves_of(value, "")),
         layout_.getTypeStoreSize(value->getType()).getKnownMinValue(), object_at(address),
         (is_update(store) ? CULPRIT_MARK_UPDATE : 0U) | mark_member(address) |
             mark_local(address) | mark_small(value)});
  }

  void add_place(llvm::Instruction &at, llvm::StringRef kind, uint64_t size, llvm::StringRef callee,
                 llvm::SmallVector<Leaf, 4> leaves) {
    std::vector<LeafName> names;
    for (const Leaf &leaf : leaves)
      names.push_back({names_.of(leaf.value), leaf.role});
    const unsigned number =
        tables_.add_place({kind, place_of(at), size, callee.str(), std::move(names)});
    plan_.places[&at] = {number, std::move(leaves)};
  }

  void access(llvm::Instruction &at, llvm::StringRef kind, llvm::Value *address, llvm::Type *type) {
    const uint64_t size = layout_.getTypeStoreSize(type).getKnownMinValue();
    if (!is_inside(address, size, layout_) && !sound_.meet(address, size))
      add_place(at, kind, size, "", leaves_of_address(address));
  }

  void hand_on(llvm::Instruction &at, unsigned operand, llvm::StringRef callee) {
    llvm::Value *value = at.getOperand(operand);
    // A truth value is nobody's address; what made it is in the condition that led here.
    if (value->getType()->isIntegerTy(1) || has_leaves(value) ||
        llvm::isa<llvm::UndefValue, llvm::MetadataAsValue>(value) ||
        plan_.constants.contains({&at, operand}))
      return;
    plan_.constants[{&at, operand}] = tables_.add_definition(
        {"constant", place_of(at), "", callee.str(), {}, 0, "", mark_small(value)});
  }

  void look_at(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      access(*load, "load", load->getPointerOperand(), load->getType());
      if (load->getType()->isPointerTy() && may_go_astray(load->getPointerOperand()))
        plan_.elements.insert(load);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      llvm::Value *value = store->getValueOperand();
      access(*store, "store", store->getPointerOperand(), value->getType());
      if (is_copy(value) && !is_part(value) && may_go_astray(store->getPointerOperand()))
        plan_.may_go_astray.insert(store);
      if (plan_.may_go_astray.contains(store) || !is_copy(value) ||
          (is_part(value) && !becomes_register(store->getPointerOperand())))
        define_store(*store);
    } else if (auto *swap = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      access(*swap, "store", swap->getPointerOperand(), swap->getType());
      define(*swap, "store", names_.at(swap->getPointerOperand()), "",
             names_of(leaves_of(swap->getValOperand(), "")));
    } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      access(*exchange, "store", exchange->getPointerOperand(),
             exchange->getNewValOperand()->getType());
      define(*exchange, "store", names_.at(exchange->getPointerOperand()), "",
             names_of(leaves_of(exchange->getNewValOperand(), "")));
    } else if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      divide(*operation);
    } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        // Several edges from one block are one input.
        if (phi->getBasicBlockIndex(phi->getIncomingBlock(i)) == static_cast<int>(i))
          hand_on(*phi, i, "");
    } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      hand_on(*select, 1, "");
      hand_on(*select, 2, "");
    } else if (auto *result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (result->getReturnValue() != nullptr)
        hand_on(*result, 0, "");
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      look_at_call(*call);
    }
  }

  void divide(llvm::BinaryOperator &operation) {
    const auto code = operation.getOpcode();
    const bool divides = code == llvm::Instruction::SDiv || code == llvm::Instruction::UDiv ||
                         code == llvm::Instruction::SRem || code == llvm::Instruction::URem;
    if (!divides)
      return;
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
    if (constant == nullptr || constant->isZero())
      add_place(operation, "divide", 0, "", leaves_of(operation.getOperand(1), "divisor"));
  }

  void stop(llvm::CallBase &call, llvm::StringRef name) {
    PlannedStop planned{reasons_for(*call.getParent()), {}};
    std::vector<Reason> &ways = planned.reasons.ways;
    if (planned.reasons.inevitable.contains(&function_.getEntryBlock()) &&
        function_.hasFnAttribute(kDeadEnd)) {
      plan_.stops_of_caller.insert(&call);
      return;
    }
    if (ways.empty() || (ways.size() == 1 && ways.front().children.empty())) {
      add_place(call, "stop", 0, name,
                ways.empty() ? leaves_of_last_condition(*call.getParent())
                             : leaves_of_way(ways.front()));
      return;
    }
    llvm::SmallVector<Leaf, 4> all;
    for (Reason &way : ways) {
      add_place(call, "stop", 0, name, leaves_of_way(way));
      way.place = plan_.places[&call].number;
      for (llvm::BasicBlock *block : way.deciding) {
        if (llvm::any_of(planned.parts, [&](const auto &part) { return part.block == block; }))
          continue;
        planned.parts.push_back({block, leaves_of(condition_of_branch(*block), "condition")});
        all.append(planned.parts.back().leaves);
      }
    }
    add_place(call, "stop", 0, name, {});
    plan_.places[&call].leaves = std::move(all);
    plan_.stops[&call] = std::move(planned);
  }

  void look_at_call(llvm::CallBase &call) {
    const CallKind kind = kind_of(call);
    const llvm::Function *callee = called_function(call);
    llvm::StringRef name = callee != nullptr ? source_name(*callee) : "";
    if (const auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call))
      name = llvm::isa<llvm::AnyMemSetInst>(memory)    ? "memset"
             : llvm::isa<llvm::AnyMemMoveInst>(memory) ? "memmove"
                                                       : "memcpy";
    switch (kind) {
    case CallKind::nothing:
    case CallKind::computed:
      return;
    case CallKind::seen:
    case CallKind::unknown:
      for (unsigned i = 0; i < call.arg_size() && i < CULPRIT_ARGUMENT_IDS; ++i)
        hand_on(call, i, name);
      if (kind == CallKind::unknown) {
        add_place(call, "call", 0, "", leaves_of(call.getCalledOperand(), "pointer"));
        if (!call.getType()->isVoidTy())
          define(call, "call", "", "", {});
      }
      if (is_dead_end(call))
        stop(call, name);
      return;
    case CallKind::copies:
    case CallKind::fills: {
      auto &memory = llvm::cast<llvm::AnyMemIntrinsic>(call);
      unseen_place(call, name);
      if (may_go_astray(memory.getRawDest()))
        plan_.elements.insert(&call);
      define_library(call, memory.getRawDest(), name,
                     names_of(leaves_of(call.getArgOperand(1), "")));
      return;
    }
    case CallKind::stops:
      stop(call, name);
      return;
    case CallKind::unseen:
      unseen_place(call, name);
      if (is_allocation_call(call))
        allocate(call, name);
      else if (is_free_call(call))
        define(call, "free", names_.of(call.getArgOperand(0)), name, {});
      else if (LibraryIds::writes(call))
        define_library(call, written_by(call), name, arguments(call));
      else if (!call.getType()->isVoidTy() || (!LibraryIds::is_known(call) && lends(call, layout_)))
        define(call, "call", "", name, arguments(call));
      return;
    }
  }

  // A block that moves leaves a free one behind, which is a definition of its own: the next number
  // (runtime/locate/blocks.cpp).
  void allocate(llvm::CallBase &call, llvm::StringRef name) {
    define(call, "allocation", "", name, arguments(call));
    if (const llvm::StringRef function = called_library_function(call)->getName();
        function == "realloc" || function == "reallocarray")
      tables_.add_definition(
          {"free", place_of(call), names_.of(call.getArgOperand(0)), name.str(), {}});
  }

  // What it writes first is a text, not whatever has that many bytes.
  static bool writes_text(const llvm::CallBase &call) {
    using How = LibraryLength::How;
    for (const LibraryAccess &access : library_accesses(call))
      if (access.use == LibraryAccess::Use::writes)
        return access.length.how == How::text || access.length.how == How::appended ||
               access.length.how == How::printed || access.length.how == How::text_if;
    return false;
  }

  // Where it goes; null: that is not known.
  static const llvm::Value *written_by(const llvm::CallBase &call) {
    for (const LibraryAccess &access : library_accesses(call))
      if (access.use == LibraryAccess::Use::writes)
        return call.getArgOperand(access.address);
    return call.hasStructRetAttr() ? call.getArgOperand(0) : nullptr;
  }

  std::vector<std::string> arguments(llvm::CallBase &call) {
    std::vector<std::string> names;
    for (llvm::Value *argument : call.args())
      for (std::string &name : names_of(leaves_of(argument, "")))
        names.push_back(std::move(name));
    return names;
  }

  // One leaf per argument, its id being the most recent of what it is made of.
  void unseen_place(llvm::CallBase &call, llvm::StringRef name) {
    llvm::SmallVector<Leaf, 4> leaves;
    std::vector<LeafName> names;
    for (llvm::Value *argument : call.args()) {
      if (leaves.size() == CULPRIT_LEAVES)
        break;
      const char *role = argument->getType()->isPointerTy() ? "pointer" : "argument";
      const auto parts = leaves_of(argument, role);
      leaves.push_back({argument, role});
      names.push_back({parts.empty() ? "" : names_.of(parts.front().value), role});
    }
    const unsigned number = tables_.add_place(
        {is_free_call(call) ? "free" : "call", place_of(call), 0, name.str(), std::move(names)});
    plan_.places[&call] = {number, std::move(leaves)};
  }

  llvm::Function &function_;
  LocateTables &tables_;
  VariableNames names_;
  const llvm::DataLayout &layout_;
  SoundAddresses sound_;
  Plan plan_;
};

bool is_trap(llvm::Intrinsic::ID id) {
  return id == llvm::Intrinsic::trap || id == llvm::Intrinsic::ubsantrap ||
         id == llvm::Intrinsic::debugtrap;
}

} // namespace

bool is_seen(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) && !is_ifunc_resolver(function);
}

CallKind kind_of(const llvm::CallBase &call) {
  if (llvm::isa<llvm::AnyMemTransferInst>(call))
    return CallKind::copies;
  if (llvm::isa<llvm::AnyMemSetInst>(call))
    return CallKind::fills;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (is_trap(intrinsic->getIntrinsicID()))
      return CallKind::stops;
    return is_computed(*intrinsic) ? CallKind::computed : CallKind::nothing;
  }
  if (call.isInlineAsm())
    return CallKind::unseen;
  const llvm::Function *callee = called_function(call);
  if (callee == nullptr)
    return CallKind::unknown;
  if (is_seen(*callee))
    return CallKind::seen;
  if (call.doesNotReturn() && callee->getName() != "exit" && callee->getName() != "_exit" &&
      callee->getName() != "_Exit" && callee->getName() != "quick_exit")
    return CallKind::stops;
  return CallKind::unseen;
}

const llvm::Constant *initializer_of(const llvm::AnyMemTransferInst &copy) {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(copy.getRawSource());
  const bool is_unnamed = global != nullptr && global->isConstant() && global->hasLocalLinkage() &&
                          global->hasGlobalUnnamedAddr() && global->hasInitializer() &&
                          !global->hasMetadata(llvm::LLVMContext::MD_dbg);
  return is_unnamed ? global->getInitializer() : nullptr;
}

bool is_allocation_call(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  return library != nullptr && !allocation_hook(library->getName()).empty();
}

bool is_free_call(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  return library != nullptr && is_free(library->getName()) && call.arg_size() > 0;
}

Plan make_plan(llvm::Function &function, LocateTables &tables) {
  return Planner(function, tables).make();
}

} // namespace culprit
