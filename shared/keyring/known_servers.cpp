#include "shared/keyring/known_servers.h"

#include "shared/crypto/encode.h"
#include "shared/keyring/detail/list_file.h"
#include "shared/keyring/key_files.h"
#include "shared/net/address.h"

#include <algorithm>

namespace jostle::keyring {
namespace {

constexpr std::string_view known_head = "jostle-known-servers-1";

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string server_name(const std::string& host, std::uint16_t port) {
  if (const auto ip = net::parse_ip(host)) return to_string(net::Address{*ip, port});
  std::string name = host;
  std::transform(name.begin(), name.end(), name.begin(), lower);
  return name + ":" + std::to_string(port);
}

base::Result<std::optional<KnownServer>, std::string> find_known_server(net::Io& io,
                                                                        const std::string& path,
                                                                        const std::string& name) {
  const auto lines = read_list(io, path, known_head);
  if (!lines) return lines.error();
  std::optional<KnownServer> found;
  for (const ListLine& line : *lines) {
    const auto key = line.words.size() == 2 ? parse_key(line.words[1]) : std::nullopt;
    if (!key) return fault_at(path, line, "expected a line 'HOST:PORT KEY'");
    if (!found && line.words[0] == name) found = KnownServer{.key = *key, .line = line.number};
  }
  return found;
}

base::Result<base::Ok, std::string> add_known_server(net::Io& io, const std::string& path,
                                                     const std::string& name,
                                                     const crypto::PublicKey& key) {
  return add_to_list(io, path, known_head, name + " " + crypto::to_base64(key));
}

}  // namespace jostle::keyring
