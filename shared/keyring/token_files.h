#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/secure/token.h"
#include "shared/secure/token_registry.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jostle::keyring {

// The token lists of a server's key folder, as text files. Times are Unix times in seconds; base64
// is that of RFC 4648 §5, without padding. The lists contain no secrets. Errors name the file, the
// line and the problem.

/// A line "ID EXPIRY CLIENT" of tokens.used: a single-use token and the key of the client that used
/// it.
struct UsedToken {
  secure::TokenId id{};
  std::int64_t not_after_s = 0;
  crypto::PublicKey client{};
};
/// The contents of tokens.used.
struct UsedTokens {
  std::vector<UsedToken> tokens;
  /// Line number of an incomplete last line, or 0 if there is none. The server was interrupted
  /// while it wrote this line, for example by a power failure, before the token admitted a client.
  std::size_t torn_line = 0;
};
base::Result<UsedTokens, std::string> read_used_tokens(net::Io& io, const std::string& folder);
/// The part of tokens.used that was read before.
struct SeenTokens {
  std::size_t bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32C of these bytes
};
/// Reads the lines of tokens.used after the part that was seen before, which it then extends to the
/// end of the last complete line. If that part has changed, the file was replaced, and is read from
/// its start. A missing file has no lines.
base::Result<std::vector<UsedToken>, std::string> read_new_used_tokens(net::Io& io,
                                                                       const std::string& folder,
                                                                       SeenTokens& seen);
base::Result<base::Ok, std::string> add_used_token(net::Io& io, const std::string& folder,
                                                   const UsedToken& token);
/// Replaces the contents of tokens.used with the uses in `book`, or with `tokens`.
base::Result<base::Ok, std::string> write_used_tokens(net::Io& io, const std::string& folder,
                                                      const secure::TokenRegistry& book);
base::Result<base::Ok, std::string> write_used_tokens(net::Io& io, const std::string& folder,
                                                      const std::vector<UsedToken>& tokens);

/// Reads tokens.revoked, which has a line "ID" for each revoked token.
base::Result<std::set<secure::TokenId>, std::string> read_revoked_tokens(net::Io& io,
                                                                         const std::string& folder);
/// Returns true if the bytes of tokens.revoked differ from `seen`, and in that case stores them in
/// `seen`. A missing file counts as empty. Returns an error if the file cannot be read. The call is
/// cheap enough to be made every second.
base::Result<bool, std::string> have_revoked_tokens_changed(net::Io& io, const std::string& folder,
                                                            std::vector<std::byte>& seen);
base::Result<base::Ok, std::string> add_revoked_token(net::Io& io, const std::string& folder,
                                                      const secure::TokenId& id);

/// Reads tokens.issued, which has a line "ID EXPIRY ROLE CLIENT once|reusable HOLDER" for each
/// token. HOLDER is "-" if any client may use the token. The tokens are returned without the
/// server's key.
base::Result<std::vector<secure::Token>, std::string> read_issued_tokens(net::Io& io,
                                                                         const std::string& folder);
base::Result<base::Ok, std::string> add_issued_token(net::Io& io, const std::string& folder,
                                                     const secure::Token& token);

}  // namespace jostle::keyring
