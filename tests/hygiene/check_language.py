#!/usr/bin/env python3
"""Checks that comments, messages and documentation are written in plain English.

usage: check_language.py SOURCE_DIR [PATH...]
Rules, which docs/STYLE.md explains:
  headless  no comment starts with a relative clause or a bare "of"; no sentence starts with "Who" or "What"
  persons   programs, peers and bodies are not spoken of as persons
  length    no sentence of a comment or of documentation has more than 45 words
With PATHs it checks only those files and folders. Data files, pictures and generated pages are not read.
"""
import re
import subprocess
import sys
from pathlib import Path

import language_text as extract

MAX_WORDS = 45
HEADLESS_BLOCK = re.compile(r"^(What|Whatever|Who|Whoever|Whom|Whose|Of|Where|Wherever|Which|How|That which)\b(?!-)")
HEADLESS_SENTENCE = re.compile(r"^(What|Whatever|Who|Whoever|Whom|Whose)\b(?!-)")
PERSON = re.compile(r"\b(somebody|someone|anybody|anyone|nobody|everybody|everyone|whoever|whom|himself|herself|he|she|his|him)\b", re.I)
PEOPLE = (r"(?:people|persons?|users?|players?|readers?|authors?|developers?|operators?|contributors?|attackers?|"
          r"maintainers?|newcomers?|friends?|researchers?|engineers?|those|humans?|strangers?|insiders?|reporters?)")
WHO = re.compile(r"\bwho\b", re.I)
WHO_OF_PEOPLE = re.compile(r"\b" + PEOPLE + r"(?:[ ,]+[\w'-]+){0,3}[ ,]+who\b", re.I)
WHO_IN_QUESTION = re.compile(r"\bwho\b[^.!?]*\?", re.I)
CODE_SPAN = re.compile(r"`[^`]*`|\]\([^)]*\)|https?://\S+")
SOURCES = {".h", ".cpp", ".c", ".fbs"}
SCRIPTS = {".sh", ".cmake"}


def read(path):
    return path.read_text(errors="replace")


def tracked_files(source, paths):
    try:
        output = subprocess.run(["git", "-C", source, "ls-files", "--", *paths], capture_output=True,
                                text=True, check=True).stdout
        return [source / name for name in output.split("\n") if name]
    except (subprocess.CalledProcessError, FileNotFoundError):  # an unpacked archive has no git
        roots = [source / path for path in paths] or [source]
        return [p for root in roots for p in ([root] if root.is_file() else sorted(root.rglob("*"))) if p.is_file()]


def comment_blocks(path, text):
    if path.suffix in SOURCES:
        return extract.cpp_comments(text)
    if path.suffix == ".py":
        return extract.python_comments(text)
    if path.suffix in SCRIPTS or path.name in ("CMakeLists.txt", "run"):
        return extract.hash_comments(text)
    return []


def words(text):
    return re.findall(r"[\w'`/.-]*\w[\w'`/.-]*", text)


def persons(text):
    """Returns the words that speak of a program, a peer or a body as if it were a person."""
    plain = CODE_SPAN.sub(" ", text)
    found = [match.group() for match in PERSON.finditer(plain)]
    plain = WHO_IN_QUESTION.sub(" ", WHO_OF_PEOPLE.sub(" ", plain))
    return found + [match.group() for match in WHO.finditer(plain)]


def check_block(block, is_comment):
    """Returns the problems of one block of prose, each as (line, rule, text)."""
    line, text = block[0][0], " ".join(part.strip() for _, part in block).strip()
    problems = []
    if is_comment and HEADLESS_BLOCK.match(text) and not extract.sentences(text)[0].endswith("?"):
        problems.append((line, "headless", text))
    else:
        for sentence in extract.sentences(text):
            if HEADLESS_SENTENCE.match(sentence) and not sentence.rstrip(")*_\"'").endswith("?"):
                problems.append((line, "headless", sentence))
    for number, part in block:
        for word in persons(part):
            problems.append((number, f"persons ({word})", part))
    for run in extract.prose_runs(block):
        for sentence in extract.sentences(CODE_SPAN.sub("`code`", run)):
            if len(words(sentence)) > MAX_WORDS:
                problems.append((line, f"length ({len(words(sentence))} words)", sentence))
    return problems


def check_file(path):
    text, problems, checked = read(path), [], 0
    if path.suffix == ".md":
        for block in extract.doc_paragraphs(text):
            checked += 1
            problems += check_block(block, False)
        for number, cell in extract.doc_cells(text):
            problems += check_block([(number, cell)], False)
        return checked, problems
    for block in comment_blocks(path, text):
        checked += 1
        problems += check_block(block, True)
    if path.suffix in SOURCES:
        for number, literal in extract.cpp_strings(text):
            problems += [(number, f"persons ({word})", literal) for word in persons(literal) if " " in literal]
    return checked, problems


def main():
    source = Path(sys.argv[1]).resolve()
    checked, count = 0, 0
    for path in tracked_files(source, sys.argv[2:]):
        if not path.is_file() or "corpus" in path.parts:
            continue
        blocks, problems = check_file(path)
        checked += blocks
        count += len(problems)
        for line, rule, text in problems:
            print(f"{path.relative_to(source)}:{line}: {rule}: {text[:160]}")
    print(f"{checked} comment blocks and paragraphs, {count} problems")
    return 1 if count or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
