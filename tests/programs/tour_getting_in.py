"""The last stations of the tour: joining servers, and the screens shown when that fails."""
import signal
from pathlib import Path

from harness import CONFIG, TOOL, has_ipv6, run
from tour_eyes import (CENTRE, LOCKS, TOP, TOP_LEFT, WIDE_PANEL, give_up, is_chosen, is_lock, leave, line_of,
                       see_no_panel, see_panel)
from tour_stations import settle, station


@station("Finding servers",
         "`jostle-view --lan` lists the servers on the local network and recent ones. Enter joins.")
def servers(tour):
    everywhere = "[::]" if has_ipv6() else "0.0.0.0"
    open_to_all = tour.serve("--insecure", "--lan", "--scene", "crates", "--name", "living room", at=everywhere)
    tour.serve("--lan", "--scene", "pool", "--name", "pool at Bob's", at=everywhere)
    recent = Path(CONFIG.name) / "jostle" / "recent_servers"
    recent.parent.mkdir(parents=True, exist_ok=True)
    recent.write_text("127.0.0.1:7790\n")
    window = tour.open("--lan")
    window.see(lambda picture: line_of(picture, is_lock, LOCKS), "the server that requires a token")
    settle()
    yield
    picture = window.picture()
    if is_chosen(*picture.at(tour.width // 2, line_of(picture, is_lock, LOCKS))):
        window.key("Down")  # selects the other server
    window.key("Return")
    see_panel(window, TOP_LEFT, "the status panel after joining")
    recent.unlink()
    leave(window)
    assert "client joined" in open_to_all.stop()[1], "the selected server was not joined"


@station("Refused", "A client that is not admitted shows the reason and what to do about it.")
def refused(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    window = tour.open(f"127.0.0.1:{server.port}")
    see_panel(window, CENTRE, "the reason of the refusal", WIDE_PANEL)
    yield
    give_up(window, "requires a token")


@station("No answer", "There is no server at the address. The screen lists what to check.")
def no_answer(tour):
    window = tour.open("127.0.0.1:9", "--timeout", "1")
    see_panel(window, CENTRE, "the failure screen", WIDE_PANEL)
    yield
    give_up(window, "no answer from 127.0.0.1:9")


@station("Full", "All player slots are in use.")
def full(tour):
    server = tour.serve("--scene", "crates", "--max-players", "1")
    tour.join(server, name="Bob", columns=2)
    settle()
    window = tour.open(f"127.0.0.1:{server.port}", "--name", "Ann")
    see_panel(window, CENTRE, "the failure screen", WIDE_PANEL)
    yield
    give_up(window, "the server is full")


@station("Disconnected", "The token was revoked: the server closes the connection and the client shows the reason.")
def sent_away(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    token = run(TOOL, "token", "issue", "--keys", keys).stdout.strip()
    window = tour.open(f"127.0.0.1:{server.port}", "--token", token)
    see_panel(window, TOP_LEFT, "the status panel after joining")
    assert run(TOOL, "token", "revoke", token, "--keys", keys).returncode == 0
    see_no_panel(window, TOP_LEFT, "the status panel is gone")
    settle(1)
    yield
    give_up(window, "the token was revoked")


@station("Another key", "The server's key has changed: the client refuses to join and says what to do.")
def another_key(tour):
    known = tour.folder / "known_servers"
    server = tour.serve("--scene", "crates", "--keys", tour.folder / "keys")
    leave(tour.join(server, "--known-servers", known))
    tour.windows.clear()  # the only window is closed
    server.stop()
    tour.serve("--scene", "crates", "--keys", tour.folder / "other_keys", port=server.port)
    window = tour.open(f"127.0.0.1:{server.port}", "--known-servers", known)
    see_panel(window, CENTRE, "the failure screen", WIDE_PANEL)
    yield
    give_up(window, "another key than expected")


@station("Connection lost", "The server is silent: the client shows for how long and reconnects automatically.")
def reconnecting(tour):
    server = tour.serve("--scene", "tower")
    window = tour.join(server)
    see_panel(window, TOP_LEFT, "the status panel after joining")
    server.process.send_signal(signal.SIGSTOP)
    see_panel(window, TOP, "the notice of the lost connection")
    settle(3)
    yield
    server.process.send_signal(signal.SIGCONT)
    see_panel(window, TOP_LEFT, "the status panel after reconnecting")
    leave(window)
    assert "client reconnected" in server.stop()[1], "the client has not reconnected"
