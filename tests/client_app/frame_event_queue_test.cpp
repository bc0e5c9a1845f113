#include "client/controls/frame_event_queue.h"

#include <gtest/gtest.h>

#include <deque>

namespace jostle::controls {
namespace {

SDL_Event key(std::uint32_t type, SDL_Keycode code) {
  SDL_Event event{};
  event.type = type;
  event.key.keysym.sym = code;
  return event;
}
SDL_Event mouse(std::uint32_t type) {
  SDL_Event event{};
  event.type = type;
  return event;
}

/// Returns the types of the events of each frame, up to the first frame without events.
std::vector<std::vector<std::uint32_t>> pictures_of(std::deque<SDL_Event> events) {
  FrameEventQueue feed([&](SDL_Event& event) {
    if (events.empty()) return false;
    event = events.front();
    events.pop_front();
    return true;
  });
  std::vector<std::vector<std::uint32_t>> pictures;
  for (bool is_first = true; is_first || !pictures.back().empty(); is_first = false) {
    feed.begin_picture();
    pictures.emplace_back();
    SDL_Event event;
    while (feed.next(event))
      pictures.back().push_back(event.type);
  }
  pictures.pop_back();
  return pictures;
}

using Types = std::vector<std::vector<std::uint32_t>>;

TEST(FrameEventQueue, HoldsAPressForAFrame) {
  EXPECT_EQ(pictures_of({key(SDL_KEYDOWN, SDLK_a), key(SDL_KEYUP, SDLK_a), key(SDL_KEYDOWN, SDLK_b),
                         key(SDL_KEYUP, SDLK_b)}),
            (Types{{SDL_KEYDOWN}, {SDL_KEYUP, SDL_KEYDOWN}, {SDL_KEYUP}}));
}

TEST(FrameEventQueue, DeliversReleasesOfEarlierPressesImmediately) {
  EXPECT_EQ(pictures_of({key(SDL_KEYUP, SDLK_a), key(SDL_KEYDOWN, SDLK_b), key(SDL_KEYUP, SDLK_a)}),
            (Types{{SDL_KEYUP, SDL_KEYDOWN, SDL_KEYUP}}));
}

TEST(FrameEventQueue, DelaysTextAfterEnterToTheNextFrame) {
  EXPECT_EQ(pictures_of({key(SDL_TEXTINPUT, 0), key(SDL_KEYDOWN, SDLK_RETURN),
                         key(SDL_TEXTINPUT, 0), key(SDL_KEYUP, SDLK_RETURN)}),
            (Types{{SDL_TEXTINPUT, SDL_KEYDOWN}, {SDL_TEXTINPUT, SDL_KEYUP}}));
}

TEST(FrameEventQueue, HoldsBackKeysAndLaterEventsUntilKeysAreDue) {
  std::deque<SDL_Event> events{mouse(SDL_MOUSEMOTION), key(SDL_KEYDOWN, SDLK_a),
                               key(SDL_TEXTINPUT, 0), mouse(SDL_MOUSEMOTION)};
  FrameEventQueue feed([&](SDL_Event& event) {
    if (events.empty()) return false;
    event = events.front();
    events.pop_front();
    return true;
  });
  const auto picture = [&](bool are_keys_due) {
    feed.begin_picture(are_keys_due);
    std::vector<std::uint32_t> types;
    for (SDL_Event event; feed.next(event);)
      types.push_back(event.type);
    return types;
  };
  EXPECT_EQ(picture(false), (std::vector<std::uint32_t>{SDL_MOUSEMOTION}));
  EXPECT_TRUE(picture(false).empty());
  EXPECT_EQ(picture(true),
            (std::vector<std::uint32_t>{SDL_KEYDOWN, SDL_TEXTINPUT, SDL_MOUSEMOTION}));
}

TEST(FrameEventQueue, DelaysMotionAfterAClick) {
  EXPECT_EQ(pictures_of({mouse(SDL_MOUSEMOTION), mouse(SDL_MOUSEBUTTONDOWN), mouse(SDL_MOUSEMOTION),
                         mouse(SDL_MOUSEMOTION), mouse(SDL_MOUSEBUTTONUP), mouse(SDL_MOUSEMOTION)}),
            (Types{{SDL_MOUSEMOTION, SDL_MOUSEBUTTONDOWN},
                   {SDL_MOUSEMOTION, SDL_MOUSEMOTION, SDL_MOUSEBUTTONUP, SDL_MOUSEMOTION}}));
}

TEST(FrameEventQueue, DeliversAllEventsInOrder) {
  std::deque<SDL_Event> events;
  std::vector<std::uint32_t> sent, seen;
  for (int i = 0; i < 200; ++i) {
    const SDL_Event each = i % 7 < 2   ? key(SDL_KEYDOWN, SDLK_a)
                           : i % 7 < 4 ? key(SDL_KEYUP, SDLK_a)
                           : i % 7 < 5 ? mouse(SDL_MOUSEBUTTONDOWN)
                                       : mouse(SDL_MOUSEMOTION);
    events.push_back(each);
    sent.push_back(each.type);
  }
  for (const auto& picture : pictures_of(events))
    seen.insert(seen.end(), picture.begin(), picture.end());
  EXPECT_EQ(seen, sent);
}

}  // namespace
}  // namespace jostle::controls
