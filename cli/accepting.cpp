// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/accepting.h"

#include "engine/model/writer.h"
#include "report/access_document.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::cli {

namespace {

std::string id_of(const access::PairKey &pair) {
  return fmt::format("access.{}.{}", heap::id_text(pair.first), heap::id_text(pair.second));
}

} // namespace

Accepting::Accepting(const std::vector<std::string> &ids, const Standard &standard)
    : ids_(ids), standard_(standard) {}

void Accepting::take(report::CheckedAccesses &judged) {
  if (judged.model == nullptr)
    return;
  for (const std::string &id : ids_) {
    access::Acceptance more = access::accept(judged.verdict, judged.run, id);
    if (more.pairs.empty())
      continue;
    pairs_.pairs.merge(more.pairs);
    pairs_.sites.merge(more.sites);
    pairs_.names.merge(more.names);
    for (std::vector<access::Finding> *list : {&judged.verdict.findings, &judged.verdict.notes})
      std::erase_if(*list, [&](const access::Finding &finding) {
        if (finding.id != id)
          return false;
        messages_[id] =
            report::access_message(finding, {.run = judged.run, .model = *judged.model});
        return true;
      });
  }
}

Result<std::vector<std::string>> Accepting::write() const {
  std::vector<std::string> lines;
  for (const std::string &id : ids_) {
    const auto taken = messages_.find(id);
    const bool before =
        std::ranges::any_of(standard_.accesses->accepted,
                            [&](const access::PairKey &pair) { return id_of(pair) == id; });
    if (taken == messages_.end() && !before)
      return fail(fmt::format("{}: no finding or note of this run has that id", id),
                  "ids are in the report, those of notes with -v; the run must show them again");
    lines.push_back(taken == messages_.end() ? fmt::format("{} was accepted before", id)
                                             : fmt::format("accepted: {}", taken->second));
  }
  if (pairs_.pairs.empty())
    return lines;
  auto writer = model::Writer::open(standard_.file);
  if (!writer)
    return std::unexpected(writer.error());
  if (auto accepted = writer->accept(pairs_); !accepted)
    return std::unexpected(accepted.error());
  return lines;
}

} // namespace culprit::cli
