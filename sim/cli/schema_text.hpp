// The description of scenarios as JSON Schema and as a reference page; see `fleetsim schema`.
#pragma once

#include <string>

namespace fleetsim::cli {

/// JSON Schema, draft 2020-12, ends with a newline.
[[nodiscard]] std::string schema_json();
/// The same for people, in Markdown.
[[nodiscard]] std::string schema_page();

}  // namespace fleetsim::cli
