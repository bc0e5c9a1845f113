"""Measures a relay whose fragments nginx caches. Usage: python3 bench/web_audience.py BIN_DIR SOURCE_DIR
[--viewers N] [--seconds S] [--scene SCENE]. Needs nginx."""
import argparse
import collections
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

GATE_PORT, CACHE_PORT = 17780, 17781


def first_match(process, pattern):
    for line in process.stdout:
        found = re.search(pattern, line)
        if found:
            return found
    sys.exit(f"{process.args[0]} has ended")


def cpu_seconds(process):
    """Returns the CPU time of a process and its children."""
    total = 0.0
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for pid in [str(process.pid), *children]:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def write_config(folder, source):
    text = (source / "packaging/nginx/jostle-relay.conf").read_text()
    for old, new in (("listen 80;", f"listen 127.0.0.1:{CACHE_PORT} backlog=16384;"),
                     ("/var/cache/nginx/jostle", f"{folder}/cache"), ("127.0.0.1:7780", f"127.0.0.1:{GATE_PORT}")):
        assert old in text, old
        text = text.replace(old, new)
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in
                     ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = folder / "nginx.conf"
    config.write_text(f"""daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/error.log;
worker_processes 1; worker_rlimit_nofile 40000; events {{ worker_connections 20000; }}
http {{ log_format cached "$upstream_cache_status"; access_log {folder}/access.log cached buffer=64k flush=1s;
keepalive_timeout 60; keepalive_requests 1000000; {paths}
{text} }}""")
    return config


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--viewers", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--scene", default="crates")
    options = parser.parse_args()
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    processes = []

    def start(*command):
        processes.append(subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True))
        return processes[-1]

    with tempfile.TemporaryDirectory(prefix="jostle_audience_") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            server = start(options.bin / "jostled", "--scene", options.source / "scenes" / f"{options.scene}.scene.json",
                           "--port", 0)
            port = first_match(server, r"listening at 127\.0\.0\.1:(\d+)")[1]
            gate = start(options.bin / "jostle-gate", "--listen", f"127.0.0.1:{GATE_PORT}", "--relay",
                         f"main=127.0.0.1:{port}")
            first_match(gate, "Watch: ")
            cache = start(nginx, "-c", write_config(folder, options.source), "-p", folder)
            time.sleep(5)
            live = f"http://127.0.0.1:{CACHE_PORT}/relay/live.json"
            print("live.json:", urllib.request.urlopen(live).read().decode().strip())
            before = [cpu_seconds(process) for process in (server, gate, cache)]
            began = time.monotonic()
            subprocess.run([str(options.bin / "jostle"), "bench", "audience", "--server", f"127.0.0.1:{CACHE_PORT}",
                            "--viewers", str(options.viewers), "--seconds", str(options.seconds)], check=True)
            passed = time.monotonic() - began
            after = [cpu_seconds(process) for process in (server, gate, cache)]
            for label, a, b in zip(("server", "gate", "nginx"), before, after):
                print(f"CPU time of {label:<10} {100 * (b - a) / passed:.0f} % of a core")
            time.sleep(1.5)
            counts = collections.Counter((folder / "access.log").read_text().split())
            total = sum(counts.values())
            origin = total - counts["HIT"] - counts["STALE"] - counts["UPDATING"]
            print(f"requests to nginx      {total}, of which {origin} reached the gate: {dict(counts)}")
        finally:
            for process in reversed(processes):
                process.terminate()
                process.communicate()


if __name__ == "__main__":
    main()
