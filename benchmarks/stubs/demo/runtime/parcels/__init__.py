"""Sending parcels: rates, tracking, depots."""

from parcels.depots import Depot
from parcels.rates import quote
from parcels.tracking import Tracker

__all__ = ["Depot", "Tracker", "quote"]
