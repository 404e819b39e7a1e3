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
constexpr double kWidth = 500;
constexpr double kBoxWidth = 141;
constexpr double kBoxHeight = 40;
constexpr double kRow = 50;
constexpr double kMargin = 2;
constexpr double kInset = 8;  // of the words in a box
constexpr double kHead = 8;   // of an arrow
constexpr size_t kLabel = 17; // characters of the page's code that fit into a box
constexpr size_t kMost = 8;   // neighbours in a column

enum class Keep { start, end };

std::string clipped(const std::string &words, Keep keep) {
  std::vector<size_t> characters; // where they begin
  for (size_t i = 0; i < words.size(); ++i)
    if ((static_cast<unsigned char>(words[i]) & 0xc0) != 0x80)
      characters.push_back(i);
  if (characters.size() <= kLabel)
    return words;
  return keep == Keep::start ? words.substr(0, characters[kLabel - 1]) + "…"
                             : "…" + words.substr(characters[characters.size() - kLabel + 1]);
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

std::string degrees_of(const Json &vertex) {
  return fmt::format("in-degree {}, out-degree {}", grouped(count_of(vertex, "in")),
                     grouped(count_of(vertex, "out")));
}

// A picture in the picture: what does not fit is cut off.
Markup box(const Json &vertex, const Spot &corner, const char *kind) {
  const Attributes first = {{"x", number(kInset)}, {"y", "17"}};
  const Attributes second = {{"class", "small"}, {"x", number(kInset)}, {"y", "32"}};
  return element("svg",
                 {{"class", "box"},
                  {"x", number(corner.x)},
                  {"y", number(corner.y)},
                  {"width", number(kBoxWidth)},
                  {"height", number(kBoxHeight)}},
                 joined({element("title", words_of(vertex) + ": " + degrees_of(vertex)),
                         shape("rect", {{"class", kind},
                                        {"x", "1.5"},
                                        {"y", "1.5"},
                                        {"width", number(kBoxWidth - 3)},
                                        {"height", number(kBoxHeight - 3)},
                                        {"rx", "6"}}),
                         element("text", first, clipped(name_of(vertex), Keep::start)),
                         element("text", second, clipped(place_of(vertex), Keep::end))}));
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
    const Markup not_drawn = totals(rows * kRow + 12);
    const double height = rows * kRow + (not_drawn.empty() ? 0 : 20);
    const double middle = rows * kRow / 2;
    const Spot corner{(kWidth - kBoxWidth) / 2, middle - kBoxHeight / 2};
    Markup inside = box(vertex_, corner, kind_);
    column(inside, left_, middle, true);
    column(inside, right_, middle, false);
    inside += not_drawn;
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
  Markup totals(double y) const {
    Markup inside;
    uint64_t both = 0;
    for (const Json *one : left_)
      both += one->value("pointed_to", false) ? 1 : 0;
    const uint64_t in =
        count_of(vertex_, "in") - std::min<uint64_t>(itself_, count_of(vertex_, "in"));
    const uint64_t out =
        count_of(vertex_, "out") - std::min<uint64_t>(itself_, count_of(vertex_, "out"));
    if (in > left_.size())
      inside += note(fmt::format("and {} more", grouped(in - left_.size())), {kMargin + kInset, y});
    if (out > right_.size() + both)
      inside += note(fmt::format("and {} more", grouped(out - right_.size() - both)),
                     {kWidth - kMargin - kBoxWidth + kInset, y});
    if (itself_)
      inside += note("points to itself", {(kWidth - kBoxWidth) / 2 + kInset, y});
    return inside;
  }

  std::string says() const {
    std::string words = fmt::format("{}: {}.", words_of(vertex_), degrees_of(vertex_));
    for (const Json *one : left_)
      words += one->value("pointed_to", false)
                   ? fmt::format(" It and {} point to one another.", words_of(*one))
                   : fmt::format(" {} points to it.", words_of(*one));
    for (const Json *one : right_)
      words += fmt::format(" It points to {}.", words_of(*one));
    if (itself_)
      words += " It points to itself.";
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
