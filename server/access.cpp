#include "server/access.h"

#include "shared/base/file_name.h"
#include "shared/base/log.h"
#include "shared/base/planted.h"
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
    net::Io& io, const AccessOptions& options, journal::Executor* executor) {
  std::unique_ptr<AccessControl> access(new AccessControl(io, options));
  access->executor_ = executor;
  if (options.mode == secure::AccessMode::SharedKey) {
    auto psk = keyring::read_psk(io, options.psk_path);
    if (!psk) return options.psk_name + ": " + psk.error();
    access->psk_ = *psk;
  }
  if (auto error = access->read_keys()) return options.keys_name + ": " + *error;
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
  store_.emplace(io_, options_.keys_folder, executor_);
  auto unsafe = store_->begin(*tokens_);
  if (!unsafe) return unsafe.error();
  unsafe_ = *std::move(unsafe);
  const auto revoked = keyring::read_revoked_tokens(io_, options_.keys_folder);
  if (!revoked) return revoked.error();
  for (const secure::TokenId& id : *revoked)
    tokens_->revoke(id);
  return std::nullopt;
}

TokenGate::Answer AccessControl::ask(const secure::TokenId& id, const crypto::PublicKey& client) {
  if (!tokens_ || (tokens_->is_spent(id) && !unsafe_.contains(id))) return Answer::Stored;
  if (base::is_planted("token-use-not-stored"))
    return tokens_->spend(id) ? Answer::Stored : Answer::Refused;
  const auto use = tokens_->uses().find(id);
  if (use == tokens_->uses().end()) return Answer::Refused;
  const auto [asked, is_first] = asked_.try_emplace(id);
  if (is_first)
    asked->second =
        store_->store({.id = id, .not_after_s = use->second.not_after_s, .client = client});
  const TokenStore::Answer answer = asked->second->load();
  if (answer == TokenStore::Answer::Waiting) return Answer::Waiting;
  asked_.erase(asked);
  if (answer == TokenStore::Answer::Refused) return Answer::Refused;
  unsafe_.erase(id);
  return tokens_->spend(id) ? Answer::Stored : Answer::Refused;
}

void AccessControl::log_refused(const net::RefusedEntry& entry) {
  log_.write(io_.now_us(), base::LogLevel::Warn, "entry refused",
             {{"time", base::utc_stamp(io_.unix_time_s())},
              {"address", net::to_string(entry.from)},
              {"why", entry.reason ? secure::describe(*entry.reason)
                                   : std::string_view("wrong keys in the handshake")},
              {"token", entry.token ? secure::to_string(*entry.token) : "none"}});
}

void AccessControl::advance() {
  if (!tokens_) return;
  if (io_.now_us() - revoked_read_us_ >= revoked_interval_us) {
    revoked_read_us_ = io_.now_us();
    store_->read_revoked();
  }
  const auto revoked = store_->take_revoked();
  if (!revoked) return;
  for (const secure::TokenId& id : *revoked)
    tokens_->revoke(id);
}

net::SecurityOptions AccessControl::security() {
  return {.mode = options_.mode,
          .key = key_,
          .tokens = tokens_ ? &*tokens_ : nullptr,
          .psk = psk_,
          .server = {},
          .server_source = {},
          .token = {},
          .names = {},
          .on_refused = [this](const net::RefusedEntry& entry) { log_refused(entry); }};
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
