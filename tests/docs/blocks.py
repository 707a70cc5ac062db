"""The fenced blocks of a Markdown page, and the marks that say how the test runs them.

A mark is an HTML comment before a block; readers of the page do not see it. README.md beside this file describes marks.
"""
import dataclasses
import re
import shlex

# Blocks in these languages are code that heddle's own build or no test compiles; they need no mark, and may have one.
CODE = {"cmake", "cpp", "json", "ptx", "python", "sql", "toml"}
VERBS = {"run", "output of", "write", "not run", "no command"}
WITHOUT_TEXT = {"run", "no command"}


class PageError(Exception):
    pass


@dataclasses.dataclass
class Mark:
    verb: str
    text: str = ""                                    # the command of "output of", the name of "write", the reason of "not run"
    before: list = dataclasses.field(default_factory=list)   # commands that prepare, whose output is not compared
    instead: dict = dataclasses.field(default_factory=dict)  # command of the page: what the test runs
    status: int = 0                                   # exit status of the last command
    masks: list = dataclasses.field(default_factory=list)    # expressions of text that differs from run to run
    then: list = dataclasses.field(default_factory=list)     # commands that must succeed behind the block
    prints: list = dataclasses.field(default_factory=list)   # texts that the output of the block contains


@dataclasses.dataclass
class Block:
    page: str
    line: int       # of the fence, from 1
    language: str
    lines: list
    mark: Mark | None

    @property
    def place(self):
        return f"{self.page}:{self.line}"


@dataclasses.dataclass
class Step:
    """A command of a block, and the output that the page shows below it: None where the page shows none."""
    command: str
    expected: list | None = None
    at: int = 0  # index of the first of these lines in the block


def parse_mark(comment, place):
    """The mark of a comment, or None where the comment is none."""
    head, *rest = [line.strip() for line in comment.strip().split("\n")]
    verb, colon, text = head.partition(":")
    if verb not in VERBS:
        return None
    if bool(text.strip()) == (verb in WITHOUT_TEXT):
        raise PageError(f"{place}: the mark '{verb}' {'has no' if text.strip() else 'needs a'} text after it")
    mark = Mark(verb, text.strip())
    for line in filter(None, rest):
        key, colon, value = line.partition(": ")
        if " => " in line:
            command, _, other = line.partition(" => ")
            mark.instead[command.strip()] = other.strip()
        elif key == "before":
            mark.before.append(value)
        elif key == "then":
            mark.then.append(value)
        elif key == "status" and value.isdigit():
            mark.status = int(value)
        elif key == "mask":
            mark.masks.append(value)
        elif key == "prints":
            mark.prints.append(value)
        else:
            raise PageError(f"{place}: '{line}' is no line of a mark; they are: COMMAND => COMMAND, before: COMMAND, then: COMMAND, "
                            "status: NUMBER, mask: EXPRESSION, prints: TEXT")
    return mark


def read(page, text):
    """All fenced blocks of a page."""
    out, mark, lines, at = [], None, text.split("\n"), 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("<!--"):
            begin = at
            while "-->" not in lines[at]:
                at += 1
                if at == len(lines):
                    raise PageError(f"{page}:{begin + 1}: this comment has no end")
            comment = "\n".join(lines[begin:at + 1])
            mark = parse_mark(comment[4:comment.index("-->")], f"{page}:{begin + 1}")
        elif fence := re.match(r"(`{3,})(\w*)\s*$", line):
            begin = at
            at += 1
            while at < len(lines) and not lines[at].startswith(fence[1]):
                at += 1
            if at == len(lines):
                raise PageError(f"{page}:{begin + 1}: this block has no end")
            out.append(Block(page, begin + 1, fence[2], lines[begin + 1:at], mark))
            mark = None
        elif line.strip():
            if mark is not None:
                raise PageError(f"{page}:{at + 1}: the mark above is not followed by a block")
        at += 1
    return out


def is_complete(command):
    """Whether a shell would begin to run the command, or asks for another line of it."""
    if command.rstrip().endswith("\\"):
        return False
    try:
        shlex.split(command, comments=True)
    except ValueError:  # a quotation without end
        return False
    return True


def without_comment(command):
    """The command as marks name it: without the comment at the end of its lines, and on one line."""
    lines = [re.sub(r"\s+#\s.*$", "", line) for line in command.replace("\\\n", "\n").split("\n")]
    return " ".join(" ".join(lines).split())


def steps(block):
    """The commands of a block, each with the output below it."""
    if block.mark.verb == "output of":
        return [Step(block.mark.text, block.lines)]
    session = any(line.startswith("$ ") for line in block.lines)
    out, pending = [], None
    for at, line in enumerate(block.lines):
        begins = not session or line.startswith("$ ")
        if pending is not None:
            pending += "\n" + line
        elif begins and line.strip() and not line.startswith("#"):
            pending = line[2:] if session else line
        elif session and out:
            out[-1].expected.append(line)
        if pending is not None and is_complete(pending):
            out.append(Step(pending, [] if session else None, at + 1))
            pending = None
    if pending is not None:
        raise PageError(f"{block.place}: the last command has no end")
    if not out:
        raise PageError(f"{block.place}: the block has no command")
    for command in block.mark.instead:
        if not any(without_comment(step.command) == command for step in out):
            raise PageError(f"{block.place}: the mark names a command that the block does not have: {command}")
    return out


def unmarked(blocks):
    """Places of blocks that need a mark and have none."""
    return [block.place for block in blocks if block.mark is None and block.language not in CODE]
