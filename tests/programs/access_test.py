#!/usr/bin/env python3
"""Tests access control: tokens, shared keys, server keys, and their files.

usage: access_test.py BIN_DIR SOURCE_DIR
"""
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import CONFIG, PATIENCE, SERVER, TOOL, VIEW, Server, environment, run

ONE_BOT = ["bots", "--clients", "1", "--seconds", "2"]


class Access(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.keys = self.folder / "config" / "keys"

    def issue(self, *options, keys=None):
        result = run(TOOL, "token", "issue", "--keys", keys or self.keys, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        tokens = result.stdout.splitlines()
        for token in tokens:
            self.assertRegex(token, r"^jostle-token-1\.[\w-]+$")
        return tokens

    def join(self, server, *options, env=None):
        return run(TOOL, *ONE_BOT, "--port", server.port, *options, env=env)

    def is_admitted(self, server, *options, env=None):
        result = self.join(server, *options, env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def is_rejected(self, server, *options, words, code=1, env=None):
        result = self.join(server, *options, env=env)
        self.assertEqual(result.returncode, code, result.stderr)
        for some in words:
            self.assertIn(some, result.stderr)

    def refused(self, *command, words, env=None):
        """Expects one line on stderr, exit code 2 and nothing on stdout."""
        result = run(*command, env=env)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
        self.assertEqual(result.stdout, "")
        for some in words:
            self.assertIn(some, result.stderr)

    def token_server(self, *options):
        return Server("--scene", "tower", "--auth", "token", "--keys", self.keys, *options)

    def ids(self):
        listed = run(TOOL, "token", "show", "--keys", self.keys)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return [(line.split()[0], line.split()[-1]) for line in listed.stdout.splitlines()[1:]]


class Tokens(Access):
    def test_a_token_admits_one_client_even_across_a_server_restart(self):
        with self.token_server() as server:
            self.is_rejected(server, words=["requires a token", "--token"])
            token = self.issue()[0]
            self.is_admitted(server, "--token", token)
            self.is_rejected(server, "--token", token, words=["single-use and was already used; without --key, each start "])
            self.assertEqual(server.stop()[0], 0)
        with self.token_server() as server:
            self.is_rejected(server, "--token", token, words=["single-use and was already used; without --key, each start "])
            self.assertEqual([state for _, state in self.ids()], ["used"])
            code, output = server.stop()
            self.assertEqual(code, 0, output)
            self.assertIn("fingerprint", output)
            self.assertIn("clients rejected: 1 ", output)
            self.assertIn(f"jostle token issue --keys {self.keys}", output)

    def test_the_holder_of_a_used_token_may_rejoin(self):
        with self.token_server() as server:
            own = self.folder / "own"
            public = run(TOOL, "key", "new", own).stdout.strip()
            self.assertEqual(run(TOOL, "key", "show", own).stdout.strip(), public)
            token = self.issue("--holder", public)[0]
            self.is_rejected(server, "--token", token, words=["issued for another client's key"])
            self.is_admitted(server, "--token", token, "--key", own)
            self.is_admitted(server, "--token", token, "--key", own)

    def test_tokens_can_be_given_by_file_and_environment(self):
        with self.token_server() as server:
            file = self.folder / "tokens"
            file.write_text("\n".join(self.issue("--count", "3")) + "\n")
            result = run(TOOL, "bots", "--port", server.port, "--clients", "3", "--seconds", "2",
                         "--decode-every", "2", "--token", f"@{file}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.is_admitted(server, env={"JOSTLE_TOKEN": self.issue()[0]})
            reusable = self.issue("--reusable", "--role", "spectator", "--expires-in", "12h")[0]
            for _ in range(2):
                self.is_admitted(server, "--token", reusable, "--players", "0")
            self.is_rejected(server, "--token", reusable, words=["the token is for spectators"])

    @unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
    def test_revoking_a_token_ends_its_session(self):
        with self.token_server() as server:
            token = self.issue()[0]
            view = subprocess.Popen(
                [VIEW, f"127.0.0.1:{server.port}", "--renderer", "none", "--duration", "120", "--token", token],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
            self.addCleanup(view.kill)
            while [state for _, state in self.ids()] != ["used"]:
                self.assertIsNone(view.poll(), "the client was not admitted")
            other = self.issue("--reusable")[0]
            self.assertEqual(run(TOOL, "token", "revoke", token, "--keys", self.keys).returncode, 0)
            output, _ = view.communicate(timeout=PATIENCE)
            self.assertEqual(view.returncode, 1, output)
            self.assertIn("the token was revoked", output)
            self.is_rejected(server, "--token", token, words=["the token was revoked"])
            self.is_admitted(server, "--token", other)
            ids = dict(self.ids())
            self.assertEqual(sorted(ids.values()), ["revoked", "valid"])
            by_id = run(TOOL, "token", "revoke", next(i for i in ids if ids[i] == "valid"), "--keys", self.keys)
            self.assertEqual(by_id.returncode, 0, by_id.stderr)
            self.assertEqual({state for _, state in self.ids()}, {"revoked"})

    def test_an_unreadable_revocation_list_is_reported_once(self):
        with self.token_server() as server:
            token = self.issue("--reusable")[0]
            (self.keys / "tokens.revoked").mkdir()
            said = server.process.stdout.readline().decode()
            while "revoked tokens cannot be read" not in said:
                self.assertTrue(said, "the server has ended")
                said = server.process.stdout.readline().decode()
            self.assertIn("tokens.revoked': not a file but a directory", said)
            self.is_admitted(server, "--token", token)
            (self.keys / "tokens.revoked").rmdir()
            self.assertEqual(run(TOOL, "token", "revoke", token, "--keys", self.keys).returncode, 0)
            while self.join(server, "--token", token).returncode == 0:
                self.assertIsNone(server.process.poll())
            self.is_rejected(server, "--token", token, words=["the token was revoked"])
            self.assertNotIn("cannot be read", server.stop()[1])

    def test_empty_key_paths_are_rejected(self):
        empty = "the value is empty"
        for option in ("--psk", "--keys", "--hash-log", "--record", "--record-folder"):
            self.refused(SERVER, "--port", "0", "--duration", "0.1", option, "", words=[option, empty])
        if VIEW.exists():
            for option in ("--psk", "--key", "--known-servers", "--settings", "--hash-log"):
                self.refused(VIEW, "--renderer", "none", option, "", words=[option, empty])

        for arguments in (["token", "issue", "--keys"], ["token", "show", "--keys"], ["token", "revoke", "x", "--keys"],
                          ["key", "new"], ["key", "show"], ["psk", "new"]):
            name = arguments[-1] if arguments[-1] == "--keys" else "file"
            self.refused(TOOL, *arguments, "", words=[f"{name}: {empty}"])

    def test_tokens_can_be_issued_on_another_machine(self):
        with self.token_server() as server:
            self.assertEqual(server.stop()[0], 0)
        there = self.folder / "there"
        there.mkdir()
        (self.keys / "issuer.key").rename(there / "issuer.key")
        (there / "server.pub").write_bytes((self.keys / "server.pub").read_bytes())
        with self.token_server() as server:
            self.is_admitted(server, "--token", self.issue(keys=there)[0])
            self.refused(TOOL, "token", "issue", "--keys", self.keys, words=[f"'{self.keys}/issuer.key' is missing"])

    def at_once(self, *commands):
        started = [subprocess.Popen([str(word) for word in command], env=environment(), text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
        said = [process.communicate(timeout=PATIENCE) for process in started]
        for process, (_, stderr) in zip(started, said):
            self.assertEqual(process.returncode, 0, stderr)
        return [stdout.strip() for stdout, _ in said]

    def test_concurrent_creation_of_a_key_folder_yields_one_consistent_folder(self):
        for _ in range(5):
            with tempfile.TemporaryDirectory(dir=self.folder) as keys:
                tokens = self.at_once(*[[TOOL, "token", "issue", "--keys", keys + "/new"]] * 8)
                for token in tokens:
                    said = run(TOOL, "token", "show", token, "--keys", keys + "/new")
                    self.assertRegex(said.stdout, r"state +valid")
                listed = run(TOOL, "token", "show", "--keys", keys + "/new")
                self.assertEqual(len(listed.stdout.splitlines()), 1 + len(tokens), listed.stdout)

    def test_concurrent_revocations_are_all_recorded(self):
        tokens = [self.issue()[0] for _ in range(12)]
        self.at_once(*[[TOOL, "token", "revoke", token, "--keys", self.keys] for token in tokens])
        self.assertEqual([state for _, state in self.ids()], ["revoked"] * len(tokens))

    def test_only_one_of_several_concurrent_key_creations_succeeds(self):
        file = self.folder / "psk"
        started = [subprocess.Popen([str(TOOL), "psk", "new", str(file)], stderr=subprocess.DEVNULL)
                   for _ in range(6)]
        self.assertEqual(sorted(process.wait(PATIENCE) for process in started), [0, 2, 2, 2, 2, 2])

    def test_a_token_for_another_server_is_refused_with_the_reason(self):
        others = self.issue(keys=self.folder / "others")[0]
        with self.token_server() as server:
            self.is_rejected(server, "--token", others, words=["another key than expected", "--token"])
            said = run(TOOL, "token", "show", others, "--keys", self.keys)
            self.assertIn("not issued with the keys of this folder", said.stdout)

    def test_the_summary_states_no_rate_if_all_clients_were_rejected(self):
        with self.token_server() as server:
            self.is_rejected(server, words=["token"])
            output = server.stop()[1]
        self.assertIn("\njostled: 0 clients; 0 rejected messages\n", output)
        self.assertRegex(output, r"\n  total +[0-9.]+ +100.0 % +[0-9.]+ +100.0 %\n")

    def test_token_show_prints_the_contents_of_a_token(self):
        token = self.issue("--role", "operator", "--client", "42", "--expires-in", "90s")[0]
        said = run(TOOL, "token", "show", token, "--keys", self.keys)
        self.assertEqual(said.returncode, 0, said.stderr)
        for line in (r"role +operator", r"client +42", r"uses +once", r"until +20\d\d-.* UTC", r"state +valid"):
            self.assertRegex(said.stdout, line)

    def test_both_views_of_a_token_use_the_same_words(self):
        once = self.issue("--client", "18446744073709551615")[0]
        unlimited = self.issue("--reusable")[0]
        for token, uses in ((once, "once"), (unlimited, "unlimited")):
            self.assertRegex(run(TOOL, "token", "show", token).stdout, f"uses +{uses}\n")
        rows = run(TOOL, "token", "show", "--keys", self.keys).stdout.splitlines()[1:]
        self.assertEqual([(row.split()[3], row.split()[-1]) for row in rows],
                         [("once", "valid"), ("unlimited", "valid")])
        self.assertIn(" 18446744073709551615 ", rows[0])

    def test_invalid_token_commands_are_refused_with_a_message(self):
        self.issue()
        for arguments, words in [
            (["issue", "--expires-in", "10"], ["'10'", "90s, 10m, 12h or 7d"]),
            (["issue", "--role", "king"], ["'king'", "spectator, player, operator"]),
            (["issue", "--client", "-1"], ["--client"]),
            (["issue", "--holder", "abc"], ["'abc'", "base64"]),
            (["issue", "--count", "0"], ["--count"]),
            (["show", "hello"], ["not a token"]),
            (["show", "A" * 22], ["is the ID of a token, not a token: `jostle token show` without a token lists all IDs"]),
            (["show", "--keys", "/none"], ["jostle token show: there is no folder '/none'"]),
            (["show", "--keys", self.folder], [f"'{self.folder}' is not a folder of keys: it has no file issuer.pub"]),
            (["revoke", "A" * 22, "--keys", "/none"], ["jostle token revoke: there is no folder '/none'"]),
            (["issue", "--client", "18446744073709551616"], ["is not a whole number from 0 to 2^64 - 1"]),
            (["show", "jostle-token-1.AAAA"], ["the token is truncated or mistyped"]),
            (["issue", "--for", "10m"], ["jostle token issue: unknown option '--for' (see jostle token issue --help)"]),
            (["revoke", "hello"], ["'hello'", "neither a token nor the ID"]),
            (["revoke", "a\x1b[31mb"], ["'a\\x1b[31mb'"]),
            (["revoke"], ["jostle token revoke: token is required (see jostle token revoke --help)"]),
            (["revoke", "A" * 22, "--keys", self.folder], ["issuer.pub"]),
        ]:
            with self.subTest(arguments=arguments):
                keys = [] if "--keys" in arguments else ["--keys", self.keys]
                self.refused(TOOL, "token", *arguments, *keys, words=words)
        for program in (["bots"], None):
            command = [TOOL, *program] if program else [VIEW]
            if command[0].exists():
                self.refused(*command, "--token", "hello", words=["--token", "not a token"])
                self.refused(*command, "--token", "@/no/file", words=["/no/file", "no such file"])
                self.refused(*command, words=["JOSTLE_TOKEN", "not a token"], env={"JOSTLE_TOKEN": "hello"})

    def test_a_folder_of_keys_that_cannot_be_created_is_named(self):
        for command in ([SERVER, "--auth", "token", "--port", "0", "--keys", "/proc/x"],
                        [TOOL, "token", "issue", "--keys", "/proc/x"]):
            self.refused(*command, words=["cannot create the folder '/proc/x': no such file or directory"])

    def test_a_file_in_place_of_the_folder_of_keys_is_named(self):
        file = self.folder / "file"
        file.write_text("x")
        for keys in ("/dev/null", file):
            for folder in (keys, f"{keys}/x"):
                for command in ([SERVER, "--auth", "token", "--port", "0"], [TOOL, "token", "issue"]):
                    self.refused(*command, "--keys", folder, words=[f"'{keys}' is", "folder"])
        self.assertEqual(file.read_text(), "x")

    def test_key_files_are_private_and_validated(self):
        self.issue()
        self.assertEqual(stat.S_IMODE(self.keys.stat().st_mode), 0o700)
        for file in self.keys.iterdir():
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600, file)
        start = [SERVER, "--auth", "token", "--port", "0", "--keys", self.keys, "--duration", "0.1"]
        (self.keys / "tokens.revoked").write_text("jostle-tokens-revoked-1\n\njunk\n")
        self.refused(*start, words=[f"{self.keys}/tokens.revoked:3: expected a token ID"])
        (self.keys / "tokens.revoked").unlink()
        (self.keys / "server.key").chmod(0o644)
        self.refused(*start, words=[f"{self.keys}/server.key", "chmod 600"])
        (self.keys / "server.key").unlink()
        self.refused(*start, words=[f"'{self.keys}/server.key' is missing"])


class SharedKeys(Access):
    def test_only_clients_with_the_shared_key_are_admitted(self):
        right, wrong = self.folder / "right", self.folder / "wrong"
        for file in (right, wrong):
            created = run(TOOL, "psk", "new", file)
            self.assertEqual((created.returncode, created.stderr), (
                0, f"jostle psk new: created {file}; copy it over a private channel to all users who may join\n"))
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertNotEqual(right.read_text(), wrong.read_text())
        with Server("--scene", "tower", "--psk", right) as server:
            self.is_admitted(server, "--psk", right)
            self.is_rejected(server, words=["requires a shared key", "--psk"])
            self.is_rejected(server, "--psk", wrong, words=["the same key on both sides"])
            # Bots that wait for ticks do not wait for a bot that was rejected.
            rejected = run(TOOL, "bots", "--port", server.port, "--clients", "1", "--ticks", "5", "--seconds", "100000")
            self.assertEqual(rejected.returncode, 1, rejected.stdout)
            self.assertIn("requires a shared key", rejected.stderr)
            if VIEW.exists():
                view = run(VIEW, f"127.0.0.1:{server.port}", "--renderer", "none", "--timeout", "1",
                           "--duration", "1", "--psk", wrong)
                self.assertEqual(view.returncode, 1, view.stdout)
                self.assertIn("the same key on both sides", view.stderr)
            right.chmod(0o640)
            self.is_rejected(server, "--psk", right, words=[str(right), "chmod 600"], code=2)
            self.refused(SERVER, "--port", "0", "--psk", right, words=[str(right), "chmod 600"])

    def test_a_key_file_is_never_overwritten(self):
        file = self.folder / "psk"
        file.write_text("precious")
        for kind in ("psk", "key"):
            self.refused(TOOL, kind, "new", file, words=[str(file), "not overwritten"])
        self.assertEqual(file.read_text(), "precious")


class Modes(Access):
    def test_an_open_server_on_the_network_requires_insecure(self):
        for bind in ("0.0.0.0", "::"):
            self.refused(SERVER, "--bind", bind, "--port", "0", "--auth", "none", words=[bind, "--insecure"])
        with Server("--scene", "tower", "--bind", "0.0.0.0", "--insecure", "--keys", self.keys,
                    at="0.0.0.0") as server:
            self.is_admitted(server)

    def test_a_server_on_the_network_requires_a_token_by_default(self):
        with Server("--scene", "tower", "--bind", "0.0.0.0", "--keys", self.keys, at="0.0.0.0") as server:
            self.is_rejected(server, words=["requires a token"])
            self.is_admitted(server, "--token", self.issue()[0])

    def test_contradicting_access_options_are_refused(self):
        for options, words in [
            (["--auth", "maybe"], ["'maybe'", "token, psk, none"]),
            (["--auth", "psk"], ["--psk FILE", "jostle psk new"]),
            (["--auth", "token", "--psk", "f"], ["--psk", "token"]),
            (["--auth", "token", "--insecure"], ["--insecure", "token"]),
            (["--psk", "f", "--insecure"], ["--insecure", "psk"]),
        ]:
            with self.subTest(options=options):
                self.refused(SERVER, *options, words=words)
        self.refused(SERVER, "--auth", "token", words=["XDG_CONFIG_HOME", "--keys"],
                     env={"XDG_CONFIG_HOME": "", "HOME": ""})

    def test_loopback_servers_store_no_keys(self):
        before = sorted(os.listdir(CONFIG.name))
        for _ in range(2):
            with Server("--scene", "tower") as server:
                self.assertEqual(self.is_admitted(server), "")
        self.assertEqual(sorted(os.listdir(CONFIG.name)), before)


class KnownServers(Access):
    def test_a_server_key_is_stored_on_first_use_and_a_changed_one_is_refused(self):
        known = self.folder / "known"
        with Server("--scene", "tower", "--keys", self.keys) as server:
            port = server.port
            said = self.is_admitted(server, "--known-servers", known)
            self.assertIn(f"127.0.0.1:{port} is a new server", said)
            code, output = server.stop()
            fingerprint = output.split("fingerprint is ")[1].splitlines()[0]
            self.assertIn(fingerprint, said)
        with Server("--scene", "tower", "--keys", self.keys, port=port) as server:
            self.assertEqual(self.is_admitted(server, "--known-servers", known), "")
            server.stop()
        with Server("--scene", "tower", "--keys", self.folder / "others", port=port) as server:
            self.is_rejected(server, "--known-servers", known,
                           words=["another key than expected", fingerprint, f"{known}:2", "remove that line"])
            self.is_admitted(server)
            known.write_text(known.read_text().splitlines()[0] + "\n")
            self.assertIn("is a new server", self.is_admitted(server, "--known-servers", known))
            other = server.stop()[1].split("fingerprint is ")[1].splitlines()[0]
            self.assertNotEqual(other, fingerprint)

    def test_an_invalid_known_servers_file_is_reported_with_its_line(self):
        known = self.folder / "known"
        known.write_text("jostle-known-servers-1\n127.0.0.1:7777\n")
        self.refused(TOOL, *ONE_BOT, "--known-servers", known, words=[f"{known}:2", "HOST:PORT KEY"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
