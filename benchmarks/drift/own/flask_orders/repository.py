from flask_orders.domain import Order, OrderNotFound


class OrderRepository:
    def __init__(self):
        self._orders: dict[int, Order] = {}

    def get(self, order_id: int) -> Order:
        order = self._orders.get(order_id)
        if order is None:
            raise OrderNotFound(f"No order {order_id}")
        return order

    def add(self, **values) -> Order:
        order = Order(id=len(self._orders) + 1, **values)
        self._orders[order.id] = order
        return order

    def list(self, state=None) -> list[Order]:
        return [o for o in self._orders.values() if state is None or o.state == state]
