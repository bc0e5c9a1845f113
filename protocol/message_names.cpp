#include "protocol/message_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::protocol {

std::string_view name_of_message(std::string_view letters) {
  using Name = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Name, 21> names{{{"JSN1", "snapshots, packed"},
                                               {"JSN2", "snapshots"},
                                               {"JSN3", "snapshots, foreseen"},
                                               {"JSN4", "snapshots, fine"},
                                               {"JSN5", "snapshots, lossless"},
                                               {"JPRT", "particles"},
                                               {"JRDO", "figures"},
                                               {"JCRD", "ropes"},
                                               {"JOVL", "overlays"},
                                               {"JSTA", "statistics"},
                                               {"JBOD", "a body looked at"},
                                               {"JINP", "inputs"},
                                               {"JINF", "frames"},
                                               {"JLCK", "lockstep"},
                                               {"JPIN", "clock, asked"},
                                               {"JPON", "clock, answered"},
                                               {"JCTL", "control"},
                                               {"JWCH", "bodies that come and go"},
                                               {"JBLB", "worlds"},
                                               {"JCMD", "joins and controls"},
                                               {"....", "the rest of long messages"}}};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const Name& name) { return name.first == letters; });
  return found == names.end() ? letters : found->second;
}

}  // namespace jostle::protocol
