#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <string>

namespace jostle::tools {

/// A recording from a file; the error is a sentence with the file's name and the place in it.
base::Result<record::Recording, std::string> read_recording_file(const std::string& path);

}  // namespace jostle::tools
