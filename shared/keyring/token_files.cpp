#include "shared/keyring/token_files.h"

#include "shared/base/crc32c.h"
#include "shared/crypto/encode.h"
#include "shared/keyring/detail/list_file.h"
#include "shared/keyring/key_files.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

namespace jostle::keyring {
namespace {

constexpr std::string_view used_head = "jostle-tokens-used-1";
constexpr std::string_view revoked_head = "jostle-tokens-revoked-1";
constexpr std::string_view issued_head = "jostle-tokens-issued-1";
constexpr std::string_view once = "once", reusable = "reusable", anybody = "-";

std::string used_path(const std::string& folder) {
  return folder + "/tokens.used";
}
std::string revoked_path(const std::string& folder) {
  return folder + "/tokens.revoked";
}
std::string issued_path(const std::string& folder) {
  return folder + "/tokens.issued";
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The key comes last, because it has a fixed length: an incomplete line is therefore always
// detected.
std::string used_line(const UsedToken& token) {
  return secure::to_string(token.id) + " " + std::to_string(token.not_after_s) + " " +
         crypto::to_base64(token.client);
}

std::optional<UsedToken> parse_used(const std::vector<std::string>& words) {
  if (words.size() != 3) return std::nullopt;
  const auto id = secure::parse_token_id(words[0]);
  const auto not_after_s = parse_number<std::int64_t>(words[1]);
  const auto client = parse_key(words[2]);
  if (!id || !not_after_s || !client) return std::nullopt;
  return UsedToken{.id = *id, .not_after_s = *not_after_s, .client = *client};
}

std::string issued_line(const secure::Token& token) {
  const bool is_bound = token.holder != crypto::PublicKey{};
  return secure::to_string(token.id) + " " + std::to_string(token.not_after_s) + " " +
         std::string(describe(token.role)) + " " + std::to_string(token.client) + " " +
         std::string(token.is_reusable ? reusable : once) + " " +
         (is_bound ? crypto::to_base64(token.holder) : std::string(anybody));
}

std::optional<secure::Token> parse_issued(const std::vector<std::string>& words) {
  if (words.size() != 6) return std::nullopt;
  const auto id = secure::parse_token_id(words[0]);
  const auto not_after_s = parse_number<std::int64_t>(words[1]);
  const auto role = secure::parse_role(words[2]);
  const auto client = parse_number<std::uint64_t>(words[3]);
  const bool is_kind = words[4] == once || words[4] == reusable;
  const auto holder =
      words[5] == anybody ? std::optional(crypto::PublicKey{}) : parse_key(words[5]);
  if (!id || !not_after_s || !role || !client || !is_kind || !holder) return std::nullopt;
  return secure::Token{.id = *id,
                       .client = *client,
                       .role = *role,
                       .is_reusable = words[4] == reusable,
                       .server = {},
                       .not_after_s = *not_after_s,
                       .holder = *holder};
}

}  // namespace

base::Result<UsedTokens, std::string> read_used_tokens(net::Io& io, const std::string& folder) {
  const auto lines = read_list(io, used_path(folder), used_head);
  if (!lines) return lines.error();
  UsedTokens used;
  for (const ListLine& line : *lines) {
    const auto token = parse_used(line.words);
    if (token) {
      used.tokens.push_back(*token);
    } else if (line.is_torn) {
      used.torn_line = line.number;
    } else {
      return fault_at(used_path(folder), line, "expected a line 'ID EXPIRY CLIENT'");
    }
  }
  return used;
}

base::Result<std::vector<UsedToken>, std::string> read_new_used_tokens(net::Io& io,
                                                                       const std::string& folder,
                                                                       SeenTokens& seen) {
  std::vector<UsedToken> tokens;
  const auto bytes = io.read_file(used_path(folder), max_list_bytes);
  if (!bytes && bytes.error() == net::IoError::NotFound) {
    seen = {};
    return tokens;
  }
  if (!bytes) return fault_of(used_path(folder), bytes.error());
  const std::span<const std::byte> whole = *bytes;
  if (whole.size() < seen.bytes || base::crc32c(whole.first(seen.bytes)) != seen.checksum)
    seen = {};
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  for (std::size_t end = text.find('\n', seen.bytes); end != std::string_view::npos;
       end = text.find('\n', seen.bytes)) {
    std::vector<std::string> words;
    std::string_view line = text.substr(seen.bytes, end - seen.bytes);
    while (!line.empty()) {
      const std::size_t space = std::min(line.find(' '), line.size());
      if (space > 0) words.emplace_back(line.substr(0, space));
      line.remove_prefix(std::min(space + 1, line.size()));
    }
    // The head, comments and empty lines are no tokens.
    if (const auto token = parse_used(words)) tokens.push_back(*token);
    seen.bytes = end + 1;
  }
  seen.checksum = base::crc32c(whole.first(seen.bytes));
  return tokens;
}

base::Result<base::Ok, std::string> add_used_token(net::Io& io, const std::string& folder,
                                                   const UsedToken& token) {
  return add_to_list(io, used_path(folder), used_head, used_line(token));
}

base::Result<base::Ok, std::string> write_used_tokens(net::Io& io, const std::string& folder,
                                                      const secure::TokenRegistry& book) {
  std::vector<UsedToken> tokens;
  for (const auto& [id, use] : book.uses())
    tokens.push_back({.id = id, .not_after_s = use.not_after_s, .client = use.client});
  return write_used_tokens(io, folder, tokens);
}

base::Result<base::Ok, std::string> write_used_tokens(net::Io& io, const std::string& folder,
                                                      const std::vector<UsedToken>& tokens) {
  std::vector<std::string> lines;
  lines.reserve(tokens.size());
  for (const UsedToken& token : tokens)
    lines.push_back(used_line(token));
  return write_list(io, used_path(folder), used_head, lines);
}

base::Result<std::set<secure::TokenId>, std::string> read_revoked_tokens(
    net::Io& io, const std::string& folder) {
  const auto lines = read_list(io, revoked_path(folder), revoked_head);
  if (!lines) return lines.error();
  std::set<secure::TokenId> revoked;
  for (const ListLine& line : *lines) {
    const auto id = line.words.size() == 1 ? secure::parse_token_id(line.words[0]) : std::nullopt;
    if (!id) return fault_at(revoked_path(folder), line, "expected a token ID");
    revoked.insert(*id);
  }
  return revoked;
}

base::Result<bool, std::string> have_revoked_tokens_changed(net::Io& io, const std::string& folder,
                                                            std::vector<std::byte>& seen) {
  auto bytes = io.read_file(revoked_path(folder), max_list_bytes);
  if (!bytes && bytes.error() != net::IoError::NotFound)
    return fault_of(revoked_path(folder), bytes.error());
  std::vector<std::byte> now = bytes ? *std::move(bytes) : std::vector<std::byte>();
  if (now == seen) return false;
  seen = std::move(now);
  return true;
}

base::Result<base::Ok, std::string> add_revoked_token(net::Io& io, const std::string& folder,
                                                      const secure::TokenId& id) {
  return add_to_list(io, revoked_path(folder), revoked_head, secure::to_string(id));
}

base::Result<std::vector<secure::Token>, std::string> read_issued_tokens(
    net::Io& io, const std::string& folder) {
  const auto lines = read_list(io, issued_path(folder), issued_head);
  if (!lines) return lines.error();
  std::vector<secure::Token> issued;
  for (const ListLine& line : *lines) {
    const auto token = parse_issued(line.words);
    if (!token)
      return fault_at(issued_path(folder), line,
                      "expected a line 'ID EXPIRY ROLE CLIENT once|reusable HOLDER'");
    issued.push_back(*token);
  }
  return issued;
}

base::Result<base::Ok, std::string> add_issued_token(net::Io& io, const std::string& folder,
                                                     const secure::Token& token) {
  return add_to_list(io, issued_path(folder), issued_head, issued_line(token));
}

}  // namespace jostle::keyring
