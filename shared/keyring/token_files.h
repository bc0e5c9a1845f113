#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/secure/token.h"
#include "shared/secure/token_book.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jostle::keyring {

// What a server's folder knows of tokens, in lists that people can read: times are Unix times,
// base64 is that of RFC 4648 §5 without padding. Nothing in them lets anybody in. Errors name file,
// line and what is wrong.

/// A line "ID EXPIRY CLIENT" of tokens.used: a token that lets in once has, and whom.
struct UsedToken {
  secure::TokenId id{};
  std::int64_t not_after_s = 0;
  crypto::PublicKey client{};
};
struct UsedTokens {
  std::vector<UsedToken> tokens;
  /// Where a line ends in the middle, because the machine stopped as it was written; 0: nowhere.
  /// That token had not let anybody in yet.
  std::size_t torn_line = 0;
};
base::Result<UsedTokens, std::string> read_used_tokens(net::Io& io, const std::string& folder);
base::Result<base::Ok, std::string> add_used_token(net::Io& io, const std::string& folder,
                                                   const UsedToken& token);
/// What the book knows, in place of all that was there.
base::Result<base::Ok, std::string> write_used_tokens(net::Io& io, const std::string& folder,
                                                      const secure::TokenBook& book);

/// A line "ID" of tokens.revoked each.
base::Result<std::set<secure::TokenId>, std::string> read_revoked_tokens(net::Io& io,
                                                                         const std::string& folder);
/// Whether the list is another than `seen`, which it then is, or in words why it cannot be read.
/// Cheap, to be asked often; a list that is not there counts as empty.
base::Result<bool, std::string> have_revoked_tokens_changed(net::Io& io, const std::string& folder,
                                                            std::vector<std::byte>& seen);
base::Result<base::Ok, std::string> add_revoked_token(net::Io& io, const std::string& folder,
                                                      const secure::TokenId& id);

/// A line "ID EXPIRY ROLE CLIENT once|reusable HOLDER" of tokens.issued each; HOLDER is - for
/// anybody. The server's key is not among what is read.
base::Result<std::vector<secure::Token>, std::string> read_issued_tokens(net::Io& io,
                                                                         const std::string& folder);
base::Result<base::Ok, std::string> add_issued_token(net::Io& io, const std::string& folder,
                                                     const secure::Token& token);

}  // namespace jostle::keyring
