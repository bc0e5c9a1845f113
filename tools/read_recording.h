#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <string>

namespace jostle::tools {

/// Reads a recording from a file. The error is a sentence with the file's name and the position in
/// it.
base::Result<record::Recording, std::string> read_recording_file(const std::string& path);

}  // namespace jostle::tools
