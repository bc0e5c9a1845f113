#include "shared/journal/files.h"

#include <cstddef>
#include <cstring>

namespace jostle::journal {

std::string describe(FileError error) {
  return std::strerror(error.number);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace jostle::journal
