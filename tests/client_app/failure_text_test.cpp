#include "client/panels/failure_panel.h"
#include "shared/base/program_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace jostle::panels {
namespace {

constexpr auto last_failure = client::Failure::Unreadable;

std::string commands_of(const FailureText& text) {
  std::string all;
  for (const FailureText::Advice& advice : text.advice)
    all += advice.command + "|";
  return all;
}

TEST(FailureText, HasItsOwnTitleAndAdviceForEachFailure) {
  std::set<std::string> titles;
  int count = 0;
  for (int i = 1; i <= static_cast<int>(last_failure); ++i, ++count) {
    const FailureText text =
        explain(static_cast<client::Failure>(i), "the details", "host:7777", {});
    titles.insert(text.title);
    EXPECT_EQ(text.why, "the details");
    EXPECT_FALSE(text.advice.empty()) << text.title;
    EXPECT_NE(text.title, "Not connected") << i;
  }
  EXPECT_EQ(titles.size(), static_cast<std::size_t>(count));
}

TEST(FailureText, NamesCommandsThatHelp) {
  const auto commands = [](client::Failure failure) {
    return commands_of(explain(failure, "", "host:7777", {}));
  };
  EXPECT_NE(commands(client::Failure::TokenExpired).find("jostle token issue|"), std::string::npos);
  EXPECT_NE(commands(client::Failure::TokenUsed).find("--reusable"), std::string::npos);
  EXPECT_NE(commands(client::Failure::SharedKeyRequired).find("--psk FILE"), std::string::npos);
  EXPECT_NE(commands(client::Failure::NoAnswer).find("jostled --lan"), std::string::npos);
  EXPECT_NE(commands(client::Failure::Full).find("--spectate"), std::string::npos);
}

TEST(FailureText, NamesCommandsOfTheScriptThatStartedTheClient) {
  const base::ProgramNames names = base::program_names("./run");
  const auto commands = [&](client::Failure failure) {
    return commands_of(explain(failure, "", "host:9", names));
  };
  EXPECT_EQ(commands(client::Failure::NoAnswer),
            "./run server --port 9|./run server --lan --port 9||");
  EXPECT_EQ(commands(client::Failure::TokenRequired),
            "./run tool token issue|./run view HOST --token TOKEN|");
  EXPECT_EQ(commands_of(explain_unknown_host("", "nowhere", names)), "./run view 192.168.0.5||");
  EXPECT_EQ(commands_of(explain_unknown_host("", "nowhere", base::program_names(""))),
            "jostle-view 192.168.0.5||");
}

TEST(FailureText, AdvisesWhatTheServerGrantsIfARequestIsNotAllowed) {
  EXPECT_EQ(commands_of(explain(client::Failure::NotAllowed, "", "host:7777", {})),
            "jostle-view HOST --spectate|jostle token issue --role player|");
  EXPECT_EQ(commands_of(explain(client::Failure::NoLockstep, "", "host:7777", {})),
            "jostle-view HOST|jostled --mode lockstep|");
}

TEST(SceneErrorText, DistinguishesAnInvalidFileFromAMissingOne) {
  EXPECT_EQ(scene_error_title({.text = "a.scene.json:3:3: unknown field: spwans"}),
            "The scene file has an error");
  EXPECT_EQ(scene_error_title({.text = "scene 'a.scene.json': no such file", .is_missing = true}),
            "The scene file is missing");
}

TEST(SceneErrorText, MentionsTheWorldOnlyIfTheFileHasBeenValid) {
  EXPECT_EQ(scene_error_note({.has_world = true}),
            "The world continues as it was. The file is loaded again when it is saved.");
  EXPECT_EQ(scene_error_note({.has_world = false}), "The file is loaded when it is saved.");
}

TEST(FailureText, AdvisesHowToStartAServerWhereverItIs) {
  EXPECT_EQ(no_answer_note("host:9", {}),
            "no answer from host:9; start a server with `jostled --port 9` on this machine, or "
            "with `jostled --lan --port 9` elsewhere");
}

TEST(FailureText, QuotesTheNamesOfButtons) {
  int found = 0;
  for (int i = 1; i <= static_cast<int>(last_failure); ++i) {
    for (const FailureText::Advice& advice :
         explain(static_cast<client::Failure>(i), "", "host:7777", {}).advice) {
      for (const std::string name : {"Try again", "Other server"}) {
        const std::size_t at = advice.text.find(name);
        if (at == std::string::npos) continue;
        ++found;
        ASSERT_GT(at, 0U) << advice.text;
        EXPECT_EQ(advice.text[at - 1], '"') << advice.text;
        EXPECT_EQ(advice.text[at + name.size()], '"') << advice.text;
      }
    }
  }
  EXPECT_GT(found, 0);
}

TEST(FailureText, NamesTheServer) {
  EXPECT_EQ(explain(client::Failure::NoAnswer, "", "host:7777", {}).title,
            "No answer from host:7777");
}

}  // namespace
}  // namespace jostle::panels
