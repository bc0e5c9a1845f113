#!/usr/bin/env python3
"""Finds includes of undeclared rooms, and third-party headers included outside of their allowed files.

usage: check_layers.py SOURCE_DIR ROOMS_FILE
ROOMS_FILE is written by cmake/Room.cmake: a line "path|dependency,dependency" per room.
"""
import re
import sys
from pathlib import Path

# Each entry has a pattern of header names, and a pattern of the files that may include them.
THIRD_PARTY = [
    (r"enet/", r"shared/net/enet_\w+\.(h|cpp)|tests/net/bare_enet_test\.cpp|tests/api/enet_test\.cpp"),
    (r"sodium\.h", r"shared/crypto/detail/sodium\.h"),
    (r"SDL", r"client/(app|render|controls|panels|settings)/|tests/client_(app|settings)/"),
    (r"(imgui|backends/imgui)", r"client/panels/"),
    (r"png\.h", r"client/render/|tests/client_app/"),
    (r"asio", r"server/|api/server/|tools/|client/preview/scene_preview\.cpp"),
    (r"(boost|openssl)/", r"shared/http/(server\.cpp|boost_sources\.cpp|connection\.cpp|byte_stream|web_socket|detail/)|gate/|tools/(web_client|load)/|tests/gate/"),
    (r"flatbuffers/", r"protocol/\w+_codec\.cpp|protocol/detail/|shared/scene/"),
    (r"zstd\.h", r"shared/compression/compression\.cpp"),
    (r"utf8proc\.h", r"shared/unicode/normalization\.cpp"),
    (r"CLI/", r"shared/command_line/(checks|command_line|describe)\.cpp"),
    (r"toml\+\+/", r"client/settings/toml_reader\.cpp"),
    (r"tiny_gltf\.h", r"tools/gltf/model_builder\.cpp"),
    (r"(gtest|gmock)/", r"tests/"),
    (r"benchmark/", r"bench/"),
    (r"(bt\w+\.h|Bullet)", r"tools/bench/(detail/)?bullet_\w+\.(h|cpp)"),
]
# Interfaces of the operating system: sockets, files, processes.
PLATFORM = r"(sys|arpa|netinet)/|(unistd|fcntl|poll|netdb|time|errno|signal)\.h"
PLATFORM_HOME = r"shared/journal/system_files\.cpp|server/(line_output|available_memory|status_log)\.cpp|shared/(net|host_names|gate_link)/|shared/http/web_socket_session\.cpp|gate/|server/(gate_process|web_access)\.(h|cpp)|shared/bisect/child_process\.(h|cpp)|api/server/recording_traces\.cpp|client/app/|api/client/client_host\.cpp|tests/|tools/|server/main\.cpp"
# Files that may start or pause threads. `./run test --full tsan` runs the tests of these rooms.
THREADS = r"(thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|latch|barrier)"
THREADS_HOME = (r"shared/physics/(workers/|solver/solve_clusters\.cpp)|shared/journal/|tests/(base|physics|net|tools|api|journal)/|shared/base/optional_memory\.cpp"
                r"|api/(base/(handle_table\.h|log\.cpp)|include/jostle/log\.hpp|client/client_host\.cpp|server/server_host\.cpp)"
                r"|server/(main|line_output|scene_loader|state_hasher|token_store)\.(h|cpp)|shared/bisect/bisect\.cpp|client/app/(headless|viewer_session|viewer)\.cpp"
                r"|client/preview/scene_preview\.cpp|tests/client_preview/")
# Rooms that compute results use no clock, no libm trigonometry and no unspecified iteration order.
BANNED_IN_RESULTS = {
    r"<chrono>": "a clock",
    r"<random>": "distributions differ between standard libraries",
    r"<unordered_(map|set)>": "iteration order differs between standard libraries",
    r"<thread>": "threads stay in the worker pool",
}
RESULT_ROOMS = {"shared/math", "shared/geometry", "shared/forces", "shared/physics", "shared/character",
                "shared/reference", "shared/sim", "shared/state", "shared/prediction_baseline"}
LIBM = re.compile(r"\bstd::(sin|cos|tan|asin|acos|atan|atan2|exp|exp2|log|log2|pow|cbrt|hypot|fma|fmod|remainder)\s*\(")
# Scheduling must not reach results. Sizes of pieces and batches, and counts of threads, may be used only to divide
# work: in the statements and files below.
SCHEDULE = re.compile(r"\b\w+_per_(?:piece|batch|range|thread)\b|\bm(?:ax|in)_cluster_weight\b")
SCHEDULE_USE = re.compile(r"constexpr|for_each_(?:piece|range)|\.resize\(|\bpiece \*|std::clamp|most <= ")
SCHEDULE_READS = re.compile(r"\bthreads\(\)|\bis_large\b|\bcluster_weight\b")
SCHEDULE_HOME = (r"shared/physics/(workers/|detail/ranges\.h|execution\.h|world/world\.cpp|islands/(clusters\.cpp|cluster_lists\.h)|"
                 r"solver/solve_clusters\.cpp)")
# Folders of the engine that compute from their arguments alone: they do not see the state of the world, not even through
# another header.
WITHOUT_WORLD = ("shared/physics/collision/", "shared/physics/solver/kernels/")
WORLD_STATE = "shared/physics/detail/world_state.h"
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"][^>"]+[>"])')


def read_rooms(path):
    rooms = {}
    for line in Path(path).read_text().splitlines():
        if line:
            room, _, depends = line.partition("|")
            rooms[room] = set(filter(None, depends.split(",")))
    return rooms


def room_of(file, rooms):
    """Returns the innermost room that contains the file."""
    best = None
    for room in rooms:
        if file.startswith(room + "/") and (best is None or len(room) > len(best)):
            best = room
    return best


def check_schedule(file, text):
    """Returns the uses of scheduling constants that do more than divide work."""
    problems = []
    if not file.startswith("shared/physics/") or re.match(r"shared/physics/(workers/|detail/ranges\.h)", file):
        return problems
    code = "\n".join(line.split("//")[0] for line in text.splitlines())
    for statement in re.finditer(r"[^;{}]+", code):
        found = SCHEDULE.search(statement[0])
        if found and not SCHEDULE_USE.search(statement[0]):
            number = code.count("\n", 0, statement.start() + found.start()) + 1
            problems.append(f"{file}:{number}: {found[0]} may only divide work among threads")
    found = SCHEDULE_READS.search(code)
    if found and not re.match(SCHEDULE_HOME, file):
        number = code.count("\n", 0, found.start()) + 1
        problems.append(f"{file}:{number}: {found[0]} may only divide work among threads")
    return problems


def check_file(source, file, rooms):
    problems = []
    room = room_of(file, rooms)
    text = (source / file).read_text()
    problems += check_schedule(file, text)
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{file}:{number}"
        if room in RESULT_ROOMS and LIBM.search(line.split("//")[0]):
            problems.append(f"{where}: libm differs between machines; use shared/math/trig.h")
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        bare = name[1:-1]
        if room in RESULT_ROOMS:
            for pattern, why in BANNED_IN_RESULTS.items():
                if re.fullmatch(pattern, name):
                    problems.append(f"{where}: {name} in {room}: {why}")
        if name[0] == '"':
            if bare.endswith("_generated.h"):
                if not re.match(r"protocol/\w+_codec\.cpp|shared/scene/", file):
                    problems.append(f"{where}: generated code stays in codecs: {bare}")
                continue
            if not (source / bare).is_file():
                problems.append(f"{where}: write includes relative to the repository's root: {bare}")
                continue
            target = room_of(bare, rooms)
            if room is None or target is None or target == room:
                continue
            if target not in rooms[room]:
                problems.append(f"{where}: {room} does not list {target} ({bare})")
            continue
        for pattern, home in THIRD_PARTY:
            if re.match(pattern, bare) and not re.match(home, file):
                problems.append(f"{where}: <{bare}> belongs in {home}")
        if re.match(PLATFORM, bare) and not re.match(PLATFORM_HOME, file):
            problems.append(f"{where}: <{bare}> belongs behind net::Io ({PLATFORM_HOME})")
        if re.fullmatch(THREADS, bare) and not re.match(THREADS_HOME, file):
            problems.append(f"{where}: <{bare}> belongs in {THREADS_HOME}")
    return problems


def check_world(source):
    """Returns the files of WITHOUT_WORLD that see the state of the world, with the chain of includes."""
    problems = []
    for folder in WITHOUT_WORLD:
        for path in sorted((source / folder).rglob("*")):
            chains = [[str(path.relative_to(source))]] if path.suffix in (".h", ".cpp") else []
            seen = set()
            while chains:
                chain = chains.pop()
                if chain[-1] == WORLD_STATE:
                    problems.append(f"{folder} may not see {WORLD_STATE}: {' includes '.join(chain)}")
                    break
                for name in re.findall(r'^\s*#\s*include "(shared/physics/[^"]+)"', (source / chain[-1]).read_text(), re.MULTILINE):
                    if name not in seen:
                        seen.add(name)
                        chains.append([*chain, name])
    return problems


def check_dependencies(rooms):
    """Returns the dependencies that are not rooms. CMake rejects those on rooms that are added later."""
    problems = []
    for room, depends in rooms.items():
        for dependency in depends:
            if dependency not in rooms:
                problems.append(f"{room}: unknown dependency {dependency}")
    return problems


def main():
    source, rooms = Path(sys.argv[1]), read_rooms(sys.argv[2])
    problems = check_dependencies(rooms) + check_world(source)
    count = 0
    for top in ("shared", "api", "protocol", "server", "client", "tools", "tests", "bench", "examples"):
        for path in sorted((source / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                problems += check_file(source, str(path.relative_to(source)), rooms)
                count += 1
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(rooms)} rooms, {len(problems)} problems")
    if count == 0 or not rooms:
        print("no files or no rooms found: check the arguments SOURCE_DIR and ROOMS_FILE")
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
