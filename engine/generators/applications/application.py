"""Finds the application that tests call, and writes the conftest that gives them a client of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from engine.generators.applications.django_sites import settings_of_site
from engine.generators.applications.gathered_routes import started, where_complete
from engine.generators.applications.made_applications import Names, of_constructor, outermost
from engine.generators.applications.own_fixtures import Prepared
from engine.generators.applications.shared_fixtures import MARK, conftest
from engine.generators.applications.surroundings import Surroundings
from graph.errors import UsageError
from graph.facts import Fact, Kind, Tag, Verb
from graph.files import read_plain, replace_file
from graph.source import FactSource
from planner.generator import Application

_CALL = re.compile(r"([\w.]+)\(")
_DJANGO = re.compile(r"(?<![\w.])(?:\w+\.)*get_[aw]sgi_application\(\)")
_FACTORY = re.compile(r"(?i)(^|_)(app|application|api|asgi|wsgi|server)$")
_PART = re.compile(r"[\w.]+\([^()]*\)(?:\.\w+)+")
_USUAL = frozenset({"app", "application"})
_PLACE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_IMPORTED = re.compile(r"importlib\.import_module\(\"([\w.]+)\"\)")


class Made(NamedTuple):
    """An application that the code makes: where tests find it, its framework, and what is called to make it."""

    place: str
    framework: str
    maker: str

    @property
    def module(self) -> str:
        """The module at whose top it is made."""
        return self.place.partition(":")[0]


def application(source: FactSource, configured: str) -> Application | None:
    """The application: as configured (`todo.main:app`, `shop:create_app()`, a URL), else the one that the code makes.

    Else the site of Django that a `manage.py` starts; where there is a contract and no code yet that could be a
    service, one without a place. None where there is none otherwise, or more than one. Raises UsageError for a setting
    that names none.
    """
    if configured.startswith(("http://", "https://")):
        return Application("", configured)
    if configured:
        if not _PLACE.fullmatch(configured):
            raise UsageError(
                f"app: `{configured}` names no application", "Write it as module:name, `todo.main:app`."
            )
        names = Names(source)
        framework = names.framework(configured) or _only_framework(source, configured, names)
        return Application(framework, configured, exists=names.is_there(configured))
    made = list(applications(source).items())
    if not made and (settings := settings_of_site(source)):
        return Application("django", "django.core.wsgi:get_wsgi_application()", settings=settings)
    if not made and _is_awaited(source):
        return Application("", "", exists=False)
    return Application(made[0][1], made[0][0]) if len(made) == 1 else None


def _is_awaited(source: FactSource) -> bool:
    """Whether a contract promises operations and nothing of the code can be a service, or a client of one, so far."""
    promised = next(iter(source.facts(tag=Tag.SPEC, kinds={Kind.OPERATION})), None)
    there = source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION, Kind.CLASS, Kind.OPERATION})
    return promised is not None and next(iter(there), None) is None


def applications(source: FactSource) -> dict[str, str]:
    """The applications that tests may call, each with its framework.

    Those that the code makes at the top of a module (`todo.main:app`), else the functions that make one and need
    nothing for it (`shop:create_app()`).
    """
    made = _named(source)
    return made or _factories(source)


def _named(source: FactSource) -> dict[str, str]:
    """The applications that the code makes at the top of modules, each with its framework; gates of WSGI first.

    Those that others take in, and further ones by the same factory, are left out.
    """
    names = Names(source)
    every = _made(source, names)
    found = sorted(every, key=lambda each: (not each.module.endswith("wsgi"), each.place))
    makers = {each.maker for each in found}
    gates = {each.framework for each in found} == {"django"}
    of_one_site = gates and len({each.module.rpartition(".")[0] for each in found}) == 1
    if of_one_site or (len(makers) == 1 and names.is_function(*makers)):
        found = found[:1]  # Both gates of Django, and what one factory makes, lead to the same application.
    outer = [each for each in found if not any(_takes_in(other, each, names) for other in found)]
    first = started((each.module for each in outer), names) if len(outer) > 1 else None
    chosen = [each for each in outer or found if first is None or each.module == first]
    return {where_complete(each.place, source, names): each.framework for each in chosen}


def _takes_in(other: Made, one: Made, names: Names) -> bool:
    """Whether an application most likely serves another: it imports that one, or stands beside it and speaks ASGI."""
    if other.module == one.module:
        both = outermost([other.framework, one.framework])
        return other.framework != one.framework and both == other.framework
    return names.imports(other.module, one.place) and not names.imports(one.module, other.place)


def _made(source: FactSource, names: Names) -> list[Made]:
    """The attributes at the top of modules that make an application, each with its framework.

    By a framework's constructor, a class of the code that has one as its base, or what is called as factories are;
    a gate of Django also where something stands before it.
    """
    made_by: dict[str, str] = {}
    found = []
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}):
        value = str(fact.aspects.get("value", ""))
        call = _CALL.match(value)
        module = source.module_of(fact)
        if fact.key != f"{module}.{fact.name}" or (value and call is None):
            continue
        if "__name__" in str(fact.aspects.get("guard", "")):
            continue  # Whoever imports the module does not find it.
        if call is None:  # It is made more than once: `application = Proxy(application)`.
            framework = names.of(module, fact.name) if fact.name in _USUAL else ""
            if framework:
                found.append(Made(f"{module}:{fact.name}", framework, ""))
            continue
        if _PART.fullmatch(value):  # An attribute of what is made: `application = Server().app`.
            framework = names.of(module, value) if fact.name in _USUAL else ""
            if framework:
                found.append(Made(f"{module}:{fact.name}", framework, ""))
            continue
        maker = names.target(module, call[1])
        if maker not in made_by:
            made_by[maker] = _framework_of(names, maker, told=fact.name in _USUAL)
        framework = made_by[maker] or (names.of(module, value) if _DJANGO.search(value) else "")
        if framework:
            found.append(Made(f"{module}:{fact.name}", framework, maker))
    return found


def _framework_of(names: Names, maker: str, *, told: bool) -> str:
    """The framework of what this makes, where it or what it gives (`told`) is called as applications are; or empty."""
    if maker.startswith("connexion."):
        return ""  # Its older versions speak WSGI, its newer ones ASGI.
    return (
        names.made_by(maker)
        if told or names.is_class(maker) or _FACTORY.search(maker.rpartition(".")[2]) or of_constructor(maker)
        else ""
    )


def _factories(source: FactSource) -> dict[str, str]:
    """Every function that makes an application and needs nothing for it (`shop:create_app()`), with its framework."""
    return {
        f"{module}:{fact.name}()": framework
        for fact, module, framework in _makers(source)
        if (framework == "aiohttp" or fact.aspects.get("async") is not True)
        and all(
            default is not None or kind.startswith("var")
            for _, kind, _, default, _ in fact.aspects.get("parameters", ())
        )
    }


def _makers(source: FactSource) -> list[tuple[Fact, str, str]]:
    """The functions at the top of modules that are called as factories are and call a framework's constructor.

    Also those that make an object of a class whose own making does so: `Server().app`.
    """
    makers = _calling_constructors(source)
    inits = {
        first.rpartition(":")[2]: known for first, known in makers.items() if first.endswith(".__init__")
    }
    for relation in source.relations({Verb.CALLS}) if inits else ():
        made = inits.get(f"{relation.second.rpartition(':')[2]}.__init__")
        if made is not None:
            makers.setdefault(relation.first, made)
    found = []
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION}) if makers else ():
        module = source.module_of(fact)
        is_named = fact.key == f"{module}.{fact.name}" and _FACTORY.search(fact.name) is not None
        if fact.id in makers and is_named:
            found.append((fact, module, makers[fact.id]))
    return found


def _calling_constructors(source: FactSource) -> dict[str, str]:
    """The ids of the functions that call a framework's constructor, each with its framework."""
    makers: dict[str, str] = {}
    for relation in source.relations({Verb.CALLS}):
        framework = of_constructor(relation.second.rpartition(":")[2])
        if framework:
            makers.setdefault(relation.first, framework)
    return makers


def _only_framework(source: FactSource, place: str, names: Names) -> str:
    """The framework of which alone the code makes applications, in the package of a place or anywhere; else empty."""
    made = [(each.module, each.framework) for each in _made(source, names)]
    made += [(first.rpartition(":")[2], known) for first, known in _calling_constructors(source).items()]
    package = place.partition(":")[0].partition(".")[0]
    for chosen in (
        [known for name, known in made if name.partition(".")[0] == package],
        [known for _, known in made],
    ):
        if len(set(chosen)) == 1:
            return chosen[0]
    return ""


def write_conftest(
    root: Path,
    folder: str,
    target: Application | None,
    credentials: Mapping[str, str] | None = None,
    *,
    way_in: str | None = None,
    own: Prepared | None = None,
    around: Surroundings | None = None,
    signatures: bool = False,
    adding: bool = False,
) -> bool:
    """Write the shared conftest of generated tests, and say whether it changed; one that a person took over is kept.

    A person takes it over by removing its first line. `way_in` is a fixture `auth` that makes its caller, `own` one of
    the project that prepares the application, `around` what is set around one that none prepares. With `signatures` it
    can compare functions with stubs, with `adding` find what was made in a list.
    """
    file = root / folder / "conftest.py"
    try:
        content = read_plain(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read: {error}", "Mend it, or move it away.") from error
    depth = len(Path(folder).parts)
    text = conftest(
        target,
        credentials,
        way_in=way_in,
        own=own,
        around=around,
        signatures=signatures,
        adding=adding,
        depth=depth,
    )
    if content is not None and (
        content.decode("utf-8", "replace") == text or not content.decode("utf-8", "replace").startswith(MARK)
    ):
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, text.encode())
    return True


def called_module(root: Path, folder: str) -> str:
    """The module that the shared conftest of generated tests takes the application from; empty where it tells none."""
    try:
        content = read_plain(root / folder / "conftest.py")
    except (OSError, ValueError):
        return ""
    found = _IMPORTED.search((content or b"").decode("utf-8", "replace"))
    return found[1] if found else ""


def is_taken_over(root: Path, folder: str) -> bool:
    """Whether a person took the shared conftest over, and so may have filled in the credentials."""
    return _taken_over(root, folder) is not None


def lacks(root: Path, folder: str, fixture: str) -> bool:
    """Whether a person took the shared conftest over, and it has no fixture of this name."""
    text = _taken_over(root, folder)
    return text is not None and f"def {fixture}(" not in text


def _taken_over(root: Path, folder: str) -> str | None:
    """The text of a shared conftest that a person took over; None for others, or where there is none."""
    try:
        content = read_plain(root / folder / "conftest.py")
    except (OSError, ValueError):
        return None
    text = (content or b"").decode("utf-8", "replace")
    return None if content is None or text.startswith(MARK) else text
