#include "shared/journal/files.h"

#include <cstring>

namespace jostle::journal {

std::string describe(FileError error) {
  return std::strerror(error.number);
}

}  // namespace jostle::journal
