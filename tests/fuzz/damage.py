"""Damages words and files: each function takes a generator of random numbers, so that a seed makes the same damage."""
import re

NUMBERS = ["", "0", "-1", "1", "2", "3", "7", "00", "-0", "+1", "0x10", "1e9", "1e400", "1.5", "nan", "inf", "-inf", "63",
           "64", "65", "255", "256", "1000000", "2147483647", "2147483648", "4294967295", "4294967296",
           "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "9" * 40]
WORDS = [*NUMBERS, " ", "-", "--", "=", ".", "..", "/proc", "a" * 5000, "\udcff\udcfe", "\u0661\u0662", "\n", "'", '"', "%s%n",
         "{}", "{0}", "1KiB", "16EiB", "17179869184GiB", "true", "false", "none", "all", "failed", "0-0", "1-0", "5-2",
         "0-18446744073709551615", "1,1,1", "1,,1", "65536,65536,65536", "core.width=0", "core.width", "=1", ".=",
         "pipe.x.width=1", "buf:16", "buf:", "buf:hex=zz", "buf:18446744073709551615", "bytes:00", "tex:r32f:4x4:hex=00",
         "surf:u8:4:hex=00", "u8:300", "f64:1e999", "totals.cycles", "*", "*.toml", "-s", "-m", "--help", "--version"]
# Places that are not ordinary files, and where nothing can be lost or made.
PLACES = ["/dev/null", "/dev/full", "/proc/none/x", "folder", "empty", "loop",
          "a" * 300 + ".toml", "new/x.json"]


def spoil(rng, text):
    """A text with a change inside."""
    at = rng.randrange(len(text) + 1)
    kind = rng.randrange(5)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + rng.choice(WORDS) + text[at:]
    if kind == 2:
        return text[:at] + text[at + 1:]
    if kind == 3:
        numbers = list(re.finditer(r"\d+", text))
        if numbers:
            chosen = rng.choice(numbers)
            return text[:chosen.start()] + rng.choice(NUMBERS) + text[chosen.end():]
    return text[:at] + chr(rng.randrange(1, 256)) + text[at:]


def damage_words(rng, words, files):
    """A command line with some words changed, left out, repeated, or in another order."""
    words = list(words)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        at = rng.randrange(len(words))
        kind = rng.randrange(8)
        if kind == 0 and len(words) > 1:
            del words[at]
        elif kind == 1:
            words.insert(at, rng.choice(words))
        elif kind == 2:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = rng.choice(WORDS)
        elif kind == 4:
            words[at] = rng.choice(PLACES + files)
        elif kind == 5:
            words.insert(at + 1, rng.choice(WORDS))
        else:
            words[at] = spoil(rng, words[at])
    return [word.replace("\0", "") for word in words]


def nested(rng):
    """Something that opens many times and never closes."""
    return rng.choice([b"[", b"(", b"{", b"{\"a\":", b"a.", b"-", b"!", b"a=[", b"[[a", b"1+(", b"not "]) * rng.choice(
        [100, 5000, 100000])


def change(rng, content, other):
    """One change of a file's content; `other` is the content of another file."""
    at, to = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    kind = rng.randrange(12)
    if kind == 0 and content:
        flipped = bytearray(content)
        for _ in range(rng.choice([1, 1, 4, 32])):
            flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        return bytes(flipped)
    if kind == 1:
        return content[:at]
    if kind == 2:
        return content[:at] + content[to:]
    if kind == 3:
        return content[:to] + content[at:to] * rng.choice([1, 2, 50]) + content[to:]
    if kind == 4:
        begin, end = sorted(rng.randrange(len(other) + 1) for _ in range(2))
        return content[:at] + other[begin:end] + content[to:]
    if kind == 5:
        return content[:at] + nested(rng) + content[at:]
    if kind == 6:
        return content[:at] + rng.choice([b"\0", b"\xff\xfe", b"\n", b"\xc3", b"x" * 100000]) + content[at:]
    if kind == 7:
        lines = content.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    if kind == 8:
        return content.replace(b"\n", b"\r\n")
    return change_value(rng, content)


def change_value(rng, content):
    """Another value in the place of a number, a text in quotes or a word."""
    pattern = rng.choice([rb"-?\d[\d.]*", rb"-?\d[\d.]*", rb'"[^"\n]*"', rb"[A-Za-z_.]+"])
    found = list(re.finditer(pattern, content))
    if not found:
        return content
    chosen = rng.choice(found)
    new = rng.choice([rng.choice(WORDS).encode(errors="surrogateescape"), rng.choice(found).group(), b'"x"', b"[]", b"{}",
                      b"null", b"true"])
    return content[:chosen.start()] + new + content[chosen.end():]


def damage_file(rng, path, others):
    """Changes a file in place."""
    content = path.read_bytes()
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        content = change(rng, content, rng.choice(others).read_bytes())
    path.write_bytes(content)
