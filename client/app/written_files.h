#pragma once

#include <cstdint>
#include <string>

namespace jostle::client_app {

// Lines on stdout that say which files the program wrote.

/// Prints the path, the content and the size of a file, such as "jostle-view: wrote a.png: 640 x
/// 360 pixels, 70123 bytes". Prints nothing for pipes and devices: the data may go to the same
/// terminal or pipe as this line.
void report_written(const std::string& path, const std::string& content);
/// Prints the paths of the frames 1 to `count` of --video-frames. Prints nothing without frames.
void report_frames(const std::string& folder, std::uint64_t count);

}  // namespace jostle::client_app
