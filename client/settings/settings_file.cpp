#include "client/settings/settings_file.h"

#include "client/settings/setting_field.h"
#include "client/settings/settings_text.h"

#include <span>
#include <string_view>

namespace jostle::settings {
namespace {

constexpr std::size_t max_file_bytes = 1U << 20;

std::string why(const std::string& path, net::IoError error) {
  return "'" + path + "': " + std::string(net::describe(error));
}

}  // namespace

SettingsFile SettingsFile::open(net::Io& io, std::string path) {
  SettingsFile file(io, std::move(path));
  file.read();
  return file;
}

void SettingsFile::read() {
  warnings_.clear();
  settings_ = {};
  is_there_ = has_faults_ = false;
  auto bytes = io_->read_file(path_, max_file_bytes);
  is_readable_ = bytes || bytes.error() == net::IoError::NotFound;
  if (!bytes) {
    if (!is_readable_) warnings_.push_back(why(path_, bytes.error()));
    return;
  }
  is_there_ = true;
  bytes_ = *std::move(bytes);
  ReadSettings read = read_settings({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
  settings_ = std::move(read.settings);
  has_faults_ = !read.faults.empty();
  for (const auto* const list : {&read.faults, &read.remarks})
    for (const std::string& words : *list)
      warnings_.push_back(path_ + ":" + words);
}

std::optional<std::string> SettingsFile::save_changes(const Settings& before,
                                                      const Settings& after) {
  read();
  if (!is_readable_) return "not saved: " + warnings_.front();
  std::optional<std::string> note;
  if (has_faults_) {
    const std::string kept = path_ + ".bad";
    if (const auto copied = io_->write_secret_file(kept, bytes_); !copied)
      return "not saved: " + why(kept, copied.error());
    note = "'" + path_ + "' had errors; its old content is saved in '" + kept + "'";
  }
  for (const SettingField& field : all_fields())
    if (field.text(before) != field.text(after)) field.copy(settings_, after);
  const std::string text = settings_text(settings_);
  const auto written = io_->write_secret_file(path_, std::as_bytes(std::span(text)));
  if (!written) return "not saved: " + why(path_, written.error());
  return note;
}

}  // namespace jostle::settings
