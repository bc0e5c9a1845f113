#!/usr/bin/env python3
"""Tests jostled and jostle with IPv4 and IPv6 addresses.

usage: addresses_test.py BIN_DIR SOURCE_DIR
"""
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import PATIENCE, SOURCE, TOOL, Server, needs_ipv6, play, run


class Addresses(unittest.TestCase):
    @needs_ipv6
    def test_a_server_bound_to_all_addresses_serves_ipv4(self):
        with Server("--scene", "tower", "--bind", "::", "--insecure", at="[::]") as server:
            bots = play(server.port, "--clients", "1", ticks=30)
            self.assertEqual(bots.returncode, 0, bots.stderr)
            # Invalid packets over IPv6 are refused without side effects.
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as stranger:
                stranger.sendto(b"x" * 100, ("::1", server.port))
            code, output = server.stop()
        self.assertEqual(code, 0, output)

    def test_a_relay_names_the_address_that_is_in_use(self):
        with Server() as server:
            refused = run(TOOL, "net", "relay", "--listen", server.port, "--to", "127.0.0.1:1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(f"jostle net relay: --listen: cannot listen on 127.0.0.1:{server.port}: ", refused.stderr)

    @needs_ipv6
    def test_a_relay_forwards_between_ipv6_and_ipv4(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, \
                socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as client:
            for end in (server, client):
                end.settimeout(PATIENCE)
            server.bind(("127.0.0.1", 0))
            relay = subprocess.Popen(
                [TOOL, "net", "relay", "--listen", "[::1]:0", "--to", f"127.0.0.1:{server.getsockname()[1]}",
                 "--net-sim", "1/0/0%"], stdout=subprocess.PIPE, text=True)
            try:
                port = int(re.search(r"from \[::1\]:(\d+) to 127", relay.stdout.readline()).group(1))
                client.sendto(b"hello", ("::1", port))
                words, there = server.recvfrom(100)
                self.assertEqual(words, b"hello")
                server.sendto(b"welcome", there)
                words, back = client.recvfrom(100)
                self.assertEqual((words, back[:2]), (b"welcome", ("::1", port)))
            finally:
                relay.terminate()
                self.assertEqual(relay.wait(PATIENCE), 0)
                relay.stdout.close()

    def test_the_demo_finds_the_port_in_the_servers_output(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            with Server("--scene", "tower") as server:
                for line in (server.line, server.line.replace("127.0.0.1", "[::]"),
                             server.line.replace("127.0.0.1", "[fe80::1%2]")):
                    log.write_text(line)
                    found = run("bash", "-c", '. "$1"; wait_for_port "$2" $$',
                                "bash", SOURCE / "scripts/run/demo.sh", log)
                    self.assertEqual((found.returncode, found.stdout.strip()), (0, str(server.port)), found.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
