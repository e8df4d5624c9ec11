"""Colours of the terminal, written as plain SGR codes, or left out."""

from __future__ import annotations

import msgspec

from crossval.findings import Severity

_RESET = "\x1b[0m"
_SEVERITIES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}


class Paint(msgspec.Struct, frozen=True):
    """Colours text that was cleaned before, or leaves it as it is where `colour` is off."""

    colour: bool

    def severity(self, severity: Severity, text: str) -> str:
        """The text in the severity's colour."""
        return self._paint(_SEVERITIES[severity], text)

    def strong(self, text: str) -> str:
        """The text in bold."""
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        """The text dimmed: line numbers, context, sections of less weight."""
        return self._paint("2", text)

    def help(self, text: str) -> str:
        """The text as advice is shown."""
        return self._paint("32", text)

    def place(self, text: str) -> str:
        """The text as places are shown."""
        return self._paint("34", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.colour and text else text
