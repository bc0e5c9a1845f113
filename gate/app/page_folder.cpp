#include "gate/app/page_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace jostle::gate {

std::string installed_page_folder() {
  namespace fs = std::filesystem;
  if (const char* const given = std::getenv("JOSTLE_WEB"); given != nullptr && *given != '\0')
    return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  // bin/jostle-gate of an installation, and build/release/bin/jostle-gate of a checkout
  for (const fs::path& candidate : {folder / "../share/jostle/web", folder / "../../web"})
    if (fs::is_regular_file(candidate / "index.html", error)) return candidate.lexically_normal();
  return {};
}

}  // namespace jostle::gate
