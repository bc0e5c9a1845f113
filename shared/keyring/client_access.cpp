#include "shared/keyring/client_access.h"

#include "shared/crypto/encode.h"
#include "shared/keyring/folders.h"
#include "shared/keyring/key_files.h"
#include "shared/keyring/known_servers.h"
#include "shared/secure/token.h"

#include <algorithm>
#include <string_view>

namespace jostle::keyring {
namespace {

constexpr std::size_t max_token_file_bytes = 4U << 20;
constexpr std::string_view blanks = " \t\r\n";

using Tokens = std::vector<std::vector<std::byte>>;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Reads a file with one token per line.
base::Result<Tokens, std::string> read_token_file(net::Io& io, const std::string& path) {
  const auto bytes = io.read_file(path, max_token_file_bytes);
  if (!bytes) return "'" + path + "': " + std::string(net::describe(bytes.error()));
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  Tokens tokens;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (trimmed(line).empty()) continue;
    auto token = secure::parse_token_text(trimmed(line));
    if (!token) {
      return path + ":" + std::to_string(number) + ": " +
             std::string(secure::token_text_fault(trimmed(line)));
    }
    tokens.push_back(*std::move(token));
  }
  if (tokens.empty()) return "'" + path + "': contains no token; expected one per line";
  return tokens;
}

base::Result<Tokens, std::string> read_tokens(net::Io& io, const std::string& text) {
  if (text.starts_with('@')) return read_token_file(io, text.substr(1));
  auto token = secure::parse_token_text(trimmed(text));
  if (!token) return std::string(secure::token_text_fault(trimmed(text)));
  return Tokens{*std::move(token)};
}

}  // namespace

std::string token_fault(const std::string& text) {
  if (text.starts_with('@')) return text.size() > 1 ? "" : "the @ must be followed by a file name";
  return secure::parse_token_text(trimmed(text))
             ? ""
             : std::string(secure::token_text_fault(trimmed(text)));
}

std::string access_fault(const ClientAccessOptions& options) {
  return options.token.empty() || options.psk_path.empty()
             ? std::string()
             : options.names.token + " and " + options.names.psk +
                   " exclude each other: a server accepts only one of them";
}

base::Result<ClientAccess, std::string> ClientAccess::create(
    net::Io& io, const ClientAccessOptions& options, const ServerTarget& server,
    const std::optional<std::string>& config_folder) {
  ClientAccess access;
  access.security_.names = options.names;
  if (std::string fault = access_fault(options); !fault.empty()) return fault;
  if (!options.psk_path.empty()) {
    auto psk = read_psk(io, options.psk_path);
    if (!psk) return options.names.psk + ": " + psk.error();
    access.security_.psk = *psk;
  }
  if (!options.key_path.empty()) {
    auto key = read_key_pair(io, options.key_path);
    if (!key) return options.names.key + ": " + key.error();
    access.security_.key = *key;
  }
  const bool is_token_given = !options.token.empty();
  if (is_token_given || (!options.token_there.empty() && options.psk_path.empty())) {
    const std::string from = is_token_given ? options.names.token : "JOSTLE_TOKEN";
    auto tokens = read_tokens(io, is_token_given ? options.token : options.token_there);
    if (!tokens) return from + ": " + tokens.error();
    access.tokens_ = *std::move(tokens);
    access.security_.server_source = ", as named by the token (" + from + ")";
    return access;
  }
  if (auto error = access.find_pin(io, options, server, config_folder)) return *std::move(error);
  return access;
}

/// Looks up the server's key in known_servers and requires it if it is found. Returns an error if
/// known_servers cannot be read.
std::optional<std::string> ClientAccess::find_pin(net::Io& io, const ClientAccessOptions& options,
                                                  const ServerTarget& server,
                                                  const std::optional<std::string>& config_folder) {
  const bool is_named = !options.known_path.empty();
  if (net::is_loopback(server.address) && !is_named) return std::nullopt;
  is_stranger_ = true;
  name_ = server_name(server.host, server.address.port);
  if (!is_named && !config_folder) return std::nullopt;
  known_path_ = is_named ? options.known_path : *config_folder + "/known_servers";
  const auto known = find_known_server(io, known_path_, name_);
  if (!known) return (is_named ? options.names.known_servers + ": " : "") + known.error();
  if (!*known) return std::nullopt;
  is_stranger_ = false;
  security_.server = (*known)->key;
  security_.server_source = ", as recorded in " + known_path_ + ":" +
                            std::to_string((*known)->line) +
                            ". If the server's operator confirms the new key, remove that line; "
                            "otherwise another program may be impersonating the server";
  return std::nullopt;
}

net::SecurityOptions ClientAccess::security(std::size_t client) const {
  net::SecurityOptions security = security_;
  if (tokens_.empty()) return security;
  security.token = tokens_[client % tokens_.size()];
  // Decoding cannot fail, because it succeeded when the options were read.
  security.server = secure::decode_token(security.token)->server;
  return security;
}

std::optional<std::string> ClientAccess::meet(net::Io& io, const crypto::PublicKey& key) {
  if (!is_stranger_) return std::nullopt;
  is_stranger_ = false;
  const std::string words =
      name_ + " is a new server: its key has the fingerprint " + crypto::fingerprint(key);
  if (known_path_.empty()) return words + " (not stored: " + no_config_folder + ")";
  const auto kept = add_known_server(io, known_path_, name_, key);
  if (!kept) return words + " (not stored: " + kept.error() + ")";
  return words + " (stored in " + known_path_ + ")";
}

}  // namespace jostle::keyring
