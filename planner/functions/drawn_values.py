"""Which types and names say enough of a value that one can be drawn, and which types have plain values."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from crossval.compare.annotations import parse_expression

# Parameters that take any text; others (a pattern, a usage, a date, a path, …) may ask for a form that no type states.
FREE = frozenset(
    {
        *("text", "string", "s", "word", "name", "title", "label", "message", "phrase", "sentence", "comment"),
        *("caption", "heading", "description", "author", "owner", "member", "user", "username", "person", "customer"),
        *("password", "passphrase", "msg", "txt", "subject", "topic", "paragraph", "haystack", "needle"),
        *("item", "line", "prefix", "suffix", "separator", "sep", "key", "value", "surname"),
    }
)  # fmt: skip
# Parameters whose name says which form a text has, and two texts of it.
_FORMED = {
    **dict.fromkeys(("url", "uri", "href"), ("https://example.com/one", "https://example.org/another")),
    **dict.fromkeys(("host", "hostname", "domain"), ("example.com", "example.org")),
    **dict.fromkeys(("encoding", "charset"), ("utf-8", "latin-1")),
    **dict.fromkeys(("mimetype", "mime"), ("text/plain", "text/html")),
    **dict.fromkeys(("ch", "char", "character", "letter"), ("a", "b")),
    "email": ("one@example.com", "another@example.org"),
}
# Words of names that ask for a text of a form, or for the name of what is there.
_ASKING = frozenset(
    {
        *("alphabet", "base", "symbols", "low", "high", "start", "stop", "end", "begin", "first", "last"),
        *("action", "addr", "address", "alg", "algorithm", "align", "amount", "asn1", "attr", "attribute"),
        *("axis", "b64", "base64", "bin", "binary", "body", "buf", "buffer", "cert", "char", "character"),
        *("chars", "checksum", "chr", "cidr", "cipher", "class", "cls", "cmd", "code", "codec", "codes"),
        *("color", "colour", "column", "command", "constraint", "content", "contents", "country", "cron"),
        *("crypt", "css", "csv", "currency", "data", "database", "date", "datetime", "day", "db", "def"),
        *("definition", "der", "digest", "digit", "digits", "dir", "direction", "directory", "document"),
        *("duration", "encoded", "env", "eui", "expr", "expression", "field", "file", "filename", "filepath"),
        *("flag", "float", "fmt", "fname", "folder", "font", "format", "fp", "func", "function", "glob"),
        *("claims", "header", "headers", "doc", "docs", "docstring", "usage", "markup"),
        *("grammar", "guid", "hash", "hex", "hour", "iab", "iban", "id", "ini", "input", "int", "interval"),
        *("ip", "ipv4", "ipv6", "isbn", "js", "json", "jwt", "kind", "lang", "language", "letter", "level"),
        *("locale", "location", "mac", "mask", "method", "mode", "module", "money", "month", "netmask"),
        *("node", "nonce", "num", "number", "numeral", "numerals", "octal", "op", "operator", "option"),
        *("oui", "package", "packed", "path", "pattern", "payload", "pem", "period", "permission", "phone"),
        *("policy", "port", "position", "price", "protocol", "query", "range", "ranges", "raw", "re"),
        *("regex", "regexp", "region", "requirement", "role", "root", "rst", "rule", "rules", "s", "salt"),
        *("schedule", "schema", "scheme", "secret", "seed", "selector", "shape", "side", "sig", "signature"),
        *("source", "spec", "specifier", "sql", "src", "str", "strategy", "stream", "string", "style"),
        *("subnet", "syntax", "table", "target", "template", "text", "time", "timestamp", "timezone"),
        *("token", "toml", "type", "tz", "tzname", "unit", "units", "uuid", "value", "values", "variable"),
        *("import", "imports", "imp", "imps"),
        *("part", "segment", "component", "chunk", "randomness", "entropy"),
        *("quote", "quotes", "quotechar", "bracket", "brackets", "delimiter", "delim", "enclosing", "newline", "eol"),
        *("tag", "ver", "version", "xml", "xpath", "yaml", "year", "space", "reg", "exp", "args", "argv"),
    }
)  # fmt: skip
# How words begin or end that name what is on a disk, as in `fileobj` and `logfile`.
_PLACED = ("file", "path", "dir")
# How words end that name a text of something: `bibstr`, `datestring`, `rawjson`.
_WRITTEN = ("str", "string", "text", "json", "xml", "html", "yaml")
# Those of them that say of a function what it works on, and not of which form that is.
_ON_ANY = frozenset(
    {
        *("action", "align", "b64", "base", "base64", "begin", "bin", "binary", "body", "buf", "buffer", "char"),
        *("character", "chars", "checksum", "chr", "class", "code", "content", "contents", "data", "def", "digest"),
        *("end", "exp", "field", "first", "flag", "func", "function", "hash", "hex", "high", "input", "int", "kind"),
        *("last", "letter", "level", "low", "method", "mode", "num", "number", "op", "option", "raw", "re", "s"),
        *("side", "source", "space", "spec", "src", "start", "stop", "str", "string", "style", "target", "text"),
        *("header", "headers", "time", "type", "unit", "units", "value", "values"),
    }
)  # fmt: skip
# What objects look at as soon as they are given it.
_CHECKED = frozenset(
    {
        *("json", "jwt", "jws", "claims", "header", "headers", "xml", "yaml", "toml", "pattern", "regex", "regexp"),
        *("expr", "expression", "cron", "ip", "cidr", "netmask", "color", "colour", "timezone", "tz", "tzname", "uuid"),
        *("version", "isbn", "iban", "selector", "xpath", "fileobj", "enclosing", "quote", "quotechar", "delimiter"),
    }
)  # fmt: skip
# Before such a word stands which text is meant: a date, a query, a range, …
_OF_A_KIND = frozenset({"text", "string", "s", "value", "line", "item"})
_CALENDAR = frozenset({"year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "second"})
PLACES = frozenset({"index", "idx", "ndx", "position", "pos", "offset", "no", "nr"})
# Types whose values are equal where they say the same.
_NUMBERS = frozenset({"int", "float", "complex", "Decimal", "Fraction"})
_TIMES = frozenset({"date", "datetime", "time", "timedelta", "UUID"})
_TEXTS = frozenset({"str", "bytes", "AnyStr"})
_HOLDING = frozenset(
    {
        *("list", "List", "tuple", "Tuple", "dict", "Dict", "set", "Set", "frozenset", "FrozenSet"),
        *("Sequence", "Mapping"),
    }
)
_TAKEN = _HOLDING | frozenset({"Iterable", "Collection", "AbstractSet"})
# What holds several of one type: a number, a text, or whatever a type variable stands for.
_SEVERAL = frozenset({"list", "List", "Sequence", "Iterable", "Collection"})
_PLAIN = re.compile(
    r"int|str|float|(?:typing\.|t\.)?(?:Any|Hashable)|object|_?[A-Z]{1,2}|_?T_?[a-z]*(?:_co)?"
)
_NUMERIC = frozenset({"SupportsInt", "SupportsIndex", "SupportsFloat"})
_DEPTH = 6
# So many letters stand for the words of a name.
_LETTERS = 3


def is_value(annotation: str, *, told: bool = False) -> bool:
    """Whether all that a type allows are plain values; with `told`, such as tell one call from another."""
    return _is_value(parse_expression(annotation), told)


def is_drawn(name: str, annotation: str, aliases: Mapping[str, str], *, other: bool = False) -> bool:
    """Whether a value can be drawn for a parameter by its type and name; with `other`, a second one as well.

    `aliases` are the names of the module that stand for types.
    """
    return _is_drawn(name, parse_expression(annotation), aliases, other, _DEPTH)


def is_free(name: str) -> bool:
    """Whether a parameter of this name takes any text."""
    kind, _, last = name.strip("_").lower().rpartition("_")
    ends = {last, last.removesuffix("s")}
    return bool(ends & FREE) and not (kind and ends & _OF_A_KIND)


def words_of(name: str) -> list[str]:
    """The words of a name in either spelling, in lower case and in their order."""
    return [each.lower() for each in re.findall(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])|\d+", name)]


def is_any(name: str) -> bool:
    """Whether a parameter of this name most likely takes any text, as no word of its name asks for another."""
    words = words_of(name)
    is_place = any(each.startswith(_PLACED) or each.endswith((*_PLACED, *_WRITTEN)) for each in words)
    asks = bool({*words, *(each.removesuffix("s") for each in words)} & _ASKING)
    return len(name.strip("_")) > 2 and not asks and not is_place


def is_called_as(name: str, of_class: str) -> bool:
    """Whether a parameter is called as the class that is made of it, or by the first letters of its words: `ean` of an
    `EuropeanArticleNumber`."""
    bare = name.replace("_", "").lower()
    words = [each for each in words_of(of_class) if not each.isdigit()]
    letters = "".join(each[0] for each in words)
    return bare == of_class.lower() or (len(bare) >= _LETTERS and letters.startswith(bare))


def is_about_a_form(name: str) -> bool:
    """Whether a function is named for texts of a form: `tag_distance` compares no words that one makes up."""
    words = words_of(name)
    return bool({*words, *(each.removesuffix("s") for each in words)} & (_ASKING - _ON_ANY))


def is_counted(name: str, annotation: str | None) -> bool:
    """Whether a parameter is the number of a year, a month, …, of which every calendar has those that are drawn."""
    return annotation == "int" and name.strip("_").lower().rpartition("_")[2] in _CALENDAR


def is_checked(name: str) -> bool:
    """Whether what is kept under this name is most often read or looked up at once, so that not any text is taken."""
    return bool(set(words_of(name)) & _CHECKED)


def formed(name: str, *, others: bool = False) -> str:
    """A text for a parameter of this name, as source; with `others` another one; empty where its form is not known."""
    last = name.strip("_").lower().rpartition("_")[2]
    if last in _FORMED:
        return f'"{_FORMED[last][others]}"'
    return f'"{"another " if others else ""}{name.strip("_")}"' if is_free(name) else ""


def many_of(annotation: str) -> bool:
    """Whether a type takes several plain things, of which values are known without a name."""
    match parse_expression(annotation):
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return many_of(ast.unparse(left)) or many_of(ast.unparse(right))
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            if name in ("Optional", "Union"):
                return any(many_of(ast.unparse(each)) for each in _listed(inner))
            return name in _SEVERAL and bool(_PLAIN.fullmatch(ast.unparse(inner)))
    return False


def _is_value(node: ast.expr | None, told: bool) -> bool:
    match node:
        case ast.Constant(value=None):
            return not told
        case ast.Constant(value=str() as text):
            return is_value(text, told=told)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_value(left, told) and _is_value(right, told)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            plain = name in _NUMBERS | _TIMES | _TEXTS | {"Hashable"}
            return plain or (not told and name in _HOLDING | {"bool"})
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            held = [each for each in _listed(inner) if not _is_ellipsis(each)]
            if name in ("Optional", "Literal"):
                return not told and (name == "Literal" or _is_value(held[0], told))
            return name in _HOLDING | {"Union"} and all(_is_value(each, told) for each in held)
    return False


def _is_drawn(name: str, node: ast.expr | None, aliases: Mapping[str, str], other: bool, depth: int) -> bool:
    def inside(each: ast.expr | None) -> bool:
        return _is_drawn(name, each, aliases, other, depth - 1)

    if depth < 0:
        return False
    match node:
        case ast.Constant(value=None):
            return False
        case ast.Constant(value=str() as text):
            return inside(parse_expression(text))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return inside(left) or inside(right)
        case ast.Name(id=alias) if alias in aliases:
            value = parse_expression(aliases[alias])
            # A type variable stands for anything that can be hashed.
            return isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp) and inside(value)
        case ast.Name(id=type_) | ast.Attribute(attr=type_):
            if type_ == "int":
                return name.strip("_").lower().rpartition("_")[2] not in PLACES
            known = _NUMBERS | _TIMES | _NUMERIC | {"bool", "Hashable"}
            return type_ in known or (type_ in _TEXTS and is_free(name))
        case ast.Subscript(value=ast.Name(id=type_) | ast.Attribute(attr=type_), slice=inner):
            held = [each for each in _listed(inner) if not _is_ellipsis(each)]
            if type_ == "Literal":
                # Numbers that are listed name places or kinds, which need not matter for what is given beside them.
                texts = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in held)
                return not other or (len(held) > 1 and texts)
            if type_ in ("Optional", "Union"):
                return any(inside(each) for each in held)
            return type_ in _TAKEN and all(inside(each) for each in held)
    return False


def _listed(inner: ast.expr) -> list[ast.expr]:
    return inner.elts if isinstance(inner, ast.Tuple) else [inner]


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
