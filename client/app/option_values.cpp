#include "client/app/option_values.h"

#include "protocol/limits.h"
#include "shared/base/file_name.h"
#include "shared/base/parse_number.h"
#include "shared/net/address.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"

#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace jostle::client_app {
namespace {

// Ends of errors for an argument that is no server.
constexpr const char* accepted_servers =
    "; expected a server, HOST[:PORT], a scene file (.json) or a recording (.jrec)";
constexpr const char* wrong_file = " is neither a scene file (.json) nor a recording (.jrec)";

}  // namespace

bool parse_server(const std::string& text, Options& options) {
  const auto parts = net::split_host_and_port(text);
  if (!parts || parts->port == 0) return false;
  options.host = parts->host;
  options.port = parts->port.value_or(options.port);
  return true;
}

bool parse_size(const std::string& text, render::Size& size) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return false;
  const auto width = base::parse_number<int>(std::string_view(text).substr(0, cross));
  const auto height = base::parse_number<int>(std::string_view(text).substr(cross + 1));
  if (!width || !height) return false;
  size = {*width, *height};
  return *width >= settings::min_window_side && *width <= settings::max_window_side &&
         *height >= settings::min_window_side && *height <= settings::max_window_side;
}

bool parse_column(const std::string& text, render::ScreenColumn& column) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return false;
  const auto number = base::parse_number<int>(std::string_view(text).substr(0, slash));
  const auto count = base::parse_number<int>(std::string_view(text).substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > 8) return false;
  column = {*number, *count};
  return true;
}

bool is_recording(const std::string& server) {
  return base::has_ending(server, ".jrec");
}

bool is_scene_file(const std::string& server) {
  return base::has_ending(server, ".json");
}

std::string unwritable_fault(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return "'" + path + "' is a folder, not a file";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    return "cannot write '" + path + "': there is no folder '" + folder.string() + "'";
  const auto writable = net::SystemIo().check_writable(path);
  return writable ? std::string()
                  : "cannot write '" + path + "': " + std::string(net::describe(writable.error()));
}

std::string path_fault(const std::string& server) {
  if (server.find('/') == std::string::npos && server != "." && server != "..") return {};
  std::error_code ignored;
  const auto status = std::filesystem::status(server, ignored);
  if (std::filesystem::is_directory(status))
    return "'" + server + "' is a folder" + accepted_servers;
  if (std::filesystem::exists(status)) return "the file '" + server + "'" + wrong_file;
  const std::string suggestion = file_suggestion(server);
  return "there is no file '" + server + "'" + (suggestion.empty() ? accepted_servers : suggestion);
}

std::string file_suggestion(const std::string& host) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(host, ignored))
    return "; the file '" + host + "'" + wrong_file;
  auto similar = scene::similar_scene_file(host);
  if (std::filesystem::is_regular_file(host + ".jrec", ignored)) similar = host + ".jrec";
  return similar ? "; did you mean '" + *similar + "'?" : std::string();
}

base::Result<state::Camera, std::string> parse_camera(const std::string& text) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  for (const char end : {',', ',', ':', ',', ',', '\0'}) {
    const std::size_t at = end == '\0' ? text.size() : text.find(end, begin);
    const std::string word = text.substr(begin, at == std::string::npos ? at : at - begin);
    const auto number = base::parse_number<double>(word);
    if (at == std::string::npos || !number || std::isnan(*number))
      return "'" + text + "' is not X,Y,Z:X,Y,Z, two points in metres, such as 12,8,12:0,1,0";
    if (std::abs(*number) > protocol::max_position) {
      const std::string most = std::to_string(std::llround(protocol::max_position));
      return "'" + word + "' is not a coordinate from -" + most + " to " + most +
             " m, the range of positions in a world";
    }
    numbers.push_back(*number);
    begin = at + 1;
  }
  const state::Camera camera{{numbers[0], numbers[1], numbers[2]},
                             {numbers[3], numbers[4], numbers[5]}};
  if (camera.eye == camera.target)
    return "'" + text + "': the two points are equal, so the camera has no direction";
  return camera;
}

}  // namespace jostle::client_app
