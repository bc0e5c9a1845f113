#include "shared/keyring/key_files.h"

#include "shared/crypto/encode.h"
#include "shared/keyring/detail/list_file.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace jostle::keyring {
namespace {

constexpr std::size_t max_key_file_bytes = 1'000;
constexpr std::size_t key_bytes = 32;
using KeyBytes = crypto::Secret<key_bytes>;

struct Kind {
  std::string_view head;  // the first word of the line
  bool is_secret = true;
};
constexpr Kind key_pair_kind{"jostle-x25519-1", true};
constexpr Kind public_key_kind{"jostle-x25519-public-1", false};
constexpr Kind signing_seed_kind{"jostle-ed25519-1", true};
constexpr Kind verify_key_kind{"jostle-ed25519-public-1", false};
constexpr Kind psk_kind{"jostle-psk-1", true};

base::Result<KeyBytes, std::string> read_key(net::Io& io, const std::string& path, Kind kind) {
  auto bytes = kind.is_secret ? io.read_secret_file(path, max_key_file_bytes)
                              : io.read_file(path, max_key_file_bytes);
  if (!bytes) return fault_of(path, bytes.error());
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::string head = std::string(kind.head) + " ";
  // The error does not quote the file, which may contain a secret.
  const std::string wanted = path + ":1: expected the line '" + head + "KEY'";
  std::optional<std::array<std::byte, key_bytes>> key;
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.starts_with(head)) key = parse_key(text.substr(head.size()));
  crypto::wipe(*bytes);
  if (!key) return wanted + ", where KEY is 32 bytes in base64";
  KeyBytes secret(*key);
  crypto::wipe(*key);
  return secret;
}

/// Returns the folder of a path without its last slash; empty for the working folder and the root.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// Searches `folder` and the folders that lead to it for the innermost one that exists. Returns its
/// path if it is a file or a device, which cannot contain files; otherwise nothing.
std::optional<std::string> file_in_path(net::Io& io, std::string folder) {
  for (; !folder.empty(); folder = folder_of(folder)) {
    const auto read = io.read_file(folder, 0);
    if (!read && read.error() == net::IoError::NotFound) continue;
    const bool is_file =
        read || read.error() == net::IoError::NotAFile || read.error() == net::IoError::TooLarge;
    return is_file ? std::optional(std::move(folder)) : std::nullopt;
  }
  return std::nullopt;
}

/// Rule for existing files. A secret is never overwritten, because its public key and its copies on
/// other machines would no longer match. A public key may be replaced, because it is derived from
/// its secret.
enum class Overwrites : std::uint8_t { Never, WhatFollows };

base::Result<base::Ok, std::string> write_key(net::Io& io, const std::string& path, Kind kind,
                                              std::span<const std::byte, key_bytes> key,
                                              Overwrites overwrites = Overwrites::Never) {
  std::string line = std::string(kind.head) + " " + crypto::to_base64(key) + "\n";
  const auto bytes = std::as_writable_bytes(std::span(line));
  // Public keys are written with the functions for secret files too, because these create a missing
  // folder.
  const auto written = overwrites == Overwrites::Never ? io.create_secret_file(path, bytes)
                                                       : io.write_secret_file(path, bytes);
  crypto::wipe(bytes);
  if (written) return base::Ok{};
  const std::string folder = folder_of(path);
  if (const auto file = file_in_path(io, folder))
    return "'" + *file + "' is not a folder; expected a folder, which is created if it is missing";
  if (!folder.empty() && !is_there(io, folder + "/"))
    return "cannot create the folder '" + folder +
           "': " + std::string(net::describe(written.error()));
  return fault_of(path, written.error());
}

template <typename Shown>
base::Result<Shown, std::string> read_shown(net::Io& io, const std::string& path, Kind kind) {
  const auto key = read_key(io, path, kind);
  if (!key) return key.error();
  Shown shown{};
  std::copy(key->bytes().begin(), key->bytes().end(), shown.begin());
  return shown;
}

}  // namespace

std::optional<std::array<std::byte, 32>> parse_key(std::string_view base64) {
  auto bytes = crypto::from_base64(base64);
  if (!bytes || bytes->size() != key_bytes) return std::nullopt;
  std::array<std::byte, key_bytes> key{};
  std::copy(bytes->begin(), bytes->end(), key.begin());
  crypto::wipe(*bytes);
  return key;
}

bool is_there(net::Io& io, const std::string& path) {
  const auto read = io.read_file(path, 0);
  return read.has_value() || read.error() != net::IoError::NotFound;
}

base::Result<crypto::KeyPair, std::string> read_key_pair(net::Io& io, const std::string& path) {
  const auto secret = read_key(io, path, key_pair_kind);
  if (!secret) return secret.error();
  return crypto::key_pair(*secret);
}

base::Result<base::Ok, std::string> write_key_pair(net::Io& io, const std::string& path,
                                                   const crypto::KeyPair& key) {
  return write_key(io, path, key_pair_kind, key.secret.bytes());
}

base::Result<crypto::PublicKey, std::string> read_public_key(net::Io& io, const std::string& path) {
  return read_shown<crypto::PublicKey>(io, path, public_key_kind);
}

base::Result<base::Ok, std::string> write_public_key(net::Io& io, const std::string& path,
                                                     const crypto::PublicKey& key) {
  return write_key(io, path, public_key_kind, key, Overwrites::WhatFollows);
}

base::Result<crypto::Ed25519Seed, std::string> read_signing_seed(net::Io& io,
                                                                 const std::string& path) {
  return read_key(io, path, signing_seed_kind);
}

base::Result<base::Ok, std::string> write_signing_seed(net::Io& io, const std::string& path,
                                                       const crypto::Ed25519Seed& seed) {
  return write_key(io, path, signing_seed_kind, seed.bytes());
}

base::Result<crypto::Ed25519PublicKey, std::string> read_verify_key(net::Io& io,
                                                                    const std::string& path) {
  return read_shown<crypto::Ed25519PublicKey>(io, path, verify_key_kind);
}

base::Result<base::Ok, std::string> write_verify_key(net::Io& io, const std::string& path,
                                                     const crypto::Ed25519PublicKey& key) {
  return write_key(io, path, verify_key_kind, key, Overwrites::WhatFollows);
}

base::Result<secure::PreSharedKey, std::string> read_psk(net::Io& io, const std::string& path) {
  return read_key(io, path, psk_kind);
}

base::Result<base::Ok, std::string> write_psk(net::Io& io, const std::string& path,
                                              const secure::PreSharedKey& psk) {
  return write_key(io, path, psk_kind, psk.bytes());
}

}  // namespace jostle::keyring
