"""The media types of what reads and writes for views of the REST framework."""

from __future__ import annotations

from typing import Final

from graph.facts import Location
from ingest.web.constants.constants import text_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget

_REST: Final = "rest_framework"
PARSED: Final = {
    "JSONParser": "application/json",
    "FormParser": "application/x-www-form-urlencoded",
    "MultiPartParser": "multipart/form-data",
    "FileUploadParser": "*/*",
}
RENDERED: Final = {
    "JSONRenderer": "application/json",
    "StaticHTMLRenderer": "text/html",
    "TemplateHTMLRenderer": "text/html",
    "BrowsableAPIRenderer": "",
    "AdminRenderer": "",
    "HTMLFormRenderer": "",
    "MultiPartRenderer": "multipart/form-data",
}
_OTHERS: Final = {
    **{("rest_framework_xml", name): "application/xml" for name in ("XMLRenderer", "XMLParser")},
    **{("rest_framework_yaml", name): "application/yaml" for name in ("YAMLRenderer", "YAMLParser")},
    **{("rest_framework_csv", name): "text/csv" for name in ("CSVRenderer", "CSVParser")},
    ("rest_framework_csv", "PaginatedCSVRenderer"): "text/csv",
    **{("drf_orjson_renderer", name): "application/json" for name in ("ORJSONRenderer", "ORJSONParser")},
    **{("drf_ujson", name): "application/json" for name in ("UJSONRenderer", "UJSONParser")},
    ("i18nfield", "I18nJSONRenderer"): "application/json",
    ("djangorestframework_camel_case", "CamelCaseJSONRenderer"): "application/json",
    ("djangorestframework_camel_case", "CamelCaseBrowsableAPIRenderer"): "",
    ("djangorestframework_camel_case", "CamelCaseJSONParser"): "application/json",
    ("djangorestframework_camel_case", "CamelCaseFormParser"): "application/x-www-form-urlencoded",
    ("djangorestframework_camel_case", "CamelCaseMultiPartParser"): "multipart/form-data",
}
"""Classes of other packages that write or read JSON in their own way, or another form."""

_OWN_FORM: Final = frozenset({"render", "parse"})


def form_of(
    program: Program, target: Target | None, table: dict[str, str], place: Location | None
) -> str | None:
    """The media type of a class; empty for one that only writes pages, None where it is not known. `place` is where the
    project uses it, for a class of an installed distribution."""
    if isinstance(target, External) and place is not None and program.outside.is_asked(target):
        target = program.outside.lead(program, target, place)
    if isinstance(target, ClassTarget):
        own = program.class_member(target, "media_type")
        if isinstance(own, ValueTarget):
            return text_of(program, own.node, own.scope)
        bases = [base for base in program.ancestry(target) if isinstance(base, ClassTarget)]
        if not isinstance(own, External) or any(_OWN_FORM & set(base.body.bindings) for base in bases):
            return None
        # What only sets how the framework's own class does its work writes the same form.
        target = External(own.dotted.rpartition(".")[0])
    if not isinstance(target, External):
        return None
    return table.get(target.name) if target.root == _REST else _OTHERS.get((target.root, target.name))
