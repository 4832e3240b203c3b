// What every page of sign-in and setup is made of: the document with its style and brand, an alert, a field of a form.
// Server-rendered, no script, nothing loaded from anywhere. Pure; any thread.
#pragma once

#include "engine/base/html.h"

#include <string>

namespace callisto::sign_in {

// `title` is the heading too.
std::string document(HtmlLiteral title, const std::string& server_name, const Html& content);

Html problem(const std::string& words);  // the alert above a form; nothing where there are no words

struct Field {
  HtmlLiteral name, label;
  HtmlLiteral attributes;              // with a blank before each: R"( type="password" required)"
  const std::string* value = nullptr;  // what was typed; null: the field comes empty
  bool invalid = false;                // the alert is about it
  bool focus = false;
};
Html field(const Field& field);

// The source expression for the documents' one style element: 'sha256-...'.
const std::string& style_source();

}  // namespace callisto::sign_in
