"""Gives programs __managed__ variables with clang, which knows none: the host half reaches them through pointers, as nvcc's does.

`__managed__` puts a variable into a section (host_defines.h), by which LLVM IR tells it from others. In the host's IR, as the
front end makes it, each such variable becomes a pointer that the runtime sets before the program's main function, and each
function that uses the variable loads the pointer first. In PTX the variable gets the attribute .managed.
"""
import re

SECTION = "heddle_managed"
VARIABLE = re.compile(rf'^@(?P<name>[\w$.]+) = (?P<linkage>.*?)(?:addrspace\(\d\) )?(?:externally_initialized )?global '
                      rf'(?P<value>.*), section "{SECTION}", (?:(?P<comdat>comdat\S*), )?align \d+.*$', re.MULTILINE)
DEFINE = re.compile(r"^define .*\{\s*$")
LABEL = re.compile(r'^(?:[-\w$.]+|"[^"]+"):')
CONSTANT = re.compile(r"\b(?:getelementptr(?: inbounds| nuw| nusw)*|bitcast|addrspacecast|ptrtoint|inttoptr|add(?: nuw| nsw)*|sub(?: nuw| nsw)*|"
                      r"mul(?: nuw| nsw)*|icmp \w+)\s*$")
REGISTERED = re.compile(r"@__cudaRegisterVar\((?P<handle>\S+ %\w+, )(?P<variable>.*?@(?P<name>[\w$.]+).*?)(?P<rest>, (?:i8\*|ptr) .*)$")
DECLARATIONS = """declare void @__cudaRegisterManagedVar(i8**, i8**, i8*, i8*, i32, i64, i32, i32)
declare i8 @__cudaInitModule(i8**)"""
TEXT = re.compile(r'c"[^"]*"')  # which has its own quotes as \22
WHOLE = re.compile(r"^\s+call void @__cudaRegisterFatBinaryEnd\((?P<handle>\S+ %\w+)\)")


class Unsupported(Exception):
    """What cannot be done with a variable, for the user."""


def are_used(texts):
    return any(re.search(r"\b__managed__\b", text) for text in texts)


def names_in(ir):
    return [m["name"] for m in VARIABLE.finditer(ir)]


def mark(ptx, names):
    """PTX whose variables of these names are managed."""
    for name in names:
        ptx = re.sub(rb"^(?P<head>\.(?:visible|extern|weak) \.global )(?P<rest>\.align \d+ \.\w+ " + re.escape(name).encode() + rb"[\[; ])",
                     rb"\g<head>.attribute(.managed) \g<rest>", ptx, flags=re.MULTILINE)
    return ptx


def type_of(value):
    """The type at the begin of `TYPE` or `TYPE INITIALISER`."""
    depth = 0
    for at, c in enumerate(value):
        depth += (c in "([{<") - (c in ")]}>")
        if c == " " and depth == 0:
            return value[:at]
    return value


def uses(text, name):
    return [m.start() for m in re.finditer(rf"@{re.escape(name)}(?![\w$.])", text)]


def expression_around(line, at):
    """Begin and end of the largest constant expression that holds a place; None: there is none."""
    found, depth = None, 0
    for begin in range(at, -1, -1):
        if line[begin] == ")":
            depth += 1
        elif line[begin] == "(" and depth:
            depth -= 1
        elif line[begin] == "(":
            word = CONSTANT.search(line[:begin])
            if word is None:
                break
            found = word.start(), begin
    if found is None:
        return None
    depth = 0
    for end in range(found[1], len(line)):
        depth += (line[end] == "(") - (line[end] == ")")
        if depth == 0:
            return found[0], end + 1
    return None


class Function:
    """The lines of one function, in which variables become pointers that are loaded at its begin."""

    def __init__(self, types, opaque):
        self.types = types
        self.opaque = opaque
        self.loaded = {}  # by variable
        self.begin = []   # lines for the begin of the function

    def pointer_to(self, name):
        if name not in self.loaded:
            self.loaded[name] = f"%{name}.managed.{len(self.begin)}"
            kind = "ptr" if self.opaque else f"{self.types[name]}*"
            self.begin.append(f"  {self.loaded[name]} = load {kind}, {'ptr' if self.opaque else kind + '*'} @{name}.managed, align 8")
        return self.loaded[name]

    def computed(self, expression):
        """The name of the value of a constant expression, which instructions at the begin compute."""
        head, inner = expression.split("(", 1)
        inner = self.without_variables(inner[:-1])
        value = f"%managed.{len(self.begin)}"
        self.begin.append(f"  {value} = {head.strip()} {inner}")
        return value

    def without_variables(self, text):
        for name in self.types:
            while places := uses(text, name):
                place = expression_around(text, places[0])
                if place is None:
                    text = text[:places[0]] + self.pointer_to(name) + text[places[0] + len(name) + 1:]
                else:
                    text = text[:place[0]] + self.computed(text[place[0]:place[1]]) + text[place[1]:]
        return text


def edit_function(lines, types, opaque):
    function = Function(types, opaque)
    body = []
    for line in lines[1:]:
        registered = REGISTERED.search(line)
        if registered and registered["name"] in types:
            of = registered["name"]
            pointer = f"ptr @{of}.managed" if opaque else f"i8** bitcast ({types[of]}** @{of}.managed to i8**)"
            body.append(f"  call void @__cudaRegisterManagedVar({registered['handle']}{pointer}{registered['rest']}")
            continue
        body.append(function.without_variables(line))
        if whole := WHOLE.match(line):  # the pointers are set before the program's own code runs
            body.append(f"  %managed.are.set = call i8 @__cudaInitModule({whole['handle']})")
    if body and LABEL.match(body[0]):
        return [lines[0], body[0], *function.begin, *body[1:]]
    return [lines[0], *function.begin, *body]


def edit_host(ir):
    """The host's IR, with pointers for its managed variables."""
    variables = list(VARIABLE.finditer(ir))
    if not variables:
        return ir
    types = {v["name"]: type_of(v["value"]) for v in variables}
    opaque = re.search(r"^declare .*\bptr\b", ir, re.MULTILINE) is not None
    out, function = [], None
    for line in ir.split("\n"):
        variable = VARIABLE.match(line)
        if variable:
            out.append(pointer_variable(variable, types, opaque))
        elif function is None and DEFINE.match(line):
            function = [line]
        elif function is not None and line == "}":
            out += edit_function(function, types, opaque) + [line]
            function = None
        elif function is not None:
            function.append(line)
        elif not line.startswith("declare void @__cudaRegisterManagedVar("):  # clang declares another runtime's
            code = TEXT.sub("", line)
            if name := next((n for n in types if uses(code, n)), None):
                raise Unsupported(f"the first value of another variable is the address of the __managed__ variable {name}, which is "
                                  "known when the program runs: assign it in a function")
            out.append(line)
    out.append(re.sub(r"i8\*+", "ptr", DECLARATIONS) if opaque else DECLARATIONS)
    return "\n".join(out)


def pointer_variable(variable, types, opaque):
    kind = "ptr" if opaque else f"{types[variable['name']]}*"
    is_defined = variable["value"] != types[variable["name"]]
    comdat = f", comdat(${variable['name']})" if variable["comdat"] else ""
    return f"@{variable['name']}.managed = {variable['linkage']}global {kind}{' null' if is_defined else ''}{comdat}, align 8"
