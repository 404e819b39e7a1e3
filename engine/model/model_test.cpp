// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/model/model.h"

#include "engine/access/simulated.h"
#include "engine/heap/simulated.h"
#include "engine/model/access_row.h"
#include "engine/model/folder_lock.h"
#include "engine/model/site_row.h"
#include "engine/model/writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <sqlite3.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace culprit::model {
namespace {

using heap::simulated::cell;

heap::RunSummary run_numbered(uint64_t seed) {
  heap::simulated::Shape shape{
      {{1, 0.7, {{cell(2, 2), 1}}}, {2, 0.3, {{cell(1, 0), 1}}}}, 500, 2000};
  shape.points = 40;
  heap::RunSummary run = heap::summarize(heap::simulated::run_of(shape, seed), {});
  run.arguments = "input " + std::to_string(seed);
  run.input = "digest";
  run.status = "exit 0";
  run.build_id = seed % 2 ? "aa" : "bb";
  if (seed % 3 == 0)
    run.writers = {{1, {{50 + seed, 0, 0.75F}, {60, 2, 1.0F}}}, {2, {{70, 1, 0.5F}}}};
  return run;
}

const access::simulated::LongTail &accesses() {
  static const access::simulated::LongTail program(1, 12, 0.5);
  return program;
}

access::Summary access_numbered(uint64_t seed) {
  access::Summary summary = access::summarize(accesses().draw(seed));
  summary.run.arguments = "input " + std::to_string(seed);
  summary.run.status = "exit 0";
  summary.run.build_id = seed % 2 ? "aa" : "bb";
  return summary;
}

Contents contents_of(std::initializer_list<uint64_t> seeds) {
  Contents contents;
  if (seeds.size() != 0)
    access::add_program(contents.access, *accesses().program.tables);
  for (const uint64_t seed : seeds) {
    const heap::RunSummary run = run_numbered(seed);
    contents.runs[content_key(run)] = run;
    contents.sites[seed] = {"f" + std::to_string(seed), "x.c", static_cast<unsigned>(seed), ""};
    contents.sites[1000] = {"shared", "x.c", static_cast<unsigned>(seed), ""}; // moved by edits
    contents.builds[run.build_id] = "/p" + std::to_string(seed);
    access::add_run(contents.access, access_numbered(seed));
    contents.access.accepted.insert({seed, 7});
  }
  return contents;
}

std::string text_of(const Contents &contents) {
  std::string text;
  for (const auto &[key, run] : contents.runs) {
    text += key + run.arguments + run.input + run.status + run.build_id +
            std::to_string(run.points) + "\n";
    for (const heap::MetricSeries &series : run.series)
      text += series.metric + series_bytes(series.values);
    for (const heap::SiteSummary &site : run.sites)
      text += heap::id_text(site.site) + site_bytes(site);
    for (const heap::SiteWriters &site : run.writers)
      text += heap::id_text(site.site) + writers_bytes(site);
  }
  for (const auto &[id, site] : contents.sites)
    text += heap::id_text(id) + site.function + site.file + std::to_string(site.line) + site.type;
  for (const auto &[id, path] : contents.builds)
    text += id + path;
  for (const auto &[key, run] : contents.access.runs)
    text += key + access_run_text(run);
  for (const auto &[id, site] : contents.access.sites)
    text += access_site_text(site);
  for (const auto &[key, name] : contents.access.names)
    text += access_name_text(name);
  for (const auto &[site, name] : contents.access.accepted)
    text += heap::id_text(site) + heap::id_text(name);
  for (const uint64_t id : contents.access.program)
    text += heap::id_text(id);
  return text;
}

class Model : public testing::Test {
protected:
  Model() : folder_(testing::TempDir() + "culprit_model_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Model() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const char *name) const { return folder_ / name; }
  std::filesystem::path folder_;
};

// One line, naming the file, with something to do.
void expect_error(const Error &error, const std::filesystem::path &path, std::string_view part) {
  EXPECT_TRUE(error.what.starts_with(path.string() + ": ")) << error.what;
  EXPECT_NE(error.what.find(part), std::string::npos) << error.what;
  EXPECT_EQ(error.what.find('\n'), std::string::npos);
  EXPECT_FALSE(error.hint.empty());
}

void run_sql(const std::filesystem::path &path, const char *sql) {
  sqlite3 *database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char *message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

TEST_F(Model, WhatIsWrittenIsReadAgain) {
  const Contents contents = contents_of({1, 2, 3});
  ASSERT_TRUE(write(file("m"), contents));
  const auto again = read(file("m"));
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(text_of(*again), text_of(contents));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "nothing beside";
}

TEST_F(Model, MergeIsAssociativeCommutativeAndIdempotent) {
  const std::vector<Contents> parts = {contents_of({}), contents_of({1, 2}), contents_of({2, 3, 5}),
                                       contents_of({5, 1}), contents_of({8})};
  for (const Contents &a : parts)
    for (const Contents &b : parts) {
      EXPECT_EQ(text_of(merge(a, b)), text_of(merge(b, a)));
      EXPECT_EQ(text_of(merge(merge(a, b), a)), text_of(merge(a, b)));
      for (const Contents &c : parts)
        EXPECT_EQ(text_of(merge(merge(a, b), c)), text_of(merge(a, merge(b, c))));
    }
}

TEST_F(Model, MergeOfRunsWithOneKeyDoesNotDependOnTheOrder) {
  Contents a = contents_of({1});
  Contents b = a;
  b.runs.begin()->second.status = "exit 1";
  b.runs.begin()->second.sites.clear();
  EXPECT_EQ(text_of(merge(a, b)), text_of(merge(b, a)));
}

TEST_F(Model, ARunWhoseWritersAreKnownIsKeptBeforeTheSameWithoutThem) {
  const Contents known = contents_of({3});
  Contents unknown = known;
  unknown.runs.begin()->second.writers.clear();
  ASSERT_EQ(content_key(unknown.runs.begin()->second), unknown.runs.begin()->first);
  EXPECT_EQ(text_of(merge(known, unknown)), text_of(known));
  EXPECT_EQ(text_of(merge(unknown, known)), text_of(known));
}

TEST_F(Model, TheWriterAddsOneRunAfterTheOther) {
  auto writer = Writer::open(file("m"));
  ASSERT_TRUE(writer) << writer.error().what;
  heap::SiteTables tables;
  tables[1] = {{1, heap::SiteKind::alloc, "x.c", 3, 1, "f", "malloc", "struct s", {}, false},
               {2, heap::SiteKind::store, "x.c", 4, 1, "f", "", "", {}, false}};
  ASSERT_TRUE(writer->add_program("aa", "/prog", tables));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_TRUE(writer->add_run(run_numbered(seed)));
    const auto now = read(file("m")); // while the writer is open
    ASSERT_TRUE(now) << now.error().what;
    EXPECT_EQ(now->runs.size(), seed + 1);
  }
  ASSERT_TRUE(writer->add_run(run_numbered(3)));
  const auto contents = read(file("m"));
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->runs.size(), 4u);
  EXPECT_EQ(contents->sites.size(), 1u) << "stores do not identify a program";
  EXPECT_EQ(contents->sites.at(1).type, "struct s");
  EXPECT_EQ(text_of(*contents), text_of(writer->contents()));
}

TEST_F(Model, TheHeapAndTheAccessesOfARunAreAddedTogetherOrAlone) {
  auto writer = Writer::open(file("m"));
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add_program("aa", "/prog", {}, accesses().program.tables.get()));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const heap::RunSummary run = run_numbered(seed);
    const access::Summary summary = access_numbered(seed);
    ASSERT_TRUE(writer->add_run(seed == 3 ? nullptr : &run, seed == 1 ? nullptr : &summary));
    const auto now = read(file("m"));
    ASSERT_TRUE(now) << now.error().what;
    EXPECT_EQ(text_of(*now), text_of(writer->contents()));
  }
  EXPECT_EQ(writer->contents().runs.size(), 4u);
  EXPECT_EQ(writer->contents().access.runs.size(), 4u) << "a run without accesses is not there";
  EXPECT_EQ(writer->contents().access.program.size(),
            accesses().program.tables->at(1).sites.size());
  access::Acceptance accepted;
  accepted.pairs = {{5, 6}};
  accepted.sites[5] = {5, "new.c", 1, 1, "f", "", false, false};
  ASSERT_TRUE(writer->accept(accepted));
  // Opened again, numbers go on where they ended.
  writer = Writer::open(file("m"));
  ASSERT_TRUE(writer);
  const access::Summary more = access_numbered(77);
  ASSERT_TRUE(writer->add_run(nullptr, &more));
  const auto contents = read(file("m"));
  ASSERT_TRUE(contents) << contents.error().what;
  EXPECT_EQ(text_of(*contents), text_of(writer->contents()));
  EXPECT_TRUE(contents->access.accepted.contains({5, 6}));
  EXPECT_EQ(contents->access.runs.size(), 5u);
}

TEST_F(Model, ARunWithAccessesOfUnknownSitesIsNotWritten) {
  auto writer = Writer::open(file("m"));
  access::Summary summary = access_numbered(1);
  summary.sites.erase(summary.sites.begin());
  const heap::RunSummary run = run_numbered(1);
  EXPECT_FALSE(writer->add_run(&run, &summary));
  EXPECT_TRUE(read(file("m"))->runs.empty()) << "all of it or nothing";
  EXPECT_TRUE(writer->contents().runs.empty());
  EXPECT_TRUE(writer->add_run(run));
}

TEST_F(Model, PairsAreStoredInFewBytes) {
  const access::simulated::LongTail program(2, 400, 0.2);
  auto writer = Writer::open(file("m"));
  ASSERT_TRUE(writer);
  size_t pairs = 0;
  uintmax_t before = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    access::Summary summary = access::summarize(program.draw(seed));
    pairs += seed == 0 ? 0 : summary.run.pairs.size();
    ASSERT_TRUE(writer->add_run(nullptr, &summary));
    if (seed == 0)
      before = std::filesystem::file_size(file("m")); // mostly what sites and names are called
  }
  EXPECT_LT(std::filesystem::file_size(file("m")) - before, pairs * 12);
}

TEST_F(Model, AKilledWriterLosesAtMostTheRunInFlight) {
  for (const int after : {0, 1, 3}) {
    const std::filesystem::path path = file(("k" + std::to_string(after)).c_str());
    const pid_t child = ::fork();
    if (child == 0) {
      auto writer = Writer::open(path);
      for (uint64_t seed = 0; writer; ++seed) {
        if (seed == static_cast<uint64_t>(after))
          ::kill(::getpid(), SIGKILL);
        const heap::RunSummary run = run_numbered(seed);
        const access::Summary summary = access_numbered(seed);
        (void)writer->add_run(&run, &summary);
      }
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto contents = read(path);
    ASSERT_TRUE(contents) << contents.error().what;
    EXPECT_EQ(contents->runs.size(), static_cast<size_t>(after));
    EXPECT_EQ(contents->access.runs.size(), static_cast<size_t>(after));
    EXPECT_TRUE(Writer::open(path));
  }
}

// What `work` says in a process of its own.
pid_t in_child(const std::function<bool()> &work) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(work() ? 0 : 1);
  return child;
}

bool succeeded(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(Model, WritersThatMakeOneFileAtTheSameTimeAllEnterIt) {
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path path = file(("r" + std::to_string(round)).c_str());
    std::vector<pid_t> children;
    Contents all;
    for (uint64_t who = 0; who < 3; ++who) {
      // Sites and names of its own: each gets numbers in the file that no other may have.
      const access::simulated::LongTail program(who + 1, 12, 0.5);
      Contents own;
      for (uint64_t seed = 0; seed < 4; ++seed) {
        const heap::RunSummary run = run_numbered(10 * who + seed);
        own.runs[content_key(run)] = run;
        access::add_run(own.access, access::summarize(program.draw(seed)));
      }
      all = merge(all, own);
      children.push_back(in_child([=] {
        auto writer = Writer::open(path);
        for (uint64_t seed = 0; writer && seed < 4; ++seed) {
          const heap::RunSummary run = run_numbered(10 * who + seed);
          const access::Summary summary = access::summarize(program.draw(seed));
          if (!writer->add_run(&run, &summary))
            return false;
        }
        return writer && writer->refresh() && writer->contents().runs.size() >= 4;
      }));
    }
    for (const pid_t child : children)
      EXPECT_TRUE(succeeded(child));
    const auto contents = read(path);
    ASSERT_TRUE(contents) << contents.error().what;
    EXPECT_EQ(text_of(*contents), text_of(all));
  }
}

// SQLite takes the journal of a new file for that of the removed one.
TEST_F(Model, WritersOfAFileThatIsRemovedAndMadeAgainDisturbNobody) {
  for (int round = 0; round < 40; ++round) {
    const std::filesystem::path path = file(("r" + std::to_string(round)).c_str());
    std::vector<pid_t> children;
    for (uint64_t who = 1; who <= 2; ++who)
      children.push_back(in_child([=] {
        auto writer = Writer::open(path);
        return writer && writer->add_run(run_numbered(who)) && writer->refresh();
      }));
    for (int again = 0; again < 2; ++again)
      children.push_back(in_child([=] {
        auto writer = Writer::open(path);
        return writer &&
               writer->remove_if([](const Contents &contents) { return contents.runs.empty(); });
      }));
    for (const pid_t child : children)
      EXPECT_TRUE(succeeded(child)) << "in round " << round;
    const auto contents = read(path);
    ASSERT_TRUE(contents) << contents.error().what;
    EXPECT_EQ(contents->runs.size(), 2U);
  }
}

// What is there when somebody looks may be gone when it is read.
TEST_F(Model, WhetherThereIsOneAndWhatIsInItAreOneQuestion) {
  const std::filesystem::path path = file("m");
  EXPECT_FALSE(read_if_any(path).value());
  ASSERT_TRUE(write(path, contents_of({1})));
  EXPECT_EQ(read_if_any(path).value()->runs.size(), 1u);
  std::future<Result<std::optional<Contents>>> look;
  {
    const auto lock = FolderLock::of_file(path);
    ASSERT_TRUE(lock);
    look = std::async(std::launch::async, [&] { return read_if_any(path); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // so that it has begun to wait
    std::filesystem::remove(path);
  }
  const auto found = look.get();
  ASSERT_TRUE(found) << found.error().what;
  EXPECT_FALSE(*found);
}

TEST_F(Model, AWriterSeesWhatAnotherWrote) {
  auto one = Writer::open(file("m"));
  auto other = Writer::open(file("m"));
  ASSERT_TRUE(one && other);
  ASSERT_TRUE(one->add_run(run_numbered(1)));
  ASSERT_TRUE(other->add_run(run_numbered(2)));
  EXPECT_EQ(other->contents().runs.size(), 2u);
  ASSERT_TRUE(one->refresh());
  EXPECT_EQ(text_of(one->contents()), text_of(other->contents()));
}

TEST_F(Model, OnlyAUselessFileIsRemovedAndItsOtherWritersMakeItAgain) {
  auto one = Writer::open(file("m"));
  auto other = Writer::open(file("m"));
  ASSERT_TRUE(one && other);
  ASSERT_TRUE(other->add_run(run_numbered(2)));
  const auto is_useless = [](const Contents &contents) { return contents.runs.size() < 2; };
  ASSERT_TRUE(one->remove_if([](const Contents &contents) { return contents.runs.empty(); }));
  EXPECT_EQ(read(file("m"))->runs.size(), 1u) << "the other's run is seen before it is judged";
  ASSERT_TRUE(one->remove_if(is_useless));
  EXPECT_FALSE(std::filesystem::exists(file("m")));
  ASSERT_TRUE(other->add_run(run_numbered(3)));
  const auto contents = read(file("m"));
  ASSERT_TRUE(contents) << contents.error().what;
  EXPECT_EQ(contents->runs.size(), 2u);
  EXPECT_EQ(text_of(*contents), text_of(other->contents()));
}

TEST_F(Model, AWriterWhoseFileWasReplacedAddsToTheNewOne) {
  auto writer = Writer::open(file("m"));
  const access::Summary summary = access_numbered(1);
  const heap::RunSummary run = run_numbered(1);
  ASSERT_TRUE(writer && writer->add_run(&run, &summary));
  ASSERT_TRUE(write(file("m"), contents_of({2, 3})));
  ASSERT_TRUE(writer->refresh());
  const auto contents = read(file("m"));
  ASSERT_TRUE(contents) << contents.error().what;
  EXPECT_EQ(contents->runs.size(), 3u);
  EXPECT_EQ(contents->access.runs.size(), 3u);
  EXPECT_EQ(text_of(*contents), text_of(writer->contents()));
}

TEST_F(Model, AnEmptyFileIsDamagedToReadersAndNewToWriters) {
  std::ofstream(file("m")).flush();
  ASSERT_FALSE(read(file("m")));
  EXPECT_FALSE(read_if_any(file("m")).value());
  EXPECT_TRUE(Writer::open(file("m")));
  EXPECT_TRUE(read(file("m")));
}

TEST_F(Model, FilesThatAreNoModelSayWhatTheyAre) {
  expect_error(read(file("nothing")).error(), file("nothing"), "no such model");
  std::ofstream(file("text")) << std::string(5000, 'x');
  expect_error(read(file("text")).error(), file("text"), "not a model");
  EXPECT_FALSE(Writer::open(file("text")));
  run_sql(file("other"), "CREATE TABLE t(x)");
  expect_error(read(file("other")).error(), file("other"), "not a model");
  EXPECT_FALSE(read(folder_));
  ASSERT_TRUE(write(file("new"), contents_of({1})));
  run_sql(file("new"), "PRAGMA user_version = 5");
  expect_error(read(file("new")).error(), file("new"), "version 5");
  run_sql(file("new"), "PRAGMA user_version = 3");
  expect_error(read(file("new")).error(), file("new"), "version 3");
}

TEST_F(Model, RowsThatCannotBeAreDamage) {
  for (const char *sql : {
           "UPDATE runs SET points = -1",
           "UPDATE runs SET points = 'many'",
           "UPDATE runs SET key = 'x' || key",
           "UPDATE runs SET arguments = 'others'",
           "UPDATE runs SET status = 'exit 1'",
           "UPDATE builds SET path = '/q'",
           "UPDATE sites SET function = 'g' WHERE line = 1",
           "UPDATE series SET steps = x'00' WHERE metric = 'roots'",
           "UPDATE series SET steps = x'0000807f' WHERE metric = 'roots'",
           "UPDATE series SET steps = 'text'",
           "DELETE FROM runs",
           "UPDATE run_sites SET summary = zeroblob(12)",
           "UPDATE run_sites SET summary = zeroblob(140) || x'00'",
           "UPDATE run_sites SET site = 'abc' || site",
           "UPDATE sites SET line = -1",
           "UPDATE sites SET id = 'x' WHERE id = '0000000000000001'",
           "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
           "DROP TABLE sites; CREATE VIEW sites AS SELECT 1 AS id",
           "DROP TABLE series",
           "CREATE INDEX i ON runs(points)",
           "CREATE TABLE more(x)",
           "UPDATE access_sites SET line = line + 1",
           "UPDATE access_sites SET flags = 4",
           "UPDATE access_sites SET id = 1",
           "UPDATE access_sites SET number = number + 1000",
           "DELETE FROM access_sites WHERE number = 0",
           "UPDATE access_names SET kind = 9",
           "UPDATE access_names SET chain = zeroblob(9)",
           "UPDATE access_names SET chain = zeroblob(40)",
           "UPDATE access_names SET symbol = symbol || 'x'",
           "DELETE FROM access_names WHERE number = 0",
           "UPDATE access_runs SET pairs = pairs || x'80'",
           "UPDATE access_runs SET pairs = pairs || x'000000000000'",
           "UPDATE access_runs SET pairs = zeroblob(7)",
           "UPDATE access_runs SET pairs = 'text'",
           "UPDATE access_runs SET reads = 2",
           "UPDATE access_runs SET periods = 0",
           "UPDATE access_runs SET status = 'exit 1'",
           "UPDATE access_runs SET key = key || 'x'",
           "UPDATE access_accepted SET name = name + 1",
           "UPDATE access_program SET ids = zeroblob(9)",
           "UPDATE access_program SET part = part + 256",
           "DROP TABLE access_runs",
       }) {
    ASSERT_TRUE(write(file("m"), contents_of({1, 2})));
    run_sql(file("m"), sql);
    const auto contents = read(file("m"));
    ASSERT_FALSE(contents) << sql;
    expect_error(contents.error(), file("m"), "damaged model");
    EXPECT_FALSE(Writer::open(file("m"))) << sql;
  }
}

TEST_F(Model, DamagedBytesGiveTheSameContentsOrAnError) {
  const Contents contents = contents_of({1});
  ASSERT_TRUE(write(file("m"), contents));
  std::ifstream in(file("m"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  heap::simulated::Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::string bytes = whole;
    for (uint64_t i = 0, n = 1 + random.next() % 8; i < n; ++i)
      bytes[random.next() % bytes.size()] = static_cast<char>(random.next());
    if (trial % 5 == 0)
      bytes.resize(random.next() % bytes.size());
    std::ofstream(file("d"), std::ios::binary | std::ios::trunc) << bytes;
    const auto read_back = read(file("d"));
    if (read_back)
      EXPECT_TRUE(text_of(*read_back) == text_of(contents)) << trial;
    else
      EXPECT_EQ(read_back.error().what.find('\n'), std::string::npos);
  }
}

TEST_F(Model, RunsWithImpossibleNumbersAreNotWritten) {
  heap::RunSummary run = run_numbered(1);
  run.series[0].values[0] = INFINITY;
  auto writer = Writer::open(file("m"));
  EXPECT_FALSE(writer->add_run(run));
  run = run_numbered(1);
  run.sites[0].share = NAN;
  EXPECT_FALSE(writer->add_run(run));
  EXPECT_TRUE(read(file("m"))->runs.empty());
}

TEST_F(Model, TheKeyDependsOnBuildArgumentsInputAndSeries) {
  const heap::RunSummary run = run_numbered(1);
  std::set<std::string> keys = {content_key(run)};
  const auto changed = [&](auto change) {
    heap::RunSummary other = run;
    change(other);
    EXPECT_TRUE(keys.insert(content_key(other)).second);
  };
  changed([](heap::RunSummary &r) { r.build_id = "cc"; });
  changed([](heap::RunSummary &r) { r.arguments += "x"; });
  changed([](heap::RunSummary &r) { r.input = "other"; });
  changed([](heap::RunSummary &r) { r.series[2].values[5] += 1; });
  changed([](heap::RunSummary &r) { std::swap(r.arguments, r.input); });
}

TEST_F(Model, AnotherProgramsModelIsRefused) {
  Contents contents;
  for (uint64_t id = 0; id < 50; ++id)
    contents.sites[id] = {};
  const auto program = [](uint64_t first) {
    heap::SiteTables tables;
    for (uint64_t id = first; id < first + 50; ++id)
      tables[1].push_back({id, heap::SiteKind::alloc, "", 0, 0, "f", "", "", {}, false});
    return tables;
  };
  const auto same = overlap_with(contents, program(10), {}, "m");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->known, 40u);
  EXPECT_EQ(same->total, 50u);
  EXPECT_TRUE(overlap_with(contents, program(45), {}, "m"));
  const auto other = overlap_with(contents, program(46), {}, "m");
  ASSERT_FALSE(other);
  expect_error(other.error(), "m", "model of another program (4 of 50 allocation sites known)");
}

TEST_F(Model, RunsAreLearnedFromInOneOrder) {
  const Contents contents = contents_of({3, 1, 2});
  const auto runs = ordered_runs(contents);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].arguments, "input 1");
  EXPECT_EQ(runs[2].arguments, "input 3");
}

} // namespace
} // namespace culprit::model
