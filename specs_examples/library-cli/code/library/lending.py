"""Who has what, and until when."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

LOAN_DAYS: Final = 21
DAILY_FINE: Final = 0.2


class NotAvailable(Exception):
    """The item is lent to somebody else."""


@dataclass
class Loan:
    """One item in the hands of one member."""

    item: int
    member: str
    due: date


class Desk:
    """Lends and takes back."""

    def __init__(self) -> None:
        self._loans: dict[int, Loan] = {}

    def lend(self, item: int, member: str, *, today: date) -> Loan:
        """Hand an item to a member."""
        if item in self._loans:
            raise NotAvailable(f"Item {item} is lent to {self._loans[item].member}.")
        loan = Loan(item, member, today + timedelta(days=LOAN_DAYS))
        self._loans[item] = loan
        return loan

    def take_back(self, item: int, *, today: date) -> float:
        """Take an item back; what the member owes."""
        loan = self._loans.pop(item)
        return fine((today - loan.due).days)

    def overdue(self, today: str) -> list[Loan]:
        """The loans that should have ended, the longest overdue first."""
        late = [loan for loan in self._loans.values() if loan.due < date.fromisoformat(today)]
        return sorted(late, key=lambda loan: loan.due)


def fine(days: int) -> float:
    """What so many days too late cost, in euros."""
    return round(max(days, 0) * DAILY_FINE, 2)
