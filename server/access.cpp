#include "server/access.h"

#include "shared/base/log.h"
#include "shared/base/program_names.h"
#include "shared/crypto/encode.h"
#include "shared/keyring/key_files.h"
#include "shared/keyring/server_keys.h"
#include "shared/keyring/token_files.h"

#include <algorithm>

namespace jostle::server {
namespace {

constexpr std::int64_t revoked_interval_us = 1'000'000;

}  // namespace

base::Result<std::unique_ptr<AccessControl>, std::string> AccessControl::create(
    net::Io& io, const AccessOptions& options) {
  std::unique_ptr<AccessControl> access(new AccessControl(io, options));
  if (options.mode == secure::AccessMode::SharedKey) {
    auto psk = keyring::read_psk(io, options.psk_path);
    if (!psk) return "--psk: " + psk.error();
    access->psk_ = *psk;
  }
  if (auto error = access->read_keys()) return "--keys: " + *error;
  return access;
}

std::optional<std::string> AccessControl::read_keys() {
  if (options_.keys_folder.empty()) return std::nullopt;
  const auto keys = keyring::server_keys(io_, options_.keys_folder);
  if (!keys) return keys.error();
  key_ = keys->server;
  is_key_new_ = keys->is_new;
  if (options_.mode != secure::AccessMode::Token) return std::nullopt;
  return read_tokens(keys->issuer);
}

std::optional<std::string> AccessControl::read_tokens(const crypto::Ed25519PublicKey& issuer) {
  tokens_.emplace(issuer, key_->shown);
  const auto used = keyring::read_used_tokens(io_, options_.keys_folder);
  if (!used) return used.error();
  for (const keyring::UsedToken& token : used->tokens)
    tokens_->remember(token.id, token.client, token.not_after_s);
  tokens_->forget_expired(io_.unix_time_s());
  if (tokens_->uses().size() != used->tokens.size() || used->torn_line != 0) {
    if (used->torn_line != 0)
      base::warn("tokens.used ends in an incomplete line, which is removed",
                 {{"line", used->torn_line}});
    const auto written = keyring::write_used_tokens(io_, options_.keys_folder, *tokens_);
    if (!written) return written.error();
  }
  if (auto error = read_revoked()) return error;
  tokens_->set_keeper([this](const secure::TokenId& id, const secure::TokenRegistry::Use& use) {
    return save_token_use(id, use);
  });
  return std::nullopt;
}

/// Saves the first use of a token. Another server may share the folder, so an entry that is already
/// in the file is binding. Returns false if that entry names another client, or if the file cannot
/// be read or written.
bool AccessControl::save_token_use(const secure::TokenId& id,
                                   const secure::TokenRegistry::Use& use) {
  const auto used = keyring::read_used_tokens(io_, options_.keys_folder);
  if (!used) {
    base::error("token rejected", {{"id", secure::to_string(id)}, {"why", used.error()}});
    return false;
  }
  const auto known = std::find_if(used->tokens.begin(), used->tokens.end(),
                                  [&](const keyring::UsedToken& one) { return one.id == id; });
  if (known != used->tokens.end()) return known->client == use.client;
  const auto added = keyring::add_used_token(
      io_, options_.keys_folder, {.id = id, .not_after_s = use.not_after_s, .client = use.client});
  if (!added)
    base::error("token rejected", {{"id", secure::to_string(id)}, {"why", added.error()}});
  return added.has_value();
}

std::optional<std::string> AccessControl::read_revoked() {
  const auto revoked = keyring::read_revoked_tokens(io_, options_.keys_folder);
  if (!revoked) return revoked.error();
  for (const secure::TokenId& id : *revoked)
    tokens_->revoke(id);
  return std::nullopt;
}

void AccessControl::advance() {
  if (!tokens_ || io_.now_us() - revoked_read_us_ < revoked_interval_us) return;
  revoked_read_us_ = io_.now_us();
  const auto has_changed =
      keyring::have_revoked_tokens_changed(io_, options_.keys_folder, revoked_seen_);
  if (has_changed && !*has_changed) return revoked_fault_.reset();
  std::optional<std::string> fault =
      has_changed ? read_revoked() : std::optional(has_changed.error());
  // The tokens that were revoked before stay revoked. An error that persists is logged once, not
  // every second.
  if (fault && fault != revoked_fault_)
    base::error("revoked tokens cannot be read", {{"why", *fault}});
  revoked_fault_ = std::move(fault);
}

net::SecurityOptions AccessControl::security() {
  return {.mode = options_.mode,
          .key = key_,
          .tokens = tokens_ ? &*tokens_ : nullptr,
          .psk = psk_,
          .server = {},
          .server_source = {},
          .token = {}};
}

std::optional<crypto::PublicKey> AccessControl::shown_key() const {
  return key_ ? std::optional(key_->shown) : std::nullopt;
}

std::vector<std::string> AccessControl::startup_messages() const {
  std::vector<std::string> words;
  const std::string& folder = options_.keys_folder;
  if (is_key_new_) words.push_back("created new keys in " + folder);
  if (key_) words.push_back("this server's fingerprint is " + crypto::fingerprint(key_->shown));
  if (options_.mode == secure::AccessMode::Token)
    words.push_back("clients need a token; to issue one: " + base::program_names().tool +
                    " token issue --keys " + folder);
  if (options_.mode == secure::AccessMode::SharedKey)
    words.push_back("clients need the shared key in " + options_.psk_path + " (option --psk)");
  if (options_.mode == secure::AccessMode::Open && key_)
    words.emplace_back("no authentication: every client that reaches this address may join");
  return words;
}

}  // namespace jostle::server
