// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See neighbourhood.h.
#include "engine/heap/neighbourhood.h"

#include "engine/heap/moved.h"
#include "engine/heap/own_code.h"

#include <algorithm>

namespace culprit::heap {
namespace {

// Where the program asked for the object: a container's own code allocates for whoever called it.
const Site *asked_at(const Context &context) {
  for (const bool libraries_too : {false, true})
    for (const Site *site : context.chain)
      if (site != nullptr && !site->wrapper &&
          (libraries_too || !is_library(site->function, site->file)))
        return site;
  return nullptr;
}

Vertex vertex_of(const HeapRun &run, uint32_t context, uint32_t in, uint32_t out) {
  Vertex vertex{.place = {}, .type = {}, .in = in, .out = out};
  const auto known = run.contexts.find(context);
  if (known == run.contexts.end())
    return vertex;
  if (const Site *site = asked_at(known->second))
    vertex.place = {site->file, site->line, site->column, short_function(site->function)};
  for (const Site *site : known->second.chain)
    if (site != nullptr && vertex.type.empty())
      vertex.type = site->type;
  return vertex;
}

Neighbourhood describe(const HeapRun &run, const run::Neighbourhood &example) {
  Neighbourhood all{vertex_of(run, example.vertex.context, example.vertex.in, example.vertex.out),
                    {}};
  for (const culprit_neighbour &one : example.neighbours)
    all.neighbours.push_back({.vertex = vertex_of(run, one.context, one.in, one.out),
                              .points_here = (one.links & CULPRIT_LINK_IN) != 0,
                              .pointed_to = (one.links & CULPRIT_LINK_OUT) != 0,
                              .itself = one.itself != 0});
  return all;
}

// Of the site's examples the one whose cell weighs most; null: none weighs anything.
template <typename Weight>
const run::Neighbourhood *heaviest(const HeapRun &again, uint64_t site, const Weight &weight) {
  const run::Neighbourhood *best = nullptr;
  double most = 0;
  for (const run::Neighbourhood &example : again.neighbourhoods) {
    const auto context = again.contexts.find(example.vertex.context);
    if (context == again.contexts.end() || again.sites[context->second.site].id != site)
      continue;
    if (const double weighs = weight(example.vertex.cell); weighs > most) {
      most = weighs;
      best = &example;
    }
  }
  return best;
}

} // namespace

Neighbourhoods neighbourhoods(const Finding &finding, const HeapRun &run, const HeapModel &model,
                              const HeapRun &again) {
  Neighbourhoods found;
  if (finding.worst_point >= run.points.size() || again.neighbourhoods.empty())
    return found;
  const std::vector<MovedSite> sites = moved_sites(finding, run, model);
  if (sites.empty())
    return found;
  const MovedSite &site = sites.front();
  const auto *offending = heaviest(again, site.id, [&](unsigned cell) {
    return site.moved[cell] * static_cast<double>(site.cells[cell]);
  });
  if (offending == nullptr)
    return found;
  found.offending = describe(again, *offending);
  const auto *usual = heaviest(again, site.id, [&](unsigned cell) {
    const bool offends = has_class(finding) && !site.by_number && is_offending(finding, cell);
    return offends ? 0 : site.usually[cell];
  });
  if (usual != nullptr && usual->vertex.cell != offending->vertex.cell)
    found.usual = describe(again, *usual);
  return found;
}

} // namespace culprit::heap
