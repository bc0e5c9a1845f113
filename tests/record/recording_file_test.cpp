#include "shared/record/recording_file.h"

#include "shared/net/virtual_network.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace jostle::record {
namespace {

TEST(NewRecording, NeverOverwritesAFile) {
  net::VirtualNetwork network{1};
  net::VirtualNode& node = network.node(0x0A000001);
  const std::vector<std::byte> first{std::byte{1}}, second{std::byte{2}}, third{std::byte{3}};
  EXPECT_EQ(write_new_recording(node, "run", first).value(), "run.jrec");
  EXPECT_EQ(write_new_recording(node, "run", second).value(), "run-2.jrec");
  EXPECT_EQ(write_new_recording(node, "run", third).value(), "run-3.jrec");
  EXPECT_EQ(node.read_file("run.jrec", 9).value(), first);
  EXPECT_EQ(node.read_file("run-2.jrec", 9).value(), second);
}

TEST(NewRecording, ReturnsTheErrorOfTheFirstFileThatCannotBeWritten) {
  net::VirtualNetwork network{1};
  net::VirtualNode& node = network.node(0x0A000001);
  node.set_disk_capacity_bytes(1);
  EXPECT_EQ(write_new_recording(node, "run", std::vector<std::byte>(2)).error(),
            net::IoError::NoSpace);
}

}  // namespace
}  // namespace jostle::record
