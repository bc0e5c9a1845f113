#pragma once

#include "client/app/options.h"
#include "shared/base/result.h"

#include <string>

namespace jostle::client_app {

// Readers of the values of single options. Those that return bool return false if the text is not
// valid; the output argument is unspecified then.

/// Parses "host", "host:port" or "[::1]:port" into `options.host` and `options.port`. Without a
/// port in the text, `options.port` is unchanged. Returns false for anything else, or port 0.
bool parse_server(const std::string& text, Options& options);
/// Parses "1280x720": width and height in pixels, each from min_window_side to max_window_side.
bool parse_size(const std::string& text, render::Size& size);
/// Parses "N/M", column N of M, with 1 ≤ N ≤ M ≤ 8.
bool parse_column(const std::string& text, render::ScreenColumn& column);
/// Returns true if the text names a recording instead of a server: it ends in .jrec, in upper or
/// lower case.
bool is_recording(const std::string& server);
/// Returns true if the text names a scene file instead of a server: it ends in .json, in upper or
/// lower case.
bool is_scene_file(const std::string& server);
/// Returns an error if no file can be written at the path: it is a folder, its folder is missing,
/// or the permission is denied. Otherwise returns an empty string. Nothing is written.
std::string unwritable_fault(const std::string& path);
/// Returns an error if the text is a path (with a slash, "." or "..") and not the name of a server.
/// Recordings and scene files have been recognised before. Otherwise returns an empty string.
std::string path_fault(const std::string& server);
/// Returns the end of the error for an unknown host name, such as "; did you mean
/// 'toy.scene.json'?". Empty if there is no file that could have been meant.
std::string file_suggestion(const std::string& host);
/// Parses "12,8,12:0,1,0": the positions of the eye and the target, in metres. The error says what
/// is wrong: the form, a coordinate beyond protocol::max_position, or equal positions.
base::Result<state::Camera, std::string> parse_camera(const std::string& text);

}  // namespace jostle::client_app
