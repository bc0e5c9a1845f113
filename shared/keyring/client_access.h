#pragma once

#include "shared/base/result.h"
#include "shared/net/address.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/secure/credential_names.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::keyring {

/// The credentials that the user gave to a client. All fields may be empty.
struct ClientAccessOptions {
  std::string token{};  // --token: the text of a token, or @FILE for a file with one token per line
  std::string psk_path{};  // --psk: the file of the shared key
  std::string key_path{};  // --key: the file of the client's own key pair
  // --known-servers: the file of server keys, also used for servers on this machine
  std::string known_path{};
  std::string token_there{};        // JOSTLE_TOKEN: used if neither --token nor --psk is given
  secure::CredentialNames names{};  // for error messages
  bool operator==(const ClientAccessOptions&) const = default;
};

/// The server's name as the user gave it, and its resolved address.
struct ServerTarget {
  std::string host;
  net::Address address;
};

/// The credentials of a client, and the key that it expects of the server.
///
/// A token contains the server's key; another server is refused. Without a token, the key of a
/// server on another machine is accepted on first use, stored in known_servers and required from
/// then on. Servers on this machine are restarted often, and there is no network on which they
/// could be impersonated. Their keys are stored only if the user named a file for them.
class ClientAccess {
 public:
  /// Reads the files. `config_folder` contains known_servers unless the options name another file.
  /// If there is neither a folder nor a named file, no key is stored. The error is one sentence.
  static base::Result<ClientAccess, std::string> create(
      net::Io& io, const ClientAccessOptions& options, const ServerTarget& server,
      const std::optional<std::string>& config_folder);

  /// Returns the security options of client number `client`, from 0. If there are several tokens,
  /// the clients take them in turn.
  net::SecurityOptions security(std::size_t client) const;
  std::size_t token_count() const { return tokens_.size(); }

  /// Call this after a connection to a server with this key was established. For a new server,
  /// stores the key in the file of known servers, if there is such a file, and returns a message
  /// for the user. Returns nothing otherwise.
  std::optional<std::string> meet(net::Io& io, const crypto::PublicKey& key);

 private:
  std::optional<std::string> find_pin(net::Io& io, const ClientAccessOptions& options,
                                      const ServerTarget& server,
                                      const std::optional<std::string>& config_folder);

  net::SecurityOptions security_;
  std::vector<std::vector<std::byte>> tokens_;
  std::string name_;  // name of the server, as in known_servers
  /// File for the server's key; empty if the key is not stored.
  std::string known_path_;
  /// True if the server is new: its key is not in known_servers. False if a token names the key,
  /// and for a server on this machine unless --known-servers is given.
  bool is_stranger_ = false;
};

/// Returns the error in the combination of options, or an empty string if there is none.
std::string access_fault(const ClientAccessOptions& options);

/// Returns the error in the text of --token, or an empty string if the text is valid. For @FILE,
/// checks only that a file name follows and does not read the file.
std::string token_fault(const std::string& text);

}  // namespace jostle::keyring
