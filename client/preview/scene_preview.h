#pragma once

#include "shared/base/result.h"
#include "shared/net/address.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jostle::preview {

/// A server for one scene file, in a thread of this process. Only this machine can reach the
/// server, and every client may control it. When the file is saved, the server loads the file
/// again. If the file then has an error, the world continues with the last valid scene. Until the
/// file is valid for the first time, the world is an empty floor.
class ScenePreview {
 public:
  /// Loads the file and starts the server. An invalid or missing file is not an error here; news()
  /// reports it. Returns an error of one sentence if no socket can be opened.
  static base::Result<std::unique_ptr<ScenePreview>, std::string> create(const std::string& path);
  virtual ~ScenePreview() = default;

  virtual net::Address address() const = 0;

  /// The result of loading the file.
  struct News {
    std::uint64_t loads = 0;           // number of attempts, 1 after create()
    std::optional<std::string> error;  // error of the last attempt; null if the file is valid
    bool is_missing = false;           // true if the last attempt found no file
    bool has_world = false;            // true if an attempt has succeeded
  };
  virtual News news() const = 0;
};

}  // namespace jostle::preview
