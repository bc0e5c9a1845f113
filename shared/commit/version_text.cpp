#include "shared/base/version.h"
#include "shared/commit/commit.h"

namespace jostle::commit {

std::string version_text(std::string_view program) {
  std::string text(program);
  text.append(" ").append(base::version());
  text.append("\ncommit    ").append(id());
  text.append("\ncompiler  ").append(base::compiler_description());
  return text;
}

}  // namespace jostle::commit
