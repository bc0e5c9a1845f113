#include "shared/http/send_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::http {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Returns the messages of the next batch, with the channel before them.
std::string next(SendQueue& queue) {
  const SendQueue::Batch batch = queue.take();
  std::string text = std::to_string(batch.channel) + ":";
  for (const auto& message : batch.messages)
    text += " " + std::string(reinterpret_cast<const char*>(message.data()), message.size());
  return text;
}

TEST(SendQueue, ReplacesAWaitingGroupByANewerOne) {
  SendQueue queue(100);
  queue.add_newest(1, 7, 1, bytes_of("a1"));
  queue.add_newest(1, 7, 1, bytes_of("b1"));
  queue.add_newest(1, 7, 2, bytes_of("a2"));
  queue.add_newest(1, 7, 2, bytes_of("b2"));
  EXPECT_EQ(queue.replaced(), 2U);
  EXPECT_EQ(next(queue), "1: a2 b2");
  EXPECT_TRUE(queue.is_empty());
}

TEST(SendQueue, KeepsMessagesOfOtherKinds) {
  SendQueue queue(100);
  queue.add_newest(1, 8, 1, bytes_of("label"));
  for (std::uint64_t group = 2; group < 100; ++group)
    queue.add_newest(1, 7, group, bytes_of(std::to_string(group)));
  EXPECT_EQ(next(queue), "1: 99 label");
}

TEST(SendQueue, SendsReliableMessagesInOrderAndTogether) {
  SendQueue queue(6);
  for (const char* const text : {"aaa", "bbb", "ccc"})
    queue.add_reliable(0, bytes_of(text));
  queue.add_reliable(2, bytes_of("chunk longer than a batch"));
  EXPECT_EQ(queue.reliable_bytes(), 9U + 25U);
  EXPECT_EQ(next(queue), "0: aaa bbb");
  EXPECT_EQ(next(queue), "0: ccc");
  EXPECT_EQ(next(queue), "2: chunk longer than a batch");
  EXPECT_EQ(queue.reliable_bytes(), 0U);
}

TEST(SendQueue, LetsReliableAndUnreliableMessagesTakeTurns) {
  SendQueue queue(3);
  for (int i = 0; i < 3; ++i)
    queue.add_reliable(2, bytes_of("abc"));
  queue.add_newest(1, 7, 1, bytes_of("s1"));
  EXPECT_EQ(next(queue), "2: abc");
  EXPECT_EQ(next(queue), "1: s1");
  queue.add_newest(1, 7, 2, bytes_of("s2"));
  EXPECT_EQ(next(queue), "2: abc");
  EXPECT_EQ(next(queue), "1: s2");
}

TEST(SendQueue, LetsChannelsTakeTurns) {
  SendQueue queue(3);
  queue.add_newest(3, 9, 1, bytes_of("time"));
  queue.add_newest(1, 7, 1, bytes_of("s1"));
  EXPECT_EQ(next(queue), "1: s1");
  queue.add_newest(1, 7, 2, bytes_of("s2"));
  EXPECT_EQ(next(queue), "3: time");
  EXPECT_EQ(next(queue), "1: s2");
}

}  // namespace
}  // namespace jostle::http
