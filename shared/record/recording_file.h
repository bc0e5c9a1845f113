#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <span>
#include <string>

namespace jostle::record {

/// Reads a recording with at least one block from a file. The error is a sentence with the file's
/// name and the position of the fault.
base::Result<Recording, std::string> read_recording_file(net::Io& io, const std::string& path);

/// Writes a recording to the new file STEM.jrec and returns its path. If that file exists, writes
/// to the first of STEM-2.jrec, STEM-3.jrec and so on that does not exist. Other programs may do
/// the same concurrently: no file is overwritten.
base::Result<std::string, net::IoError> write_new_recording(net::Io& io, const std::string& stem,
                                                            std::span<const std::byte> bytes);

}  // namespace jostle::record
