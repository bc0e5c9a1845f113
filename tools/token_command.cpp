#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/crypto/encode.h"
#include "shared/keyring/folders.h"
#include "shared/keyring/key_files.h"
#include "shared/keyring/lifetime.h"
#include "shared/keyring/server_keys.h"
#include "shared/keyring/token_files.h"
#include "shared/net/system_io.h"
#include "shared/secure/token.h"
#include "tools/commands.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace jostle::tools {
namespace {

constexpr int max_tokens_at_once = 1'000;

struct TokenOptions {
  std::string keys;  // empty: the default folder of jostled
  std::string role = "player", lifetime = "10m", holder;
  std::uint64_t client = 0;
  bool is_reusable = false;
  int count = 1;
  std::string what;  // the text or the ID of a token
};

constexpr Failure fail_issue{"token issue"}, fail_show{"token show"}, fail_revoke{"token revoke"};

/// Returns --keys, or the default folder of the server's keys. Returns null if --keys is not given
/// and there is no default folder.
std::optional<std::string> keys_folder(const TokenOptions& options) {
  if (!options.keys.empty()) return options.keys;
  const auto folder = keyring::config_folder();
  return folder ? std::optional(*folder + "/server") : std::nullopt;
}

std::string no_folder() {
  return std::string(keyring::no_config_folder) + ": give the folder of the keys with --keys DIR";
}

secure::TokenId new_id(net::Io& io) {
  secure::TokenId id{};
  // Draw another ID if its text starts with '-', which `jostle token revoke` would take for an
  // option.
  do {
    io.fill_random(id);
  } while (secure::to_string(id).starts_with('-'));
  return id;
}

int issue(const TokenOptions& options) {
  const auto folder = keys_folder(options);
  if (!folder) return fail_issue(no_folder());
  net::SystemIo io;
  const auto keys = keyring::issuer_keys(io, *folder);
  if (!keys) return fail_issue(keys.error());
  if (keys->is_new)
    std::fprintf(stderr, "jostle token issue: created new keys in %s\n", folder->c_str());
  secure::Token token{.id = {},
                      .client = options.client,
                      .role = *secure::parse_role(options.role),
                      .is_reusable = options.is_reusable,
                      .server = keys->server,
                      .not_after_s = io.unix_time_s() + *keyring::parse_lifetime(options.lifetime),
                      .holder = {}};
  if (!options.holder.empty()) token.holder = *keyring::parse_key(options.holder);
  for (int i = 0; i < options.count; ++i) {
    token.id = new_id(io);
    const auto noted = keyring::add_issued_token(io, *folder, token);
    if (!noted) return fail_issue(noted.error());
    std::printf("%s\n", secure::token_text(encode_token(token, keys->issuer)).c_str());
  }
  std::fflush(stdout);
  std::fprintf(
      stderr, "jostle token issue: issued %s: role %s, %s, valid until %s, server fingerprint %s\n",
      base::counted(options.count, "token").c_str(), options.role.c_str(),
      options.is_reusable ? "reusable" : "single use", keyring::utc_text(token.not_after_s).c_str(),
      crypto::fingerprint(keys->server).c_str());
  return exit_ok;
}

/// Returns the state of a token according to the lists of a folder: "revoked", "used", "expired" or
/// "valid".
std::string state_of(const secure::Token& token, const keyring::UsedTokens& used,
                     const std::set<secure::TokenId>& revoked, std::int64_t now_s) {
  if (revoked.contains(token.id)) return "revoked";
  const bool is_used = std::any_of(used.tokens.begin(), used.tokens.end(),
                                   [&](const auto& one) { return one.id == token.id; });
  if (is_used) return "used";
  return now_s > token.not_after_s ? "expired" : "valid";
}

/// Returns the number of clients that may use a token, as text.
const char* uses_of(const secure::Token& token) {
  return token.is_reusable ? "unlimited" : "once";
}

/// Returns an error message if the folder does not exist or contains no keys.
std::optional<std::string> keys_folder_fault(net::Io& io, const std::string& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) return "there is no folder '" + folder + "'";
  if (!keyring::is_there(io, folder + "/issuer.pub"))
    return "'" + folder + "' is not a folder of keys: it has no file issuer.pub";
  return std::nullopt;
}

int show_folder(const std::string& folder) {
  net::SystemIo io;
  if (const auto fault = keys_folder_fault(io, folder)) return fail_show(*fault);
  const auto issued = keyring::read_issued_tokens(io, folder);
  if (!issued) return fail_show(issued.error());
  const auto used = keyring::read_used_tokens(io, folder);
  if (!used) return fail_show(used.error());
  const auto revoked = keyring::read_revoked_tokens(io, folder);
  if (!revoked) return fail_show(revoked.error());
  if (issued->empty()) {
    std::fprintf(stderr, "jostle token show: no tokens were issued in %s\n", folder.c_str());
    return exit_ok;
  }
  std::printf("%-22s  %-9s  %-6s  %-9s  %-23s  %s\n", "ID", "ROLE", "CLIENT", "USES", "UNTIL",
              "STATE");
  for (const secure::Token& token : *issued) {
    std::printf("%-22s  %-9s  %-6llu  %-9s  %-23s  %s\n", secure::to_string(token.id).c_str(),
                std::string(describe(token.role)).c_str(),
                static_cast<unsigned long long>(token.client), uses_of(token),
                keyring::utc_text(token.not_after_s).c_str(),
                state_of(token, *used, *revoked, io.unix_time_s()).c_str());
  }
  return exit_ok;
}

/// Prints the contents of a token that is given as text; any issuer is accepted. With --keys, also
/// prints the token's state according to that folder.
int show_token(const TokenOptions& options) {
  const auto bytes = secure::parse_token_text(options.what);
  if (!bytes && secure::parse_token_id(options.what))
    return fail_show("'" + options.what + "' is the ID of a token, not a token: `" +
                     base::program_names().tool + " token show` without a token lists all IDs");
  if (!bytes) return fail_show(std::string(secure::token_text_fault(options.what)));
  const secure::Token token = *secure::decode_token(*bytes);
  net::SystemIo io;
  std::printf("id       %s\n", secure::to_string(token.id).c_str());
  std::printf("role     %s\n", std::string(describe(token.role)).c_str());
  std::printf("client   %llu\n", static_cast<unsigned long long>(token.client));
  std::printf("uses     %s\n", uses_of(token));
  std::printf("until    %s%s\n", keyring::utc_text(token.not_after_s).c_str(),
              io.unix_time_s() > token.not_after_s ? " (expired)" : "");
  std::printf("server   %s\n", crypto::fingerprint(token.server).c_str());
  if (token.holder != crypto::PublicKey{})
    std::printf("holder   %s\n", crypto::to_base64(token.holder).c_str());
  if (options.keys.empty()) return exit_ok;
  const auto issuer = keyring::read_verify_key(io, options.keys + "/issuer.pub");
  if (!issuer) return fail_show(issuer.error());
  const auto used = keyring::read_used_tokens(io, options.keys);
  if (!used) return fail_show(used.error());
  const auto revoked = keyring::read_revoked_tokens(io, options.keys);
  if (!revoked) return fail_show(revoked.error());
  std::printf("state    %s\n", secure::is_genuine(*bytes, *issuer)
                                   ? state_of(token, *used, *revoked, io.unix_time_s()).c_str()
                                   : "not issued with the keys of this folder");
  return exit_ok;
}

int show(const TokenOptions& options) {
  if (!options.what.empty()) return show_token(options);
  const auto folder = keys_folder(options);
  return folder ? show_folder(*folder) : fail_show(no_folder());
}

int revoke(const TokenOptions& options) {
  const auto folder = keys_folder(options);
  if (!folder) return fail_revoke(no_folder());
  auto id = secure::parse_token_id(options.what);
  if (const auto bytes = secure::parse_token_text(options.what))
    id = secure::decode_token(*bytes)->id;
  if (!id)
    return fail_revoke("'" + base::printable(options.what) +
                       "' is neither a token nor the ID of a token");
  net::SystemIo io;
  if (const auto fault = keys_folder_fault(io, *folder)) return fail_revoke(*fault);
  const auto revoked = keyring::read_revoked_tokens(io, *folder);
  if (!revoked) return fail_revoke(revoked.error());
  if (!revoked->contains(*id)) {
    const auto added = keyring::add_revoked_token(io, *folder, *id);
    if (!added) return fail_revoke(added.error());
  }
  // If the list of issued tokens cannot be read, revoke the token nevertheless.
  const auto issued = keyring::read_issued_tokens(io, *folder);
  const bool is_known =
      issued && std::any_of(issued->begin(), issued->end(),
                            [&](const secure::Token& one) { return one.id == *id; });
  std::fprintf(stderr,
               "jostle token revoke: revoked %s; clients that joined with it are disconnected%s\n",
               secure::to_string(*id).c_str(),
               is_known ? "" : " (the list of issued tokens does not contain it)");
  return exit_ok;
}

void add_issue_options(command_line::App command, TokenOptions& options) {
  command
      .add_option("--role", options.role,
                  "Role of the client: spectator (watches only), player, or operator (may also "
                  "pause, reset and change the scene)")
      .check([](const std::string& text) {
        return command_line::word_fault(text, {"spectator", "player", "operator"});
      })
      .type_name("ROLE")
      .capture_default_str();
  command
      .add_option("--expires-in", options.lifetime,
                  "Time from now until the token expires: seconds, minutes, hours or days, as in "
                  "90s, 10m, 12h, 7d. Sessions continue after it")
      .check(keyring::lifetime_fault)
      .type_name("TIME")
      .capture_default_str();
  command
      .add_option("--client", options.client,
                  "An ID of your choice for the client, stored in the token and printed by `" +
                      base::program_names().tool + " token show`")
      .check(command_line::is_uint64())
      .type_name("N")
      .capture_default_str();
  command
      .add_option("--holder", options.holder,
                  "Accept only the client with this key, as printed by `" +
                      base::program_names().tool + " key new`")
      .check([](const std::string& text) {
        return keyring::parse_key(text)
                   ? std::string()
                   : "'" + text + "' is not a public key: a key has 43 base64 characters";
      })
      .type_name("KEY");
  command.add_flag("--reusable", options.is_reusable,
                   "The token can be used by any number of clients until it expires; default: by "
                   "one client, once");
  command.add_option("--count", options.count, "Number of tokens")
      .check(command_line::in_range(1, max_tokens_at_once))
      .capture_default_str();
}

}  // namespace

Command add_token(command_line::App app) {
  auto options = std::make_shared<TokenOptions>();
  const std::string name = base::program_names().tool;
  command_line::App token = app.add_subcommand(
      "token", "Issue, show and revoke the tokens with which clients join a server");
  token.require_subcommand();
  command_line::App issuing = token.add_subcommand(
      "issue",
      "Print new tokens to stdout, one per line. A token is valid for one server and contains the "
      "server's public key, so clients need nothing else to verify the server");
  add_issue_options(issuing, *options);
  issuing.footer(
      "Examples:\n  " + name +
      " token issue                           one single-use player token, valid for 10 minutes\n"
      "  " +
      name + " token issue --role spectator --reusable --expires-in 7d\n  " + name +
      " token issue --count 8 --expires-in 12h > tokens.txt");
  command_line::App showing =
      token.add_subcommand("show", "Print the contents of a token, or list the issued tokens");
  showing.add_option("token", options->what, "The token; default: list all tokens of the folder")
      .type_name("TOKEN");
  command_line::App revoking =
      token.add_subcommand("revoke",
                           "Revoke a token and disconnect the clients that joined with it; a "
                           "running server does so within two seconds");
  revoking.add_option("token", options->what, "The token or its ID")
      .required()
      .type_name("ID|TOKEN");
  for (command_line::App command : {issuing, showing, revoking}) {
    command
        .add_option("--keys", options->keys,
                    "Folder of the server's keys; `issue` creates it with new keys if it is "
                    "missing. Default: ~/.config/jostle/server")
        .type_name("DIR");
  }
  return [options, issuing, showing] {
    return issuing.is_parsed()   ? issue(*options)
           : showing.is_parsed() ? show(*options)
                                 : revoke(*options);
  };
}

}  // namespace jostle::tools
