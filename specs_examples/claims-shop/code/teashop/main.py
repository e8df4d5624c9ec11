"""The web application."""

from fastapi import FastAPI

from teashop import accounts, orders, teas

app = FastAPI(title="Tea shop")
app.include_router(teas.router)
app.include_router(accounts.router)
app.include_router(orders.router)
