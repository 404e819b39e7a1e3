// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as one HTML file: it needs no network and no other file, and is a function of the JSON
// document and the source files it names. The page's style and script are page.css and page.js,
// embedded when this is built (embed.py); a policy in the page's head forbids everything else.
#pragma once

#include "report/html/places.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace culprit::report::html {

// Is there a page for this kind of document?
bool has_page(const nlohmann::ordered_json &document);

// Throws nlohmann::json::exception where the document is none of ours.
std::string page(const nlohmann::ordered_json &document, const PageOptions &options);
// Several reports in one page, each a section; at least one.
std::string joint_page(std::span<const nlohmann::ordered_json> documents,
                       const PageOptions &options);

// The parts of a page, in order.
Markup check_page(const nlohmann::ordered_json &document, const PageOptions &options);
Markup chain_page(const nlohmann::ordered_json &document, const PageOptions &options);
Markup diff_page(const nlohmann::ordered_json &document, const PageOptions &options);
Markup model_page(const nlohmann::ordered_json &document, const PageOptions &options);

} // namespace culprit::report::html
