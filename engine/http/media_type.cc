#include "engine/http/media_type.h"

#include "engine/base/text.h"

namespace callisto::http {

bool has_media_type(std::string_view content_type, std::string_view media_type) {
  return text::equals_ignoring_ascii_case(text::trim(content_type.substr(0, content_type.find(';'))), media_type);
}

}  // namespace callisto::http
