#include "shared/version/version_report.h"

#include "protocol/version.h"
#include "shared/commit/commit.h"
#include "shared/record/recording.h"

#include <array>
#include <cstdio>

namespace jostle::version {

std::string version_report(std::string_view program) {
  std::array<char, 17> schema{};
  std::snprintf(schema.data(), schema.size(), "%016llx",
                static_cast<unsigned long long>(protocol::schema_hash()));
  std::string text = commit::version_text(program);
  const auto line = [&text](std::string_view name, std::string_view value) {
    text += '\n';
    text += name;
    text.append(10 - name.size(), ' ');
    text += value;
  };
  line("protocol",
       std::to_string(protocol::version_major) + "." + std::to_string(protocol::version_minor));
  line("schema", schema.data());
  line("recording", "format " + std::to_string(record::format_version));
  return text;
}

}  // namespace jostle::version
