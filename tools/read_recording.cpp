#include "tools/read_recording.h"

#include "shared/net/system_io.h"
#include "shared/record/recording_file.h"

namespace jostle::tools {

base::Result<record::Recording, std::string> read_recording_file(const std::string& path) {
  net::SystemIo io;
  return record::read_recording_file(io, path);
}

}  // namespace jostle::tools
