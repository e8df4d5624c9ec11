"""The modules of the standard library that may be looked into: importing them does nothing but define."""

from __future__ import annotations

from functools import cache
from importlib import import_module

_TEXTS = (
    "codecs configparser csv difflib gettext html.parser json json.decoder json.encoder optparse argparse plistlib"
    " pprint shlex string textwrap tokenize xml.etree.ElementTree xml.sax.handler xml.sax.xmlreader xml.dom.minidom"
)
_MAIL_AND_NET = (
    "email.errors email.message email.parser email.policy email.mime.base email.mime.multipart email.mime.text ftplib"
    " http.client http.cookiejar http.cookies http.server imaplib ipaddress poplib smtplib socket socketserver"
    " urllib.error urllib.parse urllib.request wsgiref.handlers wsgiref.simple_server xmlrpc.server"
)
_RUNNING = (
    "asyncio asyncio.events asyncio.protocols asyncio.transports asyncio.base_events asyncio.streams asyncio.queues"
    " bdb cmd code concurrent.futures concurrent.futures.thread contextlib importlib.abc importlib.machinery logging"
    " logging.handlers multiprocessing.process queue sched selectors subprocess threading timeit traceback"
    " unittest unittest.case unittest.loader unittest.result unittest.runner unittest.suite warnings"
)
_VALUES = (
    "ast calendar collections contextvars copyreg datetime decimal fractions functools inspect io mailbox numbers"
    " pathlib pickle random reprlib shelve statistics symtable tarfile tempfile types uuid weakref zipfile"
)
_WINDOWS = "tkinter tkinter.font tkinter.scrolledtext tkinter.simpledialog tkinter.ttk"
_STARRED = (
    "abc base64 binascii bisect cmath dataclasses enum errno glob hashlib heapq itertools keyword locale math operator"
    " os os.path platform posixpath re shutil stat struct time token typing zlib"
)
# What is compiled and stands in for what these modules write in Python.
_ACCELERATORS = (
    "_bisect _datetime _decimal _elementtree _functools _heapq _operator _statistics _struct _zoneinfo"
)
_PLAIN = (str, bytes, int, float, complex, tuple, list, dict, set, frozenset)
_LIBRARY = frozenset(" ".join((_TEXTS, _MAIL_AND_NET, _RUNNING, _VALUES, _WINDOWS)).split())
_WITH_NAMES = (
    (_LIBRARY - set(_WINDOWS.split())) | frozenset(_STARRED.split()) | frozenset(_ACCELERATORS.split())
)


@cache
def library_class(name: str) -> type | None:
    """The class behind the qualified name of one of the standard library's plain modules; else None.

    What fills its instances from elsewhere is not among them: `ctypes` by its fields, doubles of `unittest.mock`.
    """
    module, _, last = name.rpartition(".")
    if module not in _LIBRARY:
        return None
    try:
        found = getattr(import_module(module), last, None)
    except ImportError:  # Not every interpreter is built with all of them.
        return None
    return found if isinstance(found, type) else None


@cache
def library_names(module: str) -> frozenset[str] | None:
    """The names that a star import brings from a plain module of the standard library; else None."""
    if module not in _WITH_NAMES:
        return None
    try:
        names = vars(import_module(module))
    except ImportError:  # Not every interpreter is built with all of them.
        return None
    listed = names.get("__all__", [name for name in names if not name.startswith("_")])
    return frozenset(listed)


@cache
def library_constants(module: str) -> list[str]:
    """Those of these names that stand for a plain value, which does not tell where it comes from, in their order."""
    names = library_names(module) or ()
    values = vars(import_module(module)) if names else {}
    return sorted(name for name in names if type(values.get(name)) in _PLAIN and name != "TYPE_CHECKING")
