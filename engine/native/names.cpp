// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/names.h"

#include "abi/access.h"
#include "abi/native_names.h"
#include "engine/launch/isolated.h"
#include "engine/native/frames.h"
#include "engine/native/types.h"
#include "engine/symbolize/symbolize.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFExpression.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Object/ObjectFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr int kMaxDepth = 256; // scopes inside scopes

// An expression of one operation.
struct Operation {
  uint8_t code;
  uint64_t operand;
};

std::optional<Operation> only_operation(llvm::ArrayRef<uint8_t> block,
                                        const llvm::DWARFUnit &unit) {
  const llvm::DataExtractor data(llvm::toStringRef(block), /*IsLittleEndian=*/true,
                                 unit.getAddressByteSize());
  const llvm::DWARFExpression expression(data, unit.getAddressByteSize(),
                                         unit.getFormParams().Format);
  auto operation = expression.begin();
  if (operation == expression.end() || operation->isError())
    return std::nullopt;
  Operation only{operation->getCode(),
                 operation->getNumOperands() != 0 ? operation->getRawOperand(0) : 0};
  if (++operation != expression.end())
    return std::nullopt;
  return only;
}

std::optional<Operation> only_operation(llvm::DWARFDie die, dw::Attribute attribute) {
  const auto found = die.find(attribute);
  const auto block = found ? found->getAsBlock() : std::nullopt;
  if (!block)
    return std::nullopt; // a list: it moves
  return only_operation(*block, *die.getDwarfUnit());
}

// The address of a variable that has one for good.
std::optional<uint64_t> fixed_place(llvm::DWARFDie die) {
  const auto where = only_operation(die, dw::DW_AT_location);
  if (!where)
    return std::nullopt;
  if (where->code == dw::DW_OP_addr)
    return where->operand;
  if (where->code == dw::DW_OP_addrx || where->code == dw::DW_OP_GNU_addr_index)
    if (const auto item =
            die.getDwarfUnit()->getAddrOffsetSectionItem(static_cast<uint32_t>(where->operand)))
      return item->Address;
  return std::nullopt;
}

// What is to be added to the CFA to get to where a register points in most of a function.
std::optional<int64_t> register_place(uint8_t code, uint8_t first, const Frame &frame) {
  constexpr uint8_t kFrame = 6;
  constexpr uint8_t kStack = 7;
  if (code == first + kFrame && frame.from_frame_pointer)
    return -*frame.from_frame_pointer;
  if (code == first + kStack && frame.from_stack_pointer)
    return -*frame.from_stack_pointer;
  return std::nullopt;
}

std::optional<int64_t> frame_base(llvm::DWARFDie function, const Frame &frame) {
  const auto base = only_operation(function, dw::DW_AT_frame_base);
  if (!base)
    return std::nullopt;
  if (base->code == dw::DW_OP_call_frame_cfa)
    return 0;
  return register_place(base->code, dw::DW_OP_reg0, frame);
}

// Where the source declares it. Not LLVM's getDeclFile, which finds no unit for numbers that gcc
// keeps in its table of abbreviations.
void find_declaration(llvm::DWARFDie die, Variable &variable) {
  constexpr int kMaxSteps = 8;
  for (int step = 0; die.isValid() && step < kMaxSteps; ++step) {
    if (const uint64_t file = number_of(die, dw::DW_AT_decl_file); die.find(dw::DW_AT_decl_file)) {
      llvm::DWARFUnit *unit = die.getDwarfUnit();
      const auto *lines = unit->getContext().getLineTableForUnit(unit);
      const char *folder = unit->getCompilationDir();
      if (lines != nullptr)
        lines->getFileNameByIndex(file, folder == nullptr ? "" : folder,
                                  llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                  variable.file);
      variable.line = static_cast<unsigned>(number_of(die, dw::DW_AT_decl_line));
      return;
    }
    llvm::DWARFDie origin = die.getAttributeValueAsReferencedDie(dw::DW_AT_abstract_origin);
    die = origin ? origin : die.getAttributeValueAsReferencedDie(dw::DW_AT_specification);
  }
}

bool is_aggregate(llvm::DWARFDie type) { return array_element(type) || as_record(type); }

std::vector<Code> ranges_of(llvm::DWARFDie die) {
  std::vector<Code> code;
  if (auto ranges = die.getAddressRanges()) {
    for (const llvm::DWARFAddressRange &range : *ranges)
      if (range.valid() && range.LowPC != 0 && range.LowPC < range.HighPC)
        code.push_back({range.LowPC, range.HighPC});
  } else {
    llvm::consumeError(ranges.takeError());
  }
  return code;
}

class Reader {
public:
  Reader(const llvm::object::ObjectFile &file, llvm::DWARFContext &context, FileNames &names)
      : file_(file), context_(context), frames_(context), names_(names) {}

  void read() {
    for (const std::unique_ptr<llvm::DWARFUnit> &unit : context_.compile_units())
      walk(unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false), "", nullptr, kMaxDepth);
    names_.calls = call_results(file_, codes_, global_types_, layouts_);
    names_.layouts = layouts_.all();
    std::ranges::sort(names_.globals);
    // Of several declarations of one place the first by name counts.
    const auto again = std::ranges::unique(names_.globals, {}, &Variable::place);
    names_.globals.erase(again.begin(), again.end());
    std::ranges::sort(names_.functions, {}, &Function::entry);
    const auto twice = std::ranges::unique(names_.functions, {}, &Function::entry);
    names_.functions.erase(twice.begin(), twice.end());
  }

private:
  // A function whose code is there, while its scopes are walked.
  struct Open {
    std::optional<int64_t> base; // frame base, from the CFA
    Frame frame;
    bool has_aggregate = false;
    std::vector<Variable> variables;
    std::vector<Code> scope; // code of the innermost one
    std::vector<Holder> holders;
  };

  static std::string function_name(llvm::DWARFDie die) {
    const char *name = die.getSubroutineName(llvm::DINameKind::LinkageName);
    return name == nullptr ? "" : symbolize::readable_name(name);
  }

  void walk(llvm::DWARFDie die, const std::string &function, Open *open, int depth) {
    if (!die.isValid() || depth == 0)
      return;
    switch (die.getTag()) {
    case dw::DW_TAG_variable:
    case dw::DW_TAG_formal_parameter:
      add_variable(die, function, open);
      return;
    case dw::DW_TAG_subprogram:
      add_function(die, depth);
      return;
    case dw::DW_TAG_inlined_subroutine:
      walk_scope(die, function_name(die), open, depth);
      return;
    case dw::DW_TAG_lexical_block:
      walk_scope(die, function, open, depth);
      return;
    case dw::DW_TAG_compile_unit:
    case dw::DW_TAG_namespace:
    case dw::DW_TAG_try_block:
    case dw::DW_TAG_catch_block:
    case dw::DW_TAG_structure_type:
    case dw::DW_TAG_class_type:
      walk_children(die, function, open, depth);
      return;
    default:
      return;
    }
  }

  void walk_children(llvm::DWARFDie die, const std::string &function, Open *open, int depth) {
    for (const llvm::DWARFDie child : die.children())
      walk(child, function, open, depth - 1);
  }

  void walk_scope(llvm::DWARFDie die, const std::string &function, Open *open, int depth) {
    if (open == nullptr)
      return walk_children(die, function, open, depth);
    std::vector<Code> around = open->scope;
    if (std::vector<Code> inner = ranges_of(die); !inner.empty())
      open->scope = std::move(inner);
    walk_children(die, function, open, depth);
    open->scope = std::move(around);
  }

  void add_function(llvm::DWARFDie die, int depth) {
    const std::string name = function_name(die);
    Function function;
    function.code = ranges_of(die);
    if (function.code.empty()) { // elsewhere, or inlined everywhere: static variables are here
      walk_children(die, name, nullptr, depth);
      return;
    }
    function.entry = function.code.front().low; // a part that was moved away comes behind
    Open open;
    open.frame = frames_.of(function.entry);
    open.base = frame_base(die, open.frame);
    open.scope = function.code;
    walk_children(die, name, &open, depth);
    codes_.push_back({die, function.code, open.frame, std::move(open.holders)});
    function.has_frame_pointer = open.frame.from_frame_pointer.has_value();
    if (open.has_aggregate) {
      function.variables = without_overlap(std::move(open.variables), name);
      constexpr int64_t kReturnAddress = 8;
      const int64_t top =
          function.variables.back().place + static_cast<int64_t>(function.variables.back().size);
      function.saved = open.frame.saved;
      if (top > -kReturnAddress - static_cast<int64_t>(function.saved))
        function.saved = 0; // they contradict one another
    }
    names_.functions.push_back(std::move(function));
  }

  void add_variable(llvm::DWARFDie die, const std::string &function, Open *open) {
    const char *name = die.getShortName();
    const llvm::DWARFDie type = type_of(die);
    const uint64_t size = bytes_of(type);
    if (name == nullptr || size == 0)
      return;
    Variable variable;
    variable.size = size;
    variable.name = name;
    variable.function = function;
    if (const auto address = fixed_place(die)) {
      if (const char *linkage = die.getLinkageName())
        variable.name = linkage;
      variable.place = static_cast<int64_t>(*address);
      variable.internal = !die.findRecursively(dw::DW_AT_external);
      describe(variable, die, type);
      names_.globals.push_back(std::move(variable));
      global_types_.try_emplace(*address, type);
      return;
    }
    if (open == nullptr)
      return;
    add_holders(die, type, *open);
    const auto place = frame_place(die, *open);
    if (!place || *place + static_cast<int64_t>(size) > -int64_t{8} ||
        *place < -int64_t{CULPRIT_NATIVE_DEEPEST})
      return;
    variable.place = *place;
    variable.internal = true;
    describe(variable, die, type);
    open->has_aggregate |= is_aggregate(type);
    open->variables.push_back(std::move(variable));
  }

  // Where the variable lives while which code runs.
  static void add_holders(llvm::DWARFDie die, llvm::DWARFDie type, Open &open) {
    if (!is_aggregate(type) && !is_pointer(type))
      return; // holds no block
    auto places = die.getLocations(dw::DW_AT_location);
    if (!places) {
      llvm::consumeError(places.takeError());
      return;
    }
    for (const llvm::DWARFLocationExpression &place : *places) {
      const auto where = only_operation(place.Expr, *die.getDwarfUnit());
      if (!where)
        continue;
      Holder holder;
      holder.type = type;
      constexpr uint8_t kRegisterCodes = 16;
      if (where->code >= dw::DW_OP_reg0 && where->code < dw::DW_OP_reg0 + kRegisterCodes) {
        holder.in_register = true;
        holder.place = where->code - dw::DW_OP_reg0;
      } else if (const auto in_frame = frame_place(*where, open)) {
        holder.place = *in_frame;
      } else {
        continue;
      }
      if (place.Range) {
        holder.code = {place.Range->LowPC, place.Range->HighPC};
        open.holders.push_back(holder);
        continue;
      }
      for (const Code &code : open.scope) {
        holder.code = code;
        open.holders.push_back(holder);
      }
    }
  }

  static std::optional<int64_t> frame_place(llvm::DWARFDie die, const Open &open) {
    const auto where = only_operation(die, dw::DW_AT_location);
    return where ? frame_place(*where, open) : std::nullopt;
  }

  static std::optional<int64_t> frame_place(const Operation &where, const Open &open) {
    const auto distance = static_cast<int64_t>(where.operand);
    if (distance > CULPRIT_NATIVE_DEEPEST || distance < -int64_t{CULPRIT_NATIVE_DEEPEST})
      return std::nullopt;
    if (where.code == dw::DW_OP_fbreg && open.base)
      return *open.base + distance;
    if (const auto place = register_place(where.code, dw::DW_OP_breg0, open.frame))
      return *place + distance;
    return std::nullopt;
  }

  void describe(Variable &variable, llvm::DWARFDie die, llvm::DWARFDie type) {
    find_declaration(die, variable);
    variable.type = name_of(type);
    variable.layout = layouts_.of(type);
  }

  const llvm::object::ObjectFile &file_;
  llvm::DWARFContext &context_;
  Frames frames_;
  Layouts layouts_;
  FileNames &names_;
  std::vector<FunctionCode> codes_;
  Globals global_types_;
};

void join_into(Variable &whole, const Variable &part, const std::string &around) {
  const bool is_same_place = part.place == whole.place && part.size == whole.size;
  const int64_t end = std::max(whole.place + static_cast<int64_t>(whole.size),
                               part.place + static_cast<int64_t>(part.size));
  whole.size = static_cast<uint64_t>(end - whole.place);
  if (!is_same_place || part.layout != whole.layout)
    whole.layout = 0;
  if (part.type != whole.type)
    whole.type.clear();
  if (part.function != whole.function)
    whole.function = around;
  const auto joined = static_cast<size_t>(std::ranges::count(whole.name, '|')) + 1;
  const std::string before = "|" + whole.name + "|";
  if (before.contains("|" + part.name + "|") || whole.name.ends_with("|..."))
    return;
  whole.name += "|" + (joined >= CULPRIT_LAYOUT_JOINED ? "..." : part.name);
}

} // namespace

std::vector<Variable> without_overlap(std::vector<Variable> variables, const std::string &around) {
  std::ranges::sort(variables);
  std::vector<Variable> apart;
  for (Variable &variable : variables) {
    if (apart.empty() ||
        variable.place >= apart.back().place + static_cast<int64_t>(apart.back().size))
      apart.push_back(std::move(variable));
    else if (variable != apart.back()) // the same one of two copies is no other
      join_into(apart.back(), variable, around);
  }
  return apart;
}

Result<FileNames> read_names(const std::filesystem::path &file) {
  auto object = llvm::object::ObjectFile::createObjectFile(file.string());
  if (!object)
    return fail(fmt::format("{}: {}", file.string(), llvm::toString(object.takeError())));
  FileNames names;
  names.path = file;
  const std::unique_ptr<llvm::DWARFContext> context =
      llvm::DWARFContext::create(*object->getBinary());
  Reader(*object->getBinary(), *context, names).read();
  return names;
}

std::string names_table(std::span<const std::filesystem::path> files) {
  auto made = launch::isolated([&]() -> Result<std::string> {
    std::vector<FileNames> all;
    for (const std::filesystem::path &file : files)
      if (auto names = read_names(file);
          names && !(names->globals.empty() && names->functions.empty()))
        all.push_back(std::move(*names));
    return table_of(all);
  });
  return made ? std::move(*made) : std::string();
}

} // namespace culprit::native
