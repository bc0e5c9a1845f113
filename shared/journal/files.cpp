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

int make_folders(Files& files, const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (!files.size(folder)) {
      int error = files.make_folder(folder);
      if (error == 0) error = files.sync_folder(folder_of(folder));
      if (error != 0) return error;
    }
    if (slash == std::string::npos) return files.make_folder(folder);
  }
}

}  // namespace jostle::journal
