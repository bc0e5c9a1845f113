#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"

#include <memory>
#include <string>

namespace jostle::tools {

/// Reads a recording from a file. The error is a sentence with the file's name and the position of
/// the error in the file.
base::Result<record::Recording, std::string> read_recording_file(const std::string& path);

/// A recording and a simulation in its first state.
struct Replay {
  record::Recording recording;
  std::unique_ptr<sim::Simulation> simulation;
};
/// Reads a recording from a file and starts its replay. The error is a sentence with the file's
/// name.
base::Result<Replay, std::string> open_replay(const std::string& path);

}  // namespace jostle::tools
