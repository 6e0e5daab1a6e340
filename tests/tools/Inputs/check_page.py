# SPDX-License-Identifier: Apache-2.0
"""check_page.py PAGE WORK TOOLS [SECTION]: keeps a page's examples true.
check_page.py --holds PAGE FILE: fails unless a block of PAGE is FILE, but for
the comments that FILE begins with.

Runs the commands of each `sh` block of PAGE, or of its one section, from WORK,
where `build/bin` is TOOLS and the source tree's folders are in their places. A
command has to succeed. A block of another language behind an `sh` block quotes
what its last command prints: line after line, from the first to the last. A
line `...` stands for any lines, and ` ... ` within a line for any text.
"""

import pathlib
import re
import subprocess
import sys

FOLDERS = ("tests", "models", "examples", "docs", "compiler", "bench")


def section_of(text, title):
    """The text below a heading, up to the next of its level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    if not found:
        sys.exit(f"the page has no section '{title}'")
    rest = text[found.end():]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[:end.start()] if end else rest


def blocks_of(text):
    """Language and lines of each fenced block."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text,
                             re.MULTILINE | re.DOTALL):
        yield match[1], match[2].splitlines()


def commands_of(lines):
    """Commands without comments; a backslash joins lines."""
    joined = "\n".join(lines).replace("\\\n", " ")
    for line in joined.splitlines():
        command = re.sub(r"\s+# .*$", "", line).strip()
        if command and not command.startswith("#"):
            yield command


def run(command, work):
    done = subprocess.run(command, shell=True, cwd=work, text=True,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {command}\n{done.stderr}")
    return done.stdout


def pattern_of(line):
    parts = [re.escape(part) for part in re.split(r"\.\.\.", line.strip())]
    return re.compile(".*".join(parts))


def require_quoted(quoted, output, command):
    """Fails unless the output is as the page shows it."""
    printed = [line.strip() for line in output.strip().splitlines()]
    at, anywhere, segment = 0, False, []

    def place(at_end):
        nonlocal at
        last = len(printed) - len(segment)
        starts = range(at, last + 1) if anywhere else [at]
        if at_end:
            starts = [last] if last >= at and (anywhere or last == at) else []
        for start in starts:
            lines = printed[start:start + len(segment)]
            if len(lines) == len(segment) and all(
                    p.fullmatch(line) for p, line in zip(segment, lines)):
                at = start + len(segment)
                return
        shown = "\n".join(p.pattern.replace("\\", "") for p in segment)
        sys.exit(f"not in the output of '{command}', behind line {at}:\n{shown}")

    for line in quoted:
        if line.strip() == "...":
            place(at_end=False)
            anywhere, segment = True, []
        elif line.strip():
            segment.append(pattern_of(line))
        elif segment or not anywhere:
            segment.append(re.compile(""))
    if segment or not anywhere:
        place(at_end=True)


def require_file(page, file):
    lines = file.read_text().splitlines()
    while lines and lines[0].startswith("#"):
        del lines[0]
    if all(block != lines for _, block in blocks_of(page.read_text())):
        sys.exit(f"no block of {page.name} is {file.name}")


def main():
    if sys.argv[1] == "--holds":
        return require_file(*map(pathlib.Path, sys.argv[2:]))
    page, work, tools = map(pathlib.Path, sys.argv[1:4])
    text = page.read_text()
    if len(sys.argv) > 4:
        text = section_of(text, sys.argv[4])
    source = pathlib.Path(__file__).resolve().parents[3]
    work.joinpath("build").mkdir(parents=True)
    work.joinpath("build/bin").symlink_to(tools.resolve())
    for folder in FOLDERS:
        work.joinpath(folder).symlink_to(source / folder)
    count, output, command = 0, None, None
    for language, lines in blocks_of(text):
        if language == "sh":
            for command in commands_of(lines):
                output = run(command, work)
                count += 1
        elif output is not None:
            require_quoted(lines, output, command)
            output = None
    if count == 0:
        sys.exit("the page has no command")
    print(f"{count} commands do as {page.name} says")


if __name__ == "__main__":
    main()
