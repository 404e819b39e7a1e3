// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit train -- PROG ARGS`: runs good inputs and learns what the program's heap looks like and
// which code accesses which object.
//
// Rules: each finished run is in the model file before the next one is waited for, so that killing
// us loses at most the runs in flight; a run that crashed or was ended never enters; a model from
// which nothing could be learned is not left behind. Then a few of the runs are executed again in
// the blame flavour, to learn who usually links which objects: an extra, whose failure is no error.
#include "cli/analysis_options.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/standard.h"
#include "engine/access/learn.h"
#include "engine/heap/learn.h"
#include "engine/launch/shell_words.h"
#include "engine/launch/temporary.h"
#include "engine/model/writer.h"
#include "engine/monitor/input_digest.h"
#include "engine/monitor/unmodified.h"
#include "engine/monitor/verified.h"
#include "report/check_document.h"
#include "report/document.h"
#include "report/model_document.h"
#include "report/model_text.h"
#include "report/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;

// What this session added, and what it could not.
struct Learned {
  size_t request = 0;
  heap::RunSummary summary;
};

// What a session is asked to do.
struct Task {
  bool verbose = false;
  Parts parts;
  settings::Settings settings;
  fs::path model;
};

struct Session {
  std::vector<Learned> learned;        // as they finished
  std::optional<model::Writer> writer; // opened by the first run that is good for it
  std::vector<report::LeftOutRun> left_out;
  monitor::Verified verified;
  std::optional<Error> error; // the first that ends the session
  bool interrupted = false;
  // What the first run did, whatever its arguments and input were, and how many did just the same.
  std::string first_deeds;
  size_t alike = 0;
  size_t taken = 0;
};

// As the user would type them: files below the current directory without its name.
std::string arguments_of(const launch::Case &input) {
  std::error_code ignored;
  const std::string here = fs::current_path(ignored).string() + "/";
  auto typed = [&](const std::string &word) {
    return word.starts_with(here) ? word.substr(here.size()) : word;
  };
  launch::ShellLine line;
  for (const std::string &argument : input.arguments)
    line.words.push_back(typed(argument));
  if (input.standard_input && input.standard_input->filename() != "standard-input")
    line.standard_input = typed(input.standard_input->string());
  return launch::shell_quote(line);
}

// Does the run say how a healthy run looks? Any exit code may be a healthy end, as grep's is.
bool ended_by_itself(const launch::Status &status) {
  return status.ending == launch::Ending::exited;
}

// A model that has runs must be one of this program.
Result<void> check_contents(const model::Contents &contents, const monitor::Target &target,
                            const heap::HeapSettings &settings, const fs::path &path) {
  if (contents.runs.empty() && contents.access.runs.empty())
    return {};
  if (auto same = compare_kind(contents, target, path); !same)
    return same;
  auto overlap = model::overlap_with(contents, *target.sites(), settings, path);
  if (!overlap)
    return std::unexpected(overlap.error());
  return {};
}

// Before anything is run.
Result<void> check_existing(const fs::path &path, const monitor::Target &target,
                            const heap::HeapSettings &settings) {
  auto contents = model::read_if_any(path);
  if (!contents)
    return std::unexpected(contents.error());
  return *contents ? check_contents(**contents, target, settings, path) : Result<void>{};
}

Result<void> open_model(Session &session, const monitor::Target &target, const Task &task) {
  if (session.writer)
    return {};
  auto writer = model::Writer::open(task.model);
  if (!writer)
    return std::unexpected(writer.error());
  // Somebody else may have made it meanwhile.
  if (auto same = check_contents(writer->contents(), target, task.settings.heap, task.model); !same)
    return same;
  session.writer.emplace(std::move(*writer));
  return session.writer->add_program(
      target.build_id(), target.program().original.lexically_normal().string(), *target.sites(),
      task.parts.access ? target.accesses().get() : nullptr);
}

// Who a run was: the same in both parts of the model.
template <typename Summary>
void describe(Summary &summary, const launch::Request &request, const std::string &status,
              const monitor::Target &target) {
  summary.arguments = arguments_of(request.input);
  summary.input = monitor::input_digest(request.input);
  summary.status = status;
  summary.build_id = target.build_id();
}

void compare_deeds(Session &session, heap::RunSummary summary,
                   const std::optional<access::Summary> &accesses) {
  summary.arguments.clear();
  summary.input.clear();
  std::string deeds = model::content_key(summary);
  if (accesses) {
    access::RunPairs run = accesses->run;
    run.arguments.clear();
    run.input.clear();
    deeds += access::content_key(run);
  }
  if (session.taken++ == 0)
    session.first_deeds = deeds;
  session.alike += deeds == session.first_deeds ? 1 : 0;
}

// Without @@ the files of --inputs are standard input, which PROG may never read.
void note_unread_inputs(const Session &session, const AnalysisOptions &options) {
  const bool named = std::ranges::any_of(options.input.command, [](const std::string &word) {
    return word.find("@@") != std::string::npos;
  });
  if (!options.input.inputs.empty() && !named && session.taken > 1 &&
      session.alike == session.taken)
    fmt::print(stderr,
               "culprit: note: all {} runs did the same: does {} read its standard input? If it "
               "takes the name of a file, put @@ in its place\n",
               session.taken, options.input.command[0]);
}

Result<void> take_in(Session &session, const monitor::Target &target, const Task &task,
                     const launch::Request &request, size_t number, const launch::Outcome &outcome,
                     const fs::path &run_file) {
  auto read = target.read_run(run_file);
  const std::string status = launch::describe(outcome.status);
  const size_t points = read ? read->heap.points.size() : 0;
  if (read)
    session.verified.add(monitor::count_verified(read->heap));
  if (const std::string text = read ? monitor::written_pages_text(read->heap.point_flags) : "";
      task.verbose && !text.empty())
    fmt::print(stderr, "culprit: note: {}: {}\n", request.input.label, text);
  std::string why;
  if (outcome.status.ending == launch::Ending::cancelled)
    session.interrupted = true;
  if (!ended_by_itself(outcome.status))
    why = "a run that did not end by itself is not learned from";
  else if (!read)
    why = read.error().what;
  else if (!read->tear.empty())
    why = read->tear;
  if (!why.empty()) {
    session.left_out.push_back({request.input.label, request.input.arguments, status, points, why});
    return {};
  }
  heap::RunSummary summary;
  if (task.parts.heap)
    summary = heap::summarize(read->heap, task.settings.heap);
  describe(summary, request, status, target);
  std::optional<access::Summary> accesses;
  if (task.parts.access && read->access.watched) {
    accesses = access::summarize(read->access);
    describe(accesses->run, request, status, target);
    if (read->access.watch && read->access.watch->pairs_lost != 0)
      fmt::print(stderr, "culprit: note: {}: {} were lost for want of memory\n",
                 request.input.label, report::counted(read->access.watch->pairs_lost, "pair"));
  }
  compare_deeds(session, summary, accesses);
  if (auto opened = open_model(session, target, task); !opened)
    return opened;
  if (!target.is_flavour()) // what it has of sites is known from its runs alone
    if (auto added = session.writer->add_program(
            target.build_id(), target.program().original.lexically_normal().string(),
            *read->heap.tables, accesses ? read->access.tables.get() : nullptr);
        !added)
      return added;
  if (auto added = session.writer->add_run(task.parts.heap ? &summary : nullptr,
                                           accesses ? &*accesses : nullptr);
      !added)
    return added;
  if (task.parts.heap)
    session.learned.push_back({number, std::move(summary)});
  return {};
}

// The runs to execute again: of different size, as far as there are.
std::vector<const Learned *> runs_for_writers(const Session &session,
                                              const heap::HeapSettings &settings) {
  std::vector<const Learned *> usable;
  for (const Learned &run : session.learned)
    if (heap::unusable(run.summary, settings).empty())
      usable.push_back(&run);
  std::ranges::sort(
      usable, {}, [](const Learned *run) { return std::pair(run->summary.points, run->request); });
  std::vector<const Learned *> chosen;
  const size_t count = std::min<size_t>(usable.size(), settings.writer_runs);
  chosen.reserve(count);
  for (size_t i = 0; i < count; ++i)
    chosen.push_back(usable[(2 * i + 1) * usable.size() / (2 * count)]);
  return chosen;
}

// Past start-up, and before what is built is taken down again.
uint32_t point_for_writers(const heap::RunSummary &run) { return run.points * 6 / 10 + 1; }

void learn_writers(Session &session, const AnalysisOptions &options, const monitor::Target &target,
                   const std::vector<launch::Request> &requests, const fs::path &scratch,
                   const heap::HeapSettings &settings) {
  if (!session.writer || session.error || session.interrupted || !target.is_flavour())
    return;
  const std::vector<const Learned *> runs = runs_for_writers(session, settings);
  if (runs.empty())
    return;
  auto blame = options.open_target(options.input.command[0], "blame");
  if (!blame)
    return;
  std::vector<launch::Request> again;
  std::vector<fs::path> run_files;
  for (const Learned *run : runs) {
    run_files.push_back(scratch / fmt::format("{}.blame", run->request));
    again.push_back(blame->request(requests[run->request], run_files.back()));
    again.back().runtime_options.emplace_back("blame",
                                              fmt::format("{}", point_for_writers(run->summary)));
    if (options.only.empty()) // metric points at the same moments
      again.back().runtime_options.emplace_back("gaps", "1");
  }
  launch::run_all(again, options.input.jobs, [&](size_t i, const Result<launch::Outcome> &outcome) {
    if (!outcome || !ended_by_itself(outcome->status))
      return;
    auto read = blame->read_run(run_files[i]);
    if (!read || session.error)
      return;
    heap::RunSummary summary = runs[i]->summary;
    summary.writers = heap::usual_writers(read->heap);
    if (auto added = session.writer->add_run(summary); !added)
      session.error = added.error();
  });
}

int verdict_on(const AnalysisOptions &options, const Session &session,
               const heap::HeapModel &learned, const access::AccessModel &accesses) {
  if (session.verified.mismatches != 0)
    return report_error({monitor::verified_text(session.verified),
                         "this is a defect of culprit; nothing learned from these runs is sound"});
  if (options.verify && !options.quiet)
    fmt::print(stderr, "culprit: {}\n", monitor::verified_text(session.verified));
  if (session.interrupted) {
    fmt::print(stderr, "culprit: interrupted; the runs that had finished are in the model\n");
    return kCannot;
  }
  bool suspicious = !session.left_out.empty();
  for (const access::Suspicion &run : accesses.suspicious)
    suspicious |= !run.only_odd;
  for (const heap::RunVerdict &run : learned.runs)
    suspicious |= run.suspicious;
  return suspicious ? kFindings : kDone;
}

// Nothing to judge a run by.
bool is_empty(const heap::HeapModel &heap, const access::AccessModel &accesses) {
  return heap.used_runs == 0 && accesses.pairs.empty();
}

std::string why_nothing(const Session &session, const heap::HeapModel &learned) {
  if (!session.left_out.empty())
    return fmt::format("{}: {}: {}", session.left_out[0].label, session.left_out[0].status,
                       session.left_out[0].why);
  for (const heap::RunVerdict &run : learned.runs)
    if (!run.reasons.empty())
      return run.reasons[0];
  return "no run finished";
}

int execute(const AnalysisOptions &options) {
  auto settings = options.read_settings();
  if (!settings)
    return report_error(settings.error());
  Task task{.verbose = options.verbose,
            .parts = options.parts(*settings),
            .settings = *settings,
            .model = options.model_path(options.input.command[0])};
  task.parts.counts = true;
  const fs::path &model = task.model;
  // Making a flavour takes its time: what is wrong with the model is said before. A program without
  // one is opened at once, and what is wrong with it comes first.
  const bool as_it_is = options.runs_as_it_is(options.input.command[0]);
  if (auto writable = model::check_writable(model); !writable && !as_it_is)
    return report_error(writable.error());
  auto target = options.open_target(options.input.command[0], flavour_of(task.parts));
  if (!target)
    return report_error(target.error());
  if (auto writable = model::check_writable(model); !writable)
    return report_error(writable.error());
  std::error_code ignored;
  const bool existed = fs::exists(model, ignored);
  if (auto existing = check_existing(model, *target, settings->heap); !existing)
    return report_error(existing.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return report_error(scratch.error());
  auto requests = options.requests(*target, *settings, scratch->path());
  if (!requests)
    return report_error(requests.error());
  std::vector<fs::path> run_files;
  for (size_t i = 0; i < requests->size(); ++i) {
    run_files.push_back(scratch->path() / fmt::format("{}.run", i));
    (*requests)[i] = target->request(std::move((*requests)[i]), run_files[i]);
    // What depends on addresses (hashes of pointers, seeds made from them) is to be learned in the
    // variety it has outside: runs in one layout are alike, and another one would look odd.
    (*requests)[i].fix_addresses = false;
  }

  Session session;
  {
    Progress progress({.label = "train", .total = requests->size(), .quiet = options.quiet});
    launch::run_all(
        *requests, options.input.jobs, [&](size_t i, const Result<launch::Outcome> &outcome) {
          progress.advance();
          if (session.error)
            return;
          if (!outcome) {
            session.error = outcome.error();
            return;
          }
          if (options.verbose)
            for (const std::string &note : outcome->notes)
              fmt::print(stderr, "culprit: note: {}\n", report::printable(note));
          if (auto taken =
                  take_in(session, *target, task, (*requests)[i], i, *outcome, run_files[i]);
              !taken)
            session.error = taken.error();
          std::error_code gone;
          fs::remove(run_files[i], gone); // hundreds of them would fill the disk
        });
  }

  note_unread_inputs(session, options);
  if (task.parts.heap)
    learn_writers(session, options, *target, *requests, scratch->path(), settings->heap);

  heap::HeapModel learned;
  access::AccessModel accesses;
  model::Contents contents;
  if (session.writer) {
    // Another `train` may have added runs at the same time: they are told, and learned from, too.
    if (auto fresh = session.writer->refresh(); !fresh && !session.error)
      session.error = fresh.error();
    contents = session.writer->contents();
    learned = heap::learn(model::ordered_runs(contents), settings->heap);
    accesses = access::learn(contents.access, settings->access);
  }
  if (session.error || is_empty(learned, accesses)) {
    if (session.writer && !existed)
      std::ignore = session.writer->remove_if([&](const model::Contents &now) {
        return is_empty(heap::learn(model::ordered_runs(now), settings->heap),
                        access::learn(now.access, settings->access));
      });
    session.writer.reset();
    if (session.error)
      return report_error(*session.error);
    return report_error(
        {fmt::format("nothing could be learned from {}: {}", shown_command(options.input.command),
                     why_nothing(session, learned)),
         session.left_out.empty() || !contents.runs.empty() || !contents.access.runs.empty()
             ? "give it inputs with more work to do"
             : "give it inputs that it runs through without failing"});
  }

  nlohmann::ordered_json document = report::document_head("train", options.input.command[0]);
  document["model"] = model.string();
  report::add_model(document, contents, learned, session.left_out);
  report::add_access(document, contents.access, settings->access);
  document["next"] = fmt::format("culprit check {}-- {}",
                                 options.model.empty() ? "" : fmt::format("-m {} ", options.model),
                                 options.input.command[0]);
  if (options.verify)
    document["verify"] = report::verify_document(session.verified);
  if (auto written = options.files.write(document); !written)
    return report_error(written.error());
  if (!options.files.to_output() && !options.quiet)
    if (auto written =
            write_document("-", report::model_text(document, {.style = options.style(),
                                                              .every_run = options.verbose,
                                                              .verbose = options.verbose}));
        !written)
      return report_error(written.error());
  return verdict_on(options, session, learned, accesses);
}

} // namespace

Action declare_train(CLI::App &app) {
  auto options = std::make_shared<AnalysisOptions>();
  options->declare(app, ProgramIs::required);
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
