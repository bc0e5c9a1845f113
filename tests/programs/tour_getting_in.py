"""The last stations of the tour: how one comes in, and what is said to whom that is denied."""
import signal
from pathlib import Path

from harness import CONFIG, TOOL, has_ipv6, run
from tour_eyes import (CENTRE, LOCKS, TOP, TOP_LEFT, WIDE_PANEL, give_up, is_chosen, is_lock, leave, line_of,
                       see_no_panel, see_panel)
from tour_stations import settle, station


@station("Finding servers",
         "`jostle-view --lan` lists the servers of the local network, and those where you have been. Enter joins.")
def servers(tour):
    everywhere = "[::]" if has_ipv6() else "0.0.0.0"
    open_to_all = tour.serve("--insecure", "--lan", "--scene", "crates", "--name", "living room", at=everywhere)
    tour.serve("--lan", "--scene", "pool", "--name", "pool at Bob's", at=everywhere)
    recent = Path(CONFIG.name) / "jostle" / "recent_servers"
    recent.parent.mkdir(parents=True, exist_ok=True)
    recent.write_text("127.0.0.1:7790\n")
    window = tour.open("--lan")
    window.see(lambda picture: line_of(picture, is_lock, LOCKS), "the server that asks for a token")
    settle()
    yield
    picture = window.picture()
    if is_chosen(*picture.at(tour.width // 2, line_of(picture, is_lock, LOCKS))):
        window.key("Down")  # to the other one
    window.key("Return")
    see_panel(window, TOP_LEFT, "the status of who has joined")
    recent.unlink()
    leave(window)
    assert "client_joined" in open_to_all.stop()[1], "the server that was chosen was not joined"


@station("Refused", "Who may not come in is told why, and what to do about it.")
def refused(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    window = tour.open(f"127.0.0.1:{server.port}")
    see_panel(window, CENTRE, "why it was refused", WIDE_PANEL)
    yield
    give_up(window, "requires a token")


@station("No answer", "Nobody listens there.")
def no_answer(tour):
    window = tour.open("127.0.0.1:9", "--timeout", "1")
    see_panel(window, CENTRE, "that nobody answers", WIDE_PANEL)
    yield
    give_up(window, "no answer from 127.0.0.1:9")


@station("Full", "Every place is taken.")
def full(tour):
    server = tour.serve("--scene", "crates", "--max-players", "1")
    tour.join(server, name="Bob", columns=2)
    settle()
    window = tour.open(f"127.0.0.1:{server.port}", "--name", "Ann")
    see_panel(window, CENTRE, "that there is no room", WIDE_PANEL)
    yield
    give_up(window, "the server is full")


@station("Sent away", "The token was revoked: the server says so and the client shows it.")
def sent_away(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    token = run(TOOL, "token", "issue", "--keys", keys).stdout.strip()
    window = tour.open(f"127.0.0.1:{server.port}", "--token", token)
    see_panel(window, TOP_LEFT, "the status of who has joined")
    assert run(TOOL, "token", "revoke", token, "--keys", keys).returncode == 0
    see_no_panel(window, TOP_LEFT, "that the status is gone")
    settle(1)
    yield
    give_up(window, "the token was revoked")


@station("Another key", "The server is not the one that was there before: the client stays out and says what to ask.")
def another_key(tour):
    known = tour.folder / "known_servers"
    server = tour.serve("--scene", "crates", "--keys", tour.folder / "keys")
    leave(tour.join(server, "--known-servers", known))
    tour.windows.clear()  # that one may be gone
    server.stop()
    tour.serve("--scene", "crates", "--keys", tour.folder / "other_keys", port=server.port)
    window = tour.open(f"127.0.0.1:{server.port}", "--known-servers", known)
    see_panel(window, CENTRE, "that it is another server", WIDE_PANEL)
    yield
    give_up(window, "another key than expected")


@station("The connection broke", "The server is silent: the client says since when, and tries again by itself.")
def reconnecting(tour):
    server = tour.serve("--scene", "tower")
    window = tour.join(server)
    see_panel(window, TOP_LEFT, "the status of who has joined")
    server.process.send_signal(signal.SIGSTOP)
    see_panel(window, TOP, "that the connection broke")
    settle(3)
    yield
    server.process.send_signal(signal.SIGCONT)
    see_panel(window, TOP_LEFT, "the status of who has come back")
    leave(window)
    assert "client_came_back" in server.stop()[1], "nobody has come back"
