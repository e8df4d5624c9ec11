"""Who has what, and until when."""

from datetime import date
from typing import Final

from library.catalogue import LibraryError

LOAN_DAYS: Final = 28
DAILY_FINE: Final = 0.2

class NotAvailable(LibraryError):
    """The item is lent to somebody else."""

class Loan:
    """One item in the hands of one member."""

    item: int
    member: str
    due: date
    def __init__(self, item: int, member: str, due: date) -> None: ...

class Reservation:
    """A member waits for an item."""

    item: int
    member: str

class Desk:
    """Lends and takes back."""

    def lend(self, item: int, member: str, *, today: date) -> Loan:
        """Hand an item to a member.

        Raises:
            NotAvailable: somebody else has it.
        """

    def take_back(self, item: int, *, today: date) -> float:
        """Take an item back; what the member owes."""

    def overdue(self, today: date) -> list[Loan]:
        """The loans that should have ended, the longest overdue first."""

def fine(days: int) -> float:
    """What so many days too late cost, in euros."""
