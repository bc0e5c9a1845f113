#include "client/app/recent_servers.h"

#include "shared/base/log.h"
#include "shared/net/address.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace jostle::client_app {
namespace {

constexpr std::size_t max_file_bytes = 64U << 10;
constexpr std::size_t max_line_bytes = 300;  // a DNS name has at most 253 characters

bool is_server(std::string_view line) {
  const bool is_plain =
      std::ranges::all_of(line, [](char letter) { return letter > ' ' && letter < 127; });
  if (!is_plain || line.size() > max_line_bytes) return false;
  const auto parts = net::split_host_and_port(line);
  return parts && parts->port.value_or(0) != 0;
}

}  // namespace

RecentServers::RecentServers(net::Io& io, std::string path) : io_(io), path_(std::move(path)) {
  if (!path_.empty()) read();
}

void RecentServers::read() {
  const auto bytes = io_.read_file(path_, max_file_bytes);
  if (!bytes) {
    if (bytes.error() != net::IoError::NotFound)
      base::warn("cannot read the list of recent servers",
                 {{"path", path_}, {"why", net::describe(bytes.error())}});
    return;
  }
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    if (!is_server(line)) {
      base::warn("ignored a line that is not HOST:PORT", {{"path", path_}, {"line", number}});
    } else if (servers_.size() < most &&
               std::ranges::find(servers_, std::string(line)) == servers_.end()) {
      servers_.emplace_back(line);
    }
  }
}

void RecentServers::add(const std::string& server) {
  if (path_.empty() || !is_server(server)) return;
  if (!servers_.empty() && servers_.front() == server) return;
  std::erase(servers_, server);
  servers_.insert(servers_.begin(), server);
  if (servers_.size() > most) servers_.resize(most);
  std::string text;
  for (const std::string& each : servers_)
    text += each + "\n";
  const auto written = io_.write_secret_file(path_, std::as_bytes(std::span(text)));
  if (!written)
    base::warn("cannot save the list of recent servers",
               {{"path", path_}, {"why", net::describe(written.error())}});
}

}  // namespace jostle::client_app
