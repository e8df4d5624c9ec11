"""Makes sets of requirements, code and known links out of projects that mark requirements in their own source.

Each maker takes an unpacked source distribution and writes `requirements/`, `code/` (markers stripped) and
`gold.csv` (`requirement,path` per line) into a folder of its own: what it reads and writes stays out of the
repository. Sets so made are for fitting the calibration; their links say what somebody wrote down, not all that
is true.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import yaml

from benchmarks.traceability import marked, planned

Gold = set[tuple[str, str]]


def write(folder: Path, requirements: dict[str, str], code: dict[str, str], gold: Gold) -> None:
    """Write one set; requirements without a link and links without either end are left out."""
    gold = {(name, path) for name, path in gold if name in requirements and path in code}
    linked = {name for name, _ in gold}
    for name in sorted(linked):
        place = folder / "requirements" / f"{name}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(requirements[name], "utf-8")
    for path, text in code.items():
        place = folder / "code" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    lines = [f"{name},{path}\n" for name, path in sorted(gold)]
    (folder / "gold.csv").write_text("".join(lines), "utf-8")


def sources(folder: Path) -> Iterator[tuple[str, str]]:
    """Path (relative, with `/`) and text of each Python file that says something."""
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text("utf-8", errors="replace")
        if len(text) > 200:
            yield file.relative_to(folder).as_posix(), text


def _parts(text: str, heading: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each heading with the text down to the next one."""
    heads = list(heading.finditer(text))
    for index, head in enumerate(heads):
        yield head, text[head.end() : heads[index + 1].start() if index + 1 < len(heads) else len(text)]


# backstitch: sections of docs/specs bear an id, docstrings name the ids that a module implements.
_SECTION = re.compile(r"^(#{2,4}) (.+?) \[([A-Z]+-[\d.]+)\]\s*$", re.MULTILINE)
_SPEC_LINE = re.compile(r"^[ #]*Spec: ?docs/specs/.*(?:\n[ #]*\[[A-Z]+-.*)*", re.MULTILINE)
_MARK = re.compile(r"\[([A-Z]+-\d[\d.]*)\]")
_MAPPING = re.compile(r"^_(?:Implementation|Verification|Test) mapping_:\n(?:\n|[-* ].*\n)*", re.MULTILINE)


def backstitch(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """Sections of the specification, and the modules whose `Spec:` lines name them."""
    requirements: dict[str, str] = {}
    for page in sorted((folder / "docs/specs").glob("*.md")):
        text = page.read_text("utf-8")
        for head, body in _parts(text, _SECTION):
            body = _MARK.sub("", _MAPPING.sub("", re.sub(r"`[\w/.-]+\.py[\w:.]*`", "", body)))
            requirements[head[3]] = f"{head[2].lstrip('0123456789. ')}\n{body.strip()}\n"
    code: dict[str, str] = {}
    gold: Gold = set()
    for path, text in sources(folder / "backstitch"):
        for line in _SPEC_LINE.findall(text):
            gold.update((mark, path) for mark in _MARK.findall(line))
        code[path] = _MARK.sub("", _SPEC_LINE.sub("", text))
    return requirements, code, gold


# reqstool: requirements and verification cases in YAML, decorators in code and tests.
def reqstool(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """Requirements, and the modules whose functions are decorated with them."""
    return _decorated(folder, "requirements.yml", "requirements", "src", "Requirements")


def reqstool_tests(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """Verification cases, and the test modules that are decorated with them."""
    return _decorated(folder, "software_verification_cases.yml", "cases", "tests", "SVCs")


def _decorated(
    folder: Path, page: str, key: str, code_folder: str, decorator: str
) -> tuple[dict[str, str], dict[str, str], Gold]:
    document = yaml.safe_load((folder / "docs/reqstool" / page).read_text("utf-8"))
    requirements = {
        each["id"]: f"{each['title']}\n{each.get('description', '')}\n{each.get('rationale', '')}"
        for each in document[key]
    }
    marker = re.compile(rf"^ *@{decorator}\(([^)]*)\)\n", re.MULTILINE)
    code: dict[str, str] = {}
    gold: Gold = set()
    for path, text in sources(folder / code_folder):
        for named in marker.findall(text):
            gold.update((name, path) for name in re.findall(r"\w+_\d+", named))
        code[path] = re.sub(r"\b(?:REQ|SVC)_\d+\b", "", marker.sub("", text))
    return requirements, code, gold


# pyTRLCConverter: requirements in TRLC, comments that name them.
_RECORD = re.compile(r"\bSwReq\w*\s+(\w+)\s*\{(.*?)\n\s*\}", re.DOTALL)
_TEXT = r"\s*=\s*(?:\'\'\'(.*?)\'\'\'|\"((?:[^\"\\]|\\.)*)\")"
_QUOTE = '\\"'
_COMMENT = re.compile(r"^\s*# lobster-trace: .*\n", re.MULTILINE)


def trlc_converter(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """Software requirements (description and note), and the modules whose comments name them."""
    requirements: dict[str, str] = {}
    for name, body in _RECORD.findall((folder / "trlc/swe-req/swe-req.trlc").read_text("utf-8")):
        said = [re.search(field + _TEXT, body, re.DOTALL) for field in ("description", "note")]
        texts = [m[1] or m[2].replace(_QUOTE, '"') for m in said if m]
        requirements[name] = "".join(f"{' '.join(text.split())}\n" for text in texts)
    code: dict[str, str] = {}
    gold: Gold = set()
    for path, text in sources(folder / "src/pyTRLCConverter"):
        for comment in _COMMENT.findall(text):
            gold.update((name, path) for name in re.findall(r"SwRequirements\.(\w+)", comment))
        code[path] = _COMMENT.sub("", text)
    return requirements, code, gold


# Any repository: what a commit says it does, and the files that it changed.
def commits(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """Subjects of commits that changed one to eight Python files, and these files as they are now."""
    log = subprocess.run(
        ["git", "log", "--no-merges", "--name-only", "--format=%x00%h%n%s"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    code = {
        path: text
        for path, text in sources(folder)
        if not path.startswith((".venv/", "benchmarks/.work/", "specs_examples/", "tests/"))
    }
    requirements: dict[str, str] = {}
    gold: Gold = set()
    for entry in log.split("\0")[1:]:
        name, subject, *paths = [line for line in entry.splitlines() if line]
        changed = [path for path in paths if path in code]
        if 1 <= len(changed) <= 8:
            requirements[name] = f"{subject}\n"
            gold.update((name, path) for path in changed)
    return requirements, code, gold


# Any package with a manual in reStructuredText: its sections, and the modules that they refer to.
_TITLE = re.compile(r"^(\S.*)\n([=\-~^'\"*+#`])\2{2,}$", re.MULTILINE)
_ROLE = re.compile(r":(?:py:)?(?:mod|class|func|meth|attr|exc|data|obj|ref|doc|setting):`([^`]*)`")
_DIRECTIVE = re.compile(
    r"^ *\.\. (?:auto)?(?:module|currentmodule|class|function|method|exception|data|attribute)::(.*)$",
    re.MULTILINE,
)
_CODE = re.compile(
    r"^ *\.\. (?:code-block|literalinclude|toctree|versionadded|versionchanged)::.*\n(?:\s*\n| {3,}.*\n)*"
    r"|^(?: {4,}.*\n)+|^.*>>>.*$",
    re.MULTILINE,
)


def manual(docs: str, package: str) -> Callable[[Path], tuple[dict[str, str], dict[str, str], Gold]]:
    """A maker for a package whose manual lies in the folder `docs`."""

    def make(folder: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
        code = {f"{package}/{path}": text for path, text in sources(folder / package)}
        files = {path[:-3].replace("/", ".").removesuffix(".__init__"): path for path in code}
        requirements: dict[str, str] = {}
        gold: Gold = set()
        pages = [*(folder / docs).rglob("*.rst"), *(folder / docs).rglob("*.txt")]
        for page in sorted(pages):
            text = page.read_text("utf-8", errors="replace")
            for head, body in _parts(text, _TITLE):
                named = [*_ROLE.findall(body), *_DIRECTIVE.findall(body)]
                paths = set(_files(named, files))
                prose = re.sub(
                    r"``[^`]*``|[|<>`]", " ", _ROLE.sub(" ", _DIRECTIVE.sub("", _CODE.sub("", body)))
                )
                if 1 <= len(paths) <= 6 and 15 <= len(prose.split()) <= 400:
                    name = f"{page.stem}-{len(requirements)}"
                    requirements[name] = f"{_ROLE.sub(' ', head[1])}\n{prose}\n"
                    gold.update((name, path) for path in paths)
        return requirements, code, gold

    return make


def _files(names: Iterable[str], files: dict[str, str]) -> Iterator[str]:
    for name in names:
        parts = re.sub(r".*<|[>~!()\s]", "", name.partition("(")[0]).split(".")
        for length in range(len(parts), 1, -1):
            path = files.get(".".join(parts[:length]))
            if path:
                yield path
                break


def main(arguments: list[str]) -> int:
    """`NAME SOURCE FOLDER`: make one set from an unpacked distribution; 2 where the arguments do not fit."""
    if len(arguments) != 3 or arguments[0] not in MAKERS:
        print(f"usage: python -m benchmarks.traceability.sets NAME SOURCE FOLDER\nNAME: {', '.join(MAKERS)}")
        return 2
    name, source, folder = arguments
    write(Path(folder), *MAKERS[name](Path(source)))
    return 0


MAKERS: dict[str, Callable[[Path], tuple[dict[str, str], dict[str, str], Gold]]] = {
    "backstitch": backstitch,
    "reqstool": reqstool,
    "reqstool-tests": reqstool_tests,
    "pytrlcconverter": trlc_converter,
    "commits": commits,
    "celery": manual("docs", "celery"),
    "scrapy": manual("docs", "scrapy"),
    "django": manual("docs", "django"),
    **planned.MAKERS,
    **marked.MAKERS,
}
"""Name of a set → what makes it from an unpacked source distribution (`commits`: from a repository)."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
