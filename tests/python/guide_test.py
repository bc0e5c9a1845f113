#!/usr/bin/env python3
"""Runs the snippets of docs/PYTHON.md, which form one program. usage: guide_test.py SOURCE_DIR"""
import os
import re
import sys
import tempfile
from pathlib import Path

text = (Path(sys.argv[1]) / "docs/PYTHON.md").read_text()
snippets = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
if len(snippets) < 8:
    sys.exit(f"only {len(snippets)} snippets found")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    exec(compile("\n".join(snippets), "docs/PYTHON.md", "exec"), {"__name__": "guide"})
    os.chdir("/")
