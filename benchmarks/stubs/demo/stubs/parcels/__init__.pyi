from parcels.depots import Depot as Depot
from parcels.rates import quote as quote
from parcels.tracking import Tracker as Tracker

__all__ = ["Depot", "Tracker", "quote"]
