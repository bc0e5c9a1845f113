"""Browsers: jostled --web, jostle-gate, TLS, tokens, and nginx in front of the gate. Usage: BIN_DIR SOURCE_DIR"""
import base64
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import BIN, PATIENCE, SOURCE, TOOL, Server, environment, run, wait_until

GATE = BIN / "jostle-gate"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


class WebSocket:
    """A client of RFC 6455 with what the tests need."""

    def __init__(self, port, path="/ws", tls=False, **headers):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        if tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        lines = [f"GET {path} HTTP/1.1", f"Host: {headers.pop('Host', f'127.0.0.1:{port}')}",
                 "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.socket.sendall("\r\n".join(lines + ["", ""]).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)
        self.status = int(head.split()[1])
        self.head = head.decode()

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def send(self, content):
        mask = os.urandom(4)
        size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack(">H", len(content))
        self.socket.sendall(b"\x82" + size + mask + bytes(x ^ mask[i % 4] for i, x in enumerate(content)))

    def receive(self):
        """Returns the opcode and the content of the next frame."""
        first, second = self.read(2)
        size = second & 127
        if size >= 126:
            size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
        return first & 15, self.read(size)

    def enter(self, token="", secret=b"s" * 32):
        """Sends an entry. Returns the role, or the close code."""
        self.send(b"\x80\x01" + secret + token.encode())
        opcode, content = self.receive()
        return content[2] if opcode == 2 else int.from_bytes(content[:2], "big")


def get(port, path, method="GET", tls=False, **headers):
    context = ssl._create_unverified_context() if tls else None
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context) if tls else
                  http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE))
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.content = answer.read()
    connection.close()
    return answer


class Gate:
    """A jostle-gate on a free port, for a `with` block."""

    def __init__(self, *options, count=1):
        self.process = subprocess.Popen([str(GATE), *map(str, options)], stdout=subprocess.PIPE, bufsize=0,
                                        env=environment())
        self.lines = [self.process.stdout.readline().decode() for _ in range(count)]
        found = re.search(r":(\d+)/", self.lines[0])
        assert found, self.lines
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browsers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jostle_web_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "page"
        self.page.mkdir()
        (self.page / "index.html").write_text("<!doctype html><title>page</title>")
        (self.page / "main.js").write_text("// script")

    def web_server(self, *options):
        """Starts a server with a gate. Sets its `web` to the port of the page."""
        server = Server("--web", "127.0.0.1:0", "--web-page", self.page, *options)
        self.addCleanup(server.__exit__)
        for _ in range(8):
            line = server.process.stdout.readline().decode()
            found = re.search(r"^Watch: http://127\.0\.0\.1:(\d+)/$", line)
            if found:
                server.web = int(found.group(1))
                return server
        self.fail(line)

    def certificate(self):
        key, certificate = self.folder / "key.pem", self.folder / "cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        return key, certificate

    def test_the_server_starts_a_gate_and_ends_it(self):
        server = self.web_server()
        page = get(server.web, "/")
        self.assertEqual((page.status, page.getheader("Content-Type")), (200, "text/html; charset=utf-8"))
        policy = page.getheader("Content-Security-Policy")
        self.assertIn("script-src 'self'", policy)
        self.assertNotIn("unsafe-inline", policy)
        self.assertEqual(get(server.web, "/room/main/main.js").content, b"// script")
        self.assertEqual(json.loads(get(server.web, "/rooms.json").content)["rooms"], [{"name": "main", "is_open": True}])
        code, output = server.stop()
        self.assertEqual(code, 0, output)
        self.assertIn("browsers: 0 viewers admitted", output)
        with self.assertRaises(OSError):
            get(server.web, "/")

    def test_a_killed_server_leaves_no_gate_behind(self):
        server = self.web_server()
        server.process.kill()

        def is_gone():
            try:
                get(server.web, "/")
            except OSError:
                return True
            return False
        self.assertTrue(wait_until(is_gone))

    def test_viewers_receive_snapshots(self):
        server = self.web_server()
        watched = run(TOOL, "bench", "web", "--gate", f"127.0.0.1:{server.web}", "--viewers", 3, "--seconds", 1)
        self.assertEqual(watched.returncode, 0, watched.stderr)
        self.assertIn("viewers watching       3 of 3, 0 connections lost", watched.stdout)

    def test_foreign_pages_and_names_are_refused(self):
        server = self.web_server()
        self.assertEqual(WebSocket(server.web, Origin="https://evil.example").status, 403)
        self.assertEqual(WebSocket(server.web, Host="evil.example").status, 421)
        self.assertEqual(get(server.web, "/", Host="evil.example:80").status, 421)
        self.assertEqual(get(server.web, "/", method="POST").status, 405)
        own = WebSocket(server.web, Origin=f"http://127.0.0.1:{server.web}")
        self.assertEqual(own.status, 101)
        self.assertNotIn("permessage-deflate", own.head)
        self.assertEqual(own.enter(), 1)

    def test_the_server_checks_tokens(self):
        keys = self.folder / "keys"
        server = self.web_server("--auth", "token", "--keys", keys)
        token = run(TOOL, "token", "issue", "--keys", keys, "--role", "operator").stdout.strip()
        self.assertEqual(WebSocket(server.web).enter(), 4103)
        self.assertEqual(WebSocket(server.web).enter("jostle-token-1.x"), 4107)
        first = WebSocket(server.web)  # its session holds the token, which is used up when the server welcomes it
        self.assertEqual(first.enter(token), 2)
        self.assertEqual(WebSocket(server.web).enter(token, b"t" * 32), 4105)
        first.socket.close()
        public = self.web_server("--auth", "token", "--keys", keys, "--web-public")
        self.assertEqual(WebSocket(public.web).enter(), 0)

    def test_one_gate_serves_several_servers_and_outlives_them(self):
        one, two = self.folder / "one.sock", self.folder / "two.sock"
        with Gate("--listen", "127.0.0.1:0", "--page", self.page, "--room", f"one={one}", "--room", f"two={two}",
                  count=2) as gate:
            def are_open():
                return [room["is_open"] for room in json.loads(get(gate.port, "/rooms.json").content)["rooms"]]
            self.assertEqual(are_open(), [False, False])
            closed = WebSocket(gate.port, "/room/one/ws")
            self.assertEqual(int.from_bytes(closed.receive()[1][:2], "big"), 4200)
            with Server("--web-socket", one) as server:
                self.assertTrue(wait_until(lambda: are_open() == [True, False]))
                self.assertEqual(os.stat(one).st_mode & 0o777, 0o600)
                viewer = WebSocket(gate.port, "/room/one/ws")
                self.assertEqual(viewer.enter(), 1)
                self.assertEqual(WebSocket(gate.port, "/ws").status, 404)
                server.stop()
                self.assertEqual(int.from_bytes(viewer.receive()[1][:2], "big"), 4006)
            self.assertTrue(wait_until(lambda: are_open() == [False, False]))
            with Server("--web-socket", one):
                self.assertTrue(wait_until(lambda: are_open() == [True, False]))

    def test_a_socket_in_use_is_not_taken_over(self):
        path = self.folder / "room.sock"
        with Server("--web-socket", path):
            second = run(BIN / "jostled", "--port", 0, "--web-socket", path, "--duration", 1)
            self.assertEqual(second.returncode, 1)
            self.assertIn("another program uses the socket", second.stderr)
        # A file that a killed server left is replaced.
        with Server("--web-socket", path) as server:
            server.process.send_signal(signal.SIGKILL)
            server.process.wait(PATIENCE)
            self.assertTrue(path.exists())
        with Server("--web-socket", path):
            pass

    def test_tls_by_files(self):
        key, certificate = self.certificate()
        server = self.web_server_with_socket()
        with Gate("--listen", "127.0.0.1:0", "--page", self.page, "--room", f"main={server.socket_path}", "--cert",
                  certificate, "--key", key) as gate:
            self.assertIn("Watch: https://", gate.lines[0])
            self.assertEqual(get(gate.port, "/", tls=True).status, 200)
            self.assertTrue(wait_until(lambda: b"true" in get(gate.port, "/rooms.json", tls=True).content))
            self.assertEqual(WebSocket(gate.port, tls=True, Origin=f"https://127.0.0.1:{gate.port}").enter(), 1)
        bad = run(GATE, "--room", "main=x.sock", "--listen", "127.0.0.1:0", "--cert", key, "--key", key)
        self.assertEqual(bad.returncode, 1)
        self.assertIn("cannot use the certificate", bad.stderr)

    def web_server_with_socket(self):
        path = self.folder / "main.sock"
        server = Server("--web-socket", path)
        self.addCleanup(server.__exit__)
        server.socket_path = path
        return server

    def test_wrong_options_are_explained(self):
        for options, words in ((["--room", "main"], "not NAME=SOCKET"), (["--room", "a b=x"], "not the name of a room"),
                               ([], "a room is needed"), (["--room", "a=x", "--room", "a=y"], "two rooms"),
                               (["--room", "a=x", "--listen", "0.0.0.0:1"], "--cert and --key"),
                               (["--room", "a=x", "--cert", SOURCE / "README.md"], "needed together"),
                               (["--room", "a=x", "--origin", "example.org"], "not an origin")):
            gate = run(GATE, *options)
            self.assertEqual((gate.returncode, words in gate.stderr), (2, True), gate.stderr)
        open_server = run(BIN / "jostled", "--web", "0.0.0.0:7780", "--auth", "none")
        self.assertEqual(open_server.returncode, 2)
        self.assertIn("--web 0.0.0.0:7780 can be reached", open_server.stderr)

    @unittest.skipUnless(os.path.exists(NGINX), "nginx is not installed")
    def test_behind_nginx(self):
        server = self.web_server_with_socket()
        key, certificate = self.certificate()
        gate_port, secure_port, plain_port = free_port(), free_port(), free_port()
        text = (SOURCE / "packaging/nginx/jostle-gate.conf").read_text()
        for old, new in (("listen 443 ssl;", f"listen 127.0.0.1:{secure_port} ssl; listen 127.0.0.1:{plain_port};"),
                         ("/etc/ssl/play.example.org/fullchain.pem", str(certificate)),
                         ("/etc/ssl/play.example.org/privkey.pem", str(key)),
                         ("127.0.0.1:7780", f"127.0.0.1:{gate_port}")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        temporary = " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                             ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = self.folder / "nginx.conf"
        config.write_text(f"daemon off; master_process off; pid {self.folder}/nginx.pid; error_log stderr;\n"
                          f"events {{}}\nhttp {{ access_log off; {temporary}\n{text}\n}}\n")
        with Gate("--listen", f"127.0.0.1:{gate_port}", "--page", self.page, "--room", f"main={server.socket_path}",
                  "--host", "play.example.org", "--proxy", "127.0.0.1"):
            nginx = subprocess.Popen([NGINX, "-c", str(config), "-p", str(self.folder)], stderr=subprocess.PIPE)
            self.addCleanup(nginx.communicate)
            self.addCleanup(nginx.kill)

            def is_served():
                try:
                    return b"true" in get(secure_port, "/rooms.json", tls=True, Host="play.example.org").content
                except OSError:
                    return False
            self.assertTrue(wait_until(is_served))
            names = {"Host": "play.example.org", "Origin": "https://play.example.org"}
            self.assertEqual(WebSocket(secure_port, tls=True, **names).enter(), 1)
            self.assertEqual(WebSocket(secure_port, tls=True, **{**names, "Origin": "https://evil.example"}).status, 403)
            watched = run(TOOL, "bench", "web", "--gate", f"127.0.0.1:{plain_port}", "--viewers", 3, "--seconds", 1)
            self.assertEqual(watched.returncode, 0, watched.stderr)
            self.assertIn("3 of 3, 0 connections lost", watched.stdout)


if __name__ == "__main__":
    unittest.main(argv=["web_test"], verbosity=2)
