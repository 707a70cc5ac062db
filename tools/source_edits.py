"""What nvcc takes in the text of a program and clang 14 does not: copies of the files in which it is put otherwise, which
clang reads in their place. Lines stay where they are."""
import json
import pathlib
import re

# clang 14 writes .pragma "nounroll" for "#pragma nounroll" alone, nvcc also for "#pragma unroll 1".
ONE_ROUND = re.compile(r"^(\s*#\s*pragma\s+)unroll\b[\s(]*1[\s)]*$", re.MULTILINE)

# nvcc takes a special register in inline PTX with operands as "%laneid", too; clang as "%%laneid" alone.
ASM = re.compile(r"\b(?:asm|__asm__|__asm)\b\s*(?:volatile\b|__volatile__\b)?\s*\(")
LITERAL = re.compile(r'(?:\s|\\\n|//[^\n]*|/\*.*?\*/)*"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
OPERANDS = re.compile(r"(?:\s|\\\n|//[^\n]*|/\*.*?\*/)*:", re.DOTALL)
PERCENT = re.compile(r"%%|%(?=[A-Za-z][A-Za-z_])")

# nvcc takes alignas behind the word for a space, clang in front of it.
ALIGNAS = re.compile(r"\b(__shared__|__device__|__constant__)(\s+)(alignas\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))")

# Files of Debian's libcu++ that need such edits, below the folders of headers. In complex, definitions lack the words
# that their declarations have.
LIBRARY_FILES = ("cuda/std/barrier", "cuda/std/chrono", "cuda/std/detail/libcxx/include/complex")
LIBRARY = re.compile(r"#\s*include\s*<(?:cuda|cub|thrust)/")
COMPLEX_OPERATOR = re.compile(r"(template<class _Tp>\n)(complex<_Tp>\noperator[*/]\(const complex<_Tp>& __z, const complex<_Tp>& __w\)\n\{)")


def escape_registers(text):
    pieces, end = [], 0
    for start in ASM.finditer(text):
        literals, at = [], start.end()
        while found := LITERAL.match(text, at):
            literals.append(found)
            at = found.end()
        if start.start() < end or not literals or not OPERANDS.match(text, at):
            continue
        for found in literals:
            pieces += [text[end:found.start(1)], PERCENT.sub("%%", found[1])]
            end = found.end(1)
    return "".join(pieces) + text[end:]


def edit(text):
    text = ONE_ROUND.sub(r"\1nounroll", text)
    if "alignas" in text:
        text = ALIGNAS.sub(r"\3\2\1", text)
    if "operator*(const complex<_Tp>& __z" in text:
        text = COMPLEX_OPERATOR.sub(r"\1inline _LIBCUDACXX_INLINE_VISIBILITY \2", text)
    return escape_registers(text) if "%" in text and "asm" in text else text


def overlay(texts, folders, scratch):
    """Options with which clang reads the files that need it otherwise. `texts`: of the program's files, by path;
    `folders`: of headers."""
    files = dict(texts)
    if any(LIBRARY.search(text) for text in texts.values()):
        for path in (pathlib.Path(folder) / name for folder in folders for name in LIBRARY_FILES):
            if path.is_file():
                files[path] = path.read_text(errors="surrogateescape")
    roots = []
    for file, text in files.items():
        edited = edit(text)
        if edited == text:
            continue
        copy = scratch / f"edited_{len(roots)}"
        copy.write_text(edited, errors="surrogateescape")
        roots.append({"type": "file", "name": str(file.absolute()), "external-contents": str(copy)})
    if not roots:
        return []
    listing = scratch / "edited.json"
    listing.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": roots}))
    return ["-ivfsoverlay", listing]
