// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/neighbourhood.h"

#include "report/document.h"
#include "report/fields.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

// In units of the drawing, which are pixels where there is room.
constexpr double kWidth = 450;
constexpr double kBoxWidth = 122;
constexpr double kBoxHeight = 40;
constexpr double kRow = 50;
constexpr double kMargin = 2;
constexpr double kHead = 8;   // of an arrow
constexpr size_t kLabel = 17; // characters that fit into a box
constexpr size_t kMost = 8;   // neighbours in a column

std::string clipped(const std::string &words) {
  size_t characters = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if ((static_cast<unsigned char>(words[i]) & 0xc0) == 0x80) // within one
      continue;
    if (++characters > kLabel)
      return words.substr(0, i) + "…";
  }
  return words;
}

std::string number(double value) { return fmt::format("{:.1f}", value); }

std::string place_of(const Json &vertex) {
  const Json *location = object_of(vertex, "location");
  if (location == nullptr || text_of(*location, "file").empty())
    return "unknown code";
  return fmt::format("{}:{}", std::filesystem::path(text_of(*location, "file")).filename().string(),
                     count_of(*location, "line"));
}

std::string name_of(const Json &vertex) {
  const std::string type = text_of(vertex, "type");
  return type.empty() ? "block" : type;
}

std::string words_of(const Json &vertex) {
  return fmt::format("{} of {}", name_of(vertex), place_of(vertex));
}

struct Spot {
  double x = 0;
  double y = 0;
};

Markup arrow_head(const Spot &at, const Spot &from) {
  const double length = std::hypot(at.x - from.x, at.y - from.y);
  const double dx = (at.x - from.x) / length * kHead;
  const double dy = (at.y - from.y) / length * kHead;
  return shape("path", {{"class", "head"},
                        {"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", at.x, at.y,
                                          at.x - dx + dy / 2, at.y - dy - dx / 2,
                                          at.x - dx - dy / 2, at.y - dy + dx / 2)}});
}

struct Edge {
  Spot from;
  Spot to;
  bool both = false;
};

Markup arrow(const Edge &edge) {
  Markup all = shape("path", {{"class", "edge"},
                              {"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", edge.from.x,
                                                edge.from.y, edge.to.x, edge.to.y)}});
  all += arrow_head(edge.to, edge.from);
  if (edge.both)
    all += arrow_head(edge.from, edge.to);
  return all;
}

Markup box(const Json &vertex, const Spot &corner, const char *kind) {
  return element(
      "g",
      joined(
          {element("title", words_of(vertex)),
           shape("rect", {{"class", kind},
                          {"x", number(corner.x)},
                          {"y", number(corner.y)},
                          {"width", number(kBoxWidth)},
                          {"height", number(kBoxHeight)},
                          {"rx", "6"}}),
           element("text", {{"x", number(corner.x + 8)}, {"y", number(corner.y + 17)}},
                   clipped(name_of(vertex))),
           element("text",
                   {{"class", "small"}, {"x", number(corner.x + 8)}, {"y", number(corner.y + 32)}},
                   clipped(place_of(vertex)))}));
}

Markup note(const std::string &words, const Spot &at) {
  return element("text", {{"class", "small"}, {"x", number(at.x)}, {"y", number(at.y)}}, words);
}

class Drawing {
public:
  Drawing(const Json &vertex, const char *kind) : vertex_(vertex), kind_(kind) {
    for (const Json &one : list_of(vertex, "neighbours")) {
      if (!one.is_object())
        continue;
      itself_ |= one.value("itself", false);
      if (one.value("itself", false))
        continue;
      auto &column = one.value("points_here", false) ? left_ : right_;
      if (column.size() < kMost)
        column.push_back(&one);
    }
  }

  Markup markup() {
    const double rows = static_cast<double>(std::max<size_t>({left_.size(), right_.size(), 1}));
    const double height = rows * kRow + 24;
    const double middle = rows * kRow / 2;
    const Spot corner{(kWidth - kBoxWidth) / 2, middle - kBoxHeight / 2};
    Markup inside = box(vertex_, corner, kind_);
    column(inside, left_, middle, true);
    column(inside, right_, middle, false);
    totals(inside, rows * kRow + 12);
    return element("svg",
                   {{"class", "graph"},
                    {"viewBox", fmt::format("0 0 {} {}", kWidth, height)},
                    {"role", "img"},
                    {"aria-label", says()}},
                   inside);
  }

private:
  void column(Markup &inside, const std::vector<const Json *> &of, double middle,
              bool is_left) const {
    const double x = is_left ? kMargin : kWidth - kMargin - kBoxWidth;
    const double top = middle - static_cast<double>(of.size()) * kRow / 2;
    for (size_t i = 0; i < of.size(); ++i) {
      const double y = top + static_cast<double>(i) * kRow + kRow / 2;
      inside += box(*of[i], {x, y - kBoxHeight / 2}, "vertex");
      // Arrows end spread over the side of the box in the middle.
      const double part = (static_cast<double>(i) + 1) / (static_cast<double>(of.size()) + 1);
      const Spot centre{(kWidth + (is_left ? -kBoxWidth : kBoxWidth)) / 2,
                        middle + (part - 0.5) * kBoxHeight};
      const Spot outside{is_left ? x + kBoxWidth : x, y};
      inside += arrow(is_left ? Edge{outside, centre, of[i]->value("pointed_to", false)}
                              : Edge{centre, outside, false});
    }
  }

  // What is not drawn.
  void totals(Markup &inside, double y) const {
    uint64_t both = 0;
    for (const Json *one : left_)
      both += one->value("pointed_to", false) ? 1 : 0;
    const uint64_t in =
        count_of(vertex_, "in") - std::min<uint64_t>(itself_, count_of(vertex_, "in"));
    const uint64_t out =
        count_of(vertex_, "out") - std::min<uint64_t>(itself_, count_of(vertex_, "out"));
    if (in > left_.size())
      inside += note(fmt::format("and {} more", grouped(in - left_.size())), {kMargin + 8, y});
    if (out > right_.size() + both)
      inside += note(fmt::format("and {} more", grouped(out - right_.size() - both)),
                     {kWidth - kMargin - kBoxWidth + 8, y});
    if (itself_)
      inside += note("points to itself", {(kWidth - kBoxWidth) / 2 + 8, y});
  }

  std::string says() const {
    std::string words = fmt::format("{}: in-degree {}, out-degree {}.", words_of(vertex_),
                                    count_of(vertex_, "in"), count_of(vertex_, "out"));
    for (const Json *one : left_)
      words += one->value("pointed_to", false)
                   ? fmt::format(" It and {} point to one another.", words_of(*one))
                   : fmt::format(" {} points to it.", words_of(*one));
    for (const Json *one : right_)
      words += fmt::format(" It points to {}.", words_of(*one));
    return words;
  }

  const Json &vertex_;
  const char *kind_;
  bool itself_ = false;
  std::vector<const Json *> left_;
  std::vector<const Json *> right_;
};

Markup drawn(const Json &vertex, const char *caption, const char *kind) {
  const std::string words =
      fmt::format("{}: {} to it, {} from it", caption, counted(count_of(vertex, "in"), "pointer"),
                  grouped(count_of(vertex, "out")));
  return element("figure", {{"class", "around"}},
                 joined({element("figcaption", words), element("div",
                                                               {{"class", "scroll"},
                                                                {"tabindex", "0"},
                                                                {"role", "region"},
                                                                {"aria-label", caption}},
                                                               Drawing(vertex, kind).markup())}));
}

} // namespace

Markup neighbourhood(const Json &finding) {
  const Json *all = object_of(finding, "neighbourhood");
  const Json *offending = all == nullptr ? nullptr : object_of(*all, "offending");
  if (offending == nullptr)
    return {};
  Markup figures = drawn(*offending, "One of the objects that moved", "vertex offending");
  if (const Json *usual = object_of(*all, "usual"))
    figures += drawn(*usual, "One as they usually are", "vertex usual");
  return element("div", {{"class", "cells"}}, figures);
}

} // namespace culprit::report::html
