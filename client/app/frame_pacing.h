#pragma once

#include <chrono>

namespace jostle::client_app {

/// Frame rate if neither the user nor the display limits it.
inline constexpr int unpaced_frames_per_second = 60;
/// Maximum time by which one frame moves the camera, s. Limits the jump after a stall.
inline constexpr float max_camera_step_s = 0.1f;
/// Time for which a loop sleeps if it has nothing to do.
inline constexpr std::chrono::microseconds idle_sleep(1'000);

}  // namespace jostle::client_app
