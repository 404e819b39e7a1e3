// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/native_accesses.h"

#include "abi/access.h"
#include "engine/access/run.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

run::Record record(auto what) { return {.offset = 0, .thread = 0, .what = std::move(what)}; }

run::NativeAccess site(uint32_t row, uint64_t address, bool call = false, uint16_t flags = 0) {
  culprit_record_native_access raw{};
  raw.row = row;
  raw.flags = flags;
  raw.size = 8;
  raw.address = address;
  raw.is_call = call ? 1 : 0;
  return {raw};
}

run::NativeVariable variable(uint32_t number, const std::string &symbol, bool internal = false) {
  culprit_record_native_variable raw{};
  raw.number = number;
  raw.internal = internal ? 1 : 0;
  raw.address = 0x5000;
  raw.size = 4;
  return {raw, symbol};
}

symbolize::Symbolizer loaded_at(uint64_t base) {
  return symbolize::Symbolizer({{base, base + 0x10000, base, "/nowhere/libx.so"}});
}

access::SharedTables tables_of(run::RunFile &file, uint64_t base) {
  NativeAccesses accesses;
  return accesses.of(file, loaded_at(base));
}

TEST(NativeAccesses, ASiteIsTheSameWhereverItsFileIsLoaded) {
  run::RunFile one{};
  one.records = {record(site(0, 0x1234))};
  run::RunFile other{};
  other.records = {record(site(0, 0x701234))};
  EXPECT_EQ(tables_of(one, 0)->at(CULPRIT_NATIVE_UNIT).sites[0].id,
            tables_of(other, 0x700000)->at(CULPRIT_NATIVE_UNIT).sites[0].id);
}

TEST(NativeAccesses, ACallAndAnInstructionAtOnePlaceAreTwoSites) {
  run::RunFile file{};
  file.records = {record(site(0, 0x1234)), record(site(1, 0x1234, true)),
                  record(site(2, 0x1234, false, CULPRIT_ROW_READ))};
  const auto tables = tables_of(file, 0);
  const auto &sites = tables->at(CULPRIT_NATIVE_UNIT).sites;
  EXPECT_NE(sites[0].id, sites[1].id);
  EXPECT_NE(sites[0].id, sites[2].id);
  EXPECT_TRUE(sites[2].read);
}

TEST(NativeAccesses, AVariableThatOnlyItsFileSeesIsNamedWithAFile) {
  run::RunFile file{};
  file.records = {record(variable(0, "shared")), record(variable(1, "own", true))};
  const auto tables = tables_of(file, 0);
  const auto &variables = tables->at(CULPRIT_NATIVE_UNIT).variables;
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].file, "");
  EXPECT_EQ(variables[1].file, "libx.so");
  EXPECT_TRUE(variables[1].internal);
}

TEST(NativeAccesses, AReturnAddressIsNamedByItsFunction) {
  run::NativeVariable slot = variable(0, "convert");
  slot.numbers.kind = CULPRIT_NATIVE_RETURN;
  run::RunFile file{};
  file.records = {record(slot), record(variable(1, "limit"))};
  const auto tables = tables_of(file, 0);
  const auto &variables = tables->at(CULPRIT_NATIVE_UNIT).variables;
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].kind, access::VariableKind::return_slot);
  EXPECT_EQ(variables[0].function, "convert")
      << "without debug information the symbol is all there is";
  EXPECT_EQ(variables[0].name, "");
  EXPECT_EQ(variables[1].kind, access::VariableKind::global);
}

TEST(NativeAccesses, WhatDebugInformationDescribesIsNamedByIt) {
  run::NativeObject object{.numbers = {},
                           .name = "draft",
                           .function = "portable",
                           .file = "/src/portable.cpp",
                           .type = "Draft",
                           .member = "suffix"};
  object.numbers.number = 1;
  object.numbers.kind = CULPRIT_NATIVE_LOCAL;
  run::NativeVariable saved = variable(0, "convert");
  saved.numbers.kind = CULPRIT_NATIVE_SAVED;
  run::RunFile file{};
  file.records = {record(saved), record(object)};
  const auto tables = tables_of(file, 0);
  const auto &variables = tables->at(CULPRIT_NATIVE_UNIT).variables;
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].kind, access::VariableKind::return_slot);
  EXPECT_EQ(variables[0].member, access::kSavedRegisters);
  EXPECT_EQ(variables[1].kind, access::VariableKind::local);
  EXPECT_EQ(variables[1].name, "draft");
  EXPECT_EQ(variables[1].function, "portable");
  EXPECT_EQ(variables[1].member, "suffix");
}

TEST(NativeAccesses, AMemberOfABlockIsNamedWithItsType) {
  run::NativeObject object{
      .numbers = {}, .name = "", .function = "", .file = "", .type = "job", .member = "next"};
  object.numbers.kind = CULPRIT_NATIVE_BLOCK;
  object.numbers.size = 48;
  culprit_record_name name{};
  name.number = 7;
  name.kind = CULPRIT_NAME_HEAP;
  name.unit = CULPRIT_NATIVE_UNIT;
  name.object = 6;
  name.layout = 1;
  culprit_record_access met{};
  met.name = 7;
  run::RunFile file{};
  file.records = {record(site(0, 0x1234)), record(object), record(run::ObjectName{name}),
                  record(run::AccessMet{met, {}})};
  auto tables = tables_of(file, 0);
  EXPECT_TRUE(tables->at(CULPRIT_NATIVE_UNIT).variables.empty());
  const auto run = access::access_run(file, tables, {});
  ASSERT_TRUE(run);
  ASSERT_EQ(run->pairs.size(), 1u);
  const access::Name &met_name = run->names[run->pairs[0].name].name;
  EXPECT_EQ(met_name.kind, access::NameKind::heap);
  EXPECT_EQ(met_name.type, "job");
  EXPECT_EQ(met_name.member, "next");
}

TEST(NativeAccesses, PairsOfTheToolAreReadLikeThoseOfAFlavour) {
  culprit_record_name name{};
  name.number = 7;
  name.kind = CULPRIT_NAME_GLOBAL;
  name.unit = CULPRIT_NATIVE_UNIT;
  name.member = CULPRIT_NO_MEMBER;
  culprit_record_access met{};
  met.name = 7;
  run::RunFile file{};
  file.records = {record(site(0, 0x1234)), record(variable(0, "limit")),
                  record(run::ObjectName{name}), record(run::AccessMet{met, {}})};
  auto tables = tables_of(file, 0);
  const auto run = access::access_run(file, tables, {});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->watched);
  ASSERT_EQ(run->pairs.size(), 1u);
  EXPECT_EQ(run->names[run->pairs[0].name].name.symbol, "limit");
}

TEST(NativeAccesses, ImplementationsHaveTheNameOfTheFunction) {
  EXPECT_EQ(library_function("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(library_function("__strcpy_sse2"), "strcpy");
  EXPECT_EQ(library_function("__sprintf_chk"), "sprintf");
  EXPECT_EQ(library_function("qsort_r"), "qsort_r");
}

} // namespace
} // namespace culprit::monitor
