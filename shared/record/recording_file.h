#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/record/recording.h"

#include <string>

namespace jostle::record {

/// Reads a recording with at least one block from a file. The error is a sentence with the file's
/// name and the position of the fault.
base::Result<Recording, std::string> read_recording_file(net::Io& io, const std::string& path);

}  // namespace jostle::record
