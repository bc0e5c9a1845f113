#include "shared/keyring/server_keys.h"

#include "shared/keyring/key_files.h"

#include <optional>

namespace jostle::keyring {
namespace {

struct Paths {
  explicit Paths(const std::string& folder)
      : server_key(folder + "/server.key"),
        server_pub(folder + "/server.pub"),
        issuer_key(folder + "/issuer.key"),
        issuer_pub(folder + "/issuer.pub") {}
  std::string server_key, server_pub, issuer_key, issuer_pub;
};

crypto::FillRandom random_of(net::Io& io) {
  return [&io](std::span<std::byte> bytes) { io.fill_random(bytes); };
}

// Another process may generate the same keys at the same time. The first secret that is written is
// the one that all processes use. The first process that finds the .pub file missing derives it
// from that secret.

std::optional<std::string> make_server(net::Io& io, const Paths& paths) {
  const auto written = write_key_pair(io, paths.server_key, crypto::key_pair(random_of(io)));
  return written || is_there(io, paths.server_key) ? std::nullopt : std::optional(written.error());
}

std::optional<std::string> make_issuer(net::Io& io, const Paths& paths) {
  const auto written =
      write_signing_seed(io, paths.issuer_key, crypto::random_secret<32>(random_of(io)));
  return written || is_there(io, paths.issuer_key) ? std::nullopt : std::optional(written.error());
}

std::string quoted(const std::string& path) {
  return "'" + path + "'";
}

std::string mismatch(const std::string& shown, const std::string& secret) {
  return quoted(shown) + " does not belong to " + quoted(secret) +
         " in the same folder: remove the wrong file (a missing .pub is generated from its key)";
}

/// Returns the server's key pair. Creates server.pub if it is missing; it is an error if an
/// existing server.pub does not match.
base::Result<crypto::KeyPair, std::string> server_pair(net::Io& io, const Paths& paths) {
  if (!is_there(io, paths.server_key) && is_there(io, paths.server_pub))
    return quoted(paths.server_key) +
           " is missing, but server.pub exists: restore the key, or remove " +
           quoted(paths.server_pub) + " to generate a new key, which clients will not recognise";
  auto pair = read_key_pair(io, paths.server_key);
  if (!pair) return pair.error();
  if (!is_there(io, paths.server_pub)) {
    if (const auto written = write_public_key(io, paths.server_pub, pair->shown); !written)
      return written.error();
  }
  const auto shown = read_public_key(io, paths.server_pub);
  if (!shown) return shown.error();
  if (*shown != pair->shown) return mismatch(paths.server_pub, paths.server_key);
  return pair;
}

/// Returns the seed that signs tokens. Creates issuer.pub if it is missing; it is an error if an
/// existing issuer.pub does not match.
base::Result<crypto::Ed25519Seed, std::string> issuer_seed(net::Io& io, const Paths& paths) {
  auto seed = read_signing_seed(io, paths.issuer_key);
  if (!seed) return seed.error();
  const crypto::Ed25519PublicKey verify_key = crypto::verify_key(*seed);
  if (!is_there(io, paths.issuer_pub)) {
    if (const auto written = write_verify_key(io, paths.issuer_pub, verify_key); !written)
      return written.error();
  }
  const auto shown = read_verify_key(io, paths.issuer_pub);
  if (!shown) return shown.error();
  if (*shown != verify_key) return mismatch(paths.issuer_pub, paths.issuer_key);
  return seed;
}

bool has_server(net::Io& io, const Paths& paths) {
  return is_there(io, paths.server_key) || is_there(io, paths.server_pub);
}

bool has_issuer(net::Io& io, const Paths& paths) {
  return is_there(io, paths.issuer_key) || is_there(io, paths.issuer_pub);
}

/// Generates the server's and the issuer's secrets if they are missing. Returns true if one was
/// generated, or an error.
base::Result<bool, std::string> make_what_is_missing(net::Io& io, const Paths& paths) {
  const bool lacks_server = !has_server(io, paths), lacks_issuer = !has_issuer(io, paths);
  if (lacks_server) {
    if (auto error = make_server(io, paths)) return *error;
  }
  if (lacks_issuer) {
    if (auto error = make_issuer(io, paths)) return *error;
  }
  return lacks_server || lacks_issuer;
}

}  // namespace

base::Result<ServerKeys, std::string> server_keys(net::Io& io, const std::string& folder) {
  const Paths paths(folder);
  const auto is_new = make_what_is_missing(io, paths);
  if (!is_new) return is_new.error();
  const auto pair = server_pair(io, paths);
  if (!pair) return pair.error();
  if (!is_there(io, paths.issuer_pub)) {
    if (const auto seed = issuer_seed(io, paths); !seed) return seed.error();
  }
  const auto issuer = read_verify_key(io, paths.issuer_pub);
  if (!issuer) return issuer.error();
  return ServerKeys{.server = *pair, .issuer = *issuer, .is_new = *is_new};
}

base::Result<IssuerKeys, std::string> issuer_keys(net::Io& io, const std::string& folder) {
  const Paths paths(folder);
  // A server key generated here would differ from the key of the server that the tokens are for.
  if (has_issuer(io, paths) && !has_server(io, paths))
    return quoted(paths.server_pub) +
           " is missing: copy it from the server that the tokens are for";
  const auto is_new = make_what_is_missing(io, paths);
  if (!is_new) return is_new.error();
  if (!is_there(io, paths.issuer_key))
    return quoted(paths.issuer_key) + " is missing: issue tokens on the machine that has it";
  const auto seed = issuer_seed(io, paths);
  if (!seed) return seed.error();
  // On a machine that only issues tokens there is server.pub but no server.key.
  if (is_there(io, paths.server_key)) {
    if (const auto pair = server_pair(io, paths); !pair) return pair.error();
  }
  const auto server = read_public_key(io, paths.server_pub);
  if (!server) return server.error();
  return IssuerKeys{.issuer = *seed, .server = *server, .is_new = *is_new};
}

}  // namespace jostle::keyring
