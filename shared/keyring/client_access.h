#pragma once

#include "shared/base/result.h"
#include "shared/net/address.h"
#include "shared/net/io.h"
#include "shared/net/security.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::keyring {

/// What a client was told of how it comes in; all of it may be empty.
struct ClientAccessOptions {
  std::string token{};        // --token: its text, or @FILE with one a line
  std::string psk_path{};     // --psk
  std::string key_path{};     // --key: by which servers know this client again
  std::string known_path{};   // --known-servers: for servers of this machine, too
  std::string token_there{};  // JOSTLE_TOKEN: counts where neither --token nor --psk is given
  bool operator==(const ClientAccessOptions&) const = default;
};

/// The server, as it was asked for and as it was found.
struct WantedServer {
  std::string host;
  net::Address address;
};

/// What a client shows to a server, and by what it knows the server again.
///
/// A token holds the server's key: no other server will do. Without one, the key of a server beyond
/// this machine is taken as it comes for the first time, kept in known_servers, and asked for from
/// then on. Servers of this machine come and go, and nobody stands between: their keys are kept
/// only where a file was named for them.
class ClientAccess {
 public:
  /// Reads the files. `config_folder` is where known_servers lies unless another file is named;
  /// nothing: there is no such folder, and no key is kept. An error is one sentence.
  static base::Result<ClientAccess, std::string> create(
      net::Io& io, const ClientAccessOptions& options, const WantedServer& server,
      const std::optional<std::string>& config_folder);

  /// Of the client with this number, from 0: where there are several tokens, they take turns.
  net::SecurityOptions security(std::size_t client) const;
  std::size_t token_count() const { return tokens_.size(); }

  /// The connection stands, and the server has this key. When that is seen for the first time it is
  /// kept; what to tell people of that. Nothing where all is as it was.
  std::optional<std::string> meet(net::Io& io, const crypto::PublicKey& key);

 private:
  std::optional<std::string> find_pin(net::Io& io, const ClientAccessOptions& options,
                                      const WantedServer& server,
                                      const std::optional<std::string>& config_folder);

  net::SecurityOptions security_;
  std::vector<std::vector<std::byte>> tokens_;
  std::string name_;        // of the server
  std::string known_path_;  // empty: its key is not kept
  bool is_stranger_ = false;
};

/// What is wrong with the text of --token, or nothing; of @FILE only whether a name follows.
std::string token_fault(const std::string& text);

}  // namespace jostle::keyring
