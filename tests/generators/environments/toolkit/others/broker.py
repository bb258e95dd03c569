"""A brokerage: everything but the quotes is behind a log-in."""

from copy import deepcopy
from typing import Any

DEFAULT_STATE: dict[str, Any] = {
    "account": {"account_number": 48213, "owner": "Nora Lind", "balance": 5200.0, "card": "4417 **** 2203"},
    "users": {"nora.lind": "harbor-77"},
    "authenticated": False,
    "market_open": False,
    "orders": {
        10341: {"id": 10341, "symbol": "ORVA", "side": "Buy", "price": 41.5, "amount": 20, "status": "Completed"},
        10342: {"id": 10342, "symbol": "TILM", "side": "Sell", "price": 12.25, "amount": 60, "status": "Open"},
        10343: {"id": 10343, "symbol": "KESO", "side": "Buy", "price": 88.1, "amount": 5, "status": "Cancelled"},
        10344: {"id": 10344, "symbol": "ORVA", "side": "Buy", "price": 40.0, "amount": 15, "status": "Open"},
    },
    "order_counter": 10345,
    "stocks": {
        "ORVA": {"name": "Orva Robotics", "sector": "Technology", "price": 42.1, "change": 0.8, "volume": 1.2},
        "TILM": {"name": "Tilman Foods", "sector": "Consumer", "price": 12.4, "change": -0.1, "volume": 3.4},
        "KESO": {"name": "Keso Energy", "sector": "Energy", "price": 86.9, "change": 1.4, "volume": 0.7},
        "VUND": {"name": "Vundo Health", "sector": "Health", "price": 23.3, "change": 0.2, "volume": 2.2},
        "LARP": {"name": "Larpent Systems", "sector": "Technology", "price": 150.2, "change": -2.5, "volume": 0.4},
    },
    "watch_list": ["ORVA"],
    "transactions": [],
}


class BrokerAPI:
    """Buy and sell stocks."""

    def __init__(self) -> None:
        self.account: dict[str, Any]
        self.users: dict[str, str]
        self.authenticated: bool
        self.market_open: bool
        self.orders: dict[int, dict[str, str | int | float]]
        self.order_counter: int
        self.stocks: dict[str, dict[str, str | float]]
        self.watch_list: list[str]
        self.transactions: list[dict[str, str | float]]
        self._load_scenario({})

    def _load_scenario(self, scenario: dict[str, Any]) -> None:
        """Load the state that a scenario names, and the usual one besides."""
        for name, value in {**deepcopy(DEFAULT_STATE), **scenario}.items():
            setattr(self, name, value)

    def login(self, username: str, password: str) -> dict[str, str]:
        """
        Log the user in.

        Args:
            username (str): Name of the user.
            password (str): Password of the user.

        Returns:
            status (str): Whether the log-in went well.
        """
        if self.authenticated:
            return {"error": "User is already logged in"}
        if self.users.get(username) != password:
            return {"error": "Invalid username or password"}
        self.authenticated = True
        return {"status": "Login successful"}

    def logout(self) -> dict[str, str]:
        """
        Log the user out.

        Returns:
            status (str): Whether the user was logged out.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        self.authenticated = False
        return {"status": "Logged out"}

    def get_account(self) -> dict[str, int | float | str]:
        """
        Show the account.

        Returns:
            account_number (int): The number of the account.
            owner (str): Who owns it.
            balance (float): Money on the account, in dollars.
            card (str): The card that is linked.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        return dict(self.account)

    def fund_account(self, amount: float) -> dict[str, str | float]:
        """
        Put money on the account.

        Args:
            amount (float): How much, in dollars.

        Returns:
            status (str): What was done.
            new_balance (float): Money on the account afterwards.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if amount <= 0:
            return {"error": "The amount must be positive."}
        self.account["balance"] += amount
        self.transactions.append({"type": "deposit", "amount": amount})
        return {"status": "Account funded", "new_balance": self.account["balance"]}

    def withdraw_funds(self, amount: float) -> dict[str, str | float]:
        """
        Take money from the account.

        Args:
            amount (float): How much, in dollars.

        Returns:
            status (str): What was done.
            new_balance (float): Money on the account afterwards.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if amount <= 0 or amount > self.account["balance"]:
            return {"error": "Insufficient funds"}
        self.account["balance"] -= amount
        self.transactions.append({"type": "withdrawal", "amount": amount})
        return {"status": "Withdrawn", "new_balance": self.account["balance"]}

    def set_market_open(self, is_open: bool) -> dict[str, str]:
        """
        Note whether the market is open.

        Args:
            is_open (bool): Whether it is open now.

        Returns:
            market_status (str): "Open" or "Closed".
        """
        self.market_open = is_open
        return {"market_status": "Open" if is_open else "Closed"}

    def get_symbol_by_name(self, name: str) -> dict[str, str]:
        """
        Find the symbol of a company.

        Args:
            name (str): Name of the company.

        Returns:
            symbol (str): Its symbol.
        """
        for symbol, stock in self.stocks.items():
            if str(stock["name"]).lower() == name.lower():
                return {"symbol": symbol}
        return {"error": f"No company called {name}"}

    def get_stock(self, symbol: str) -> dict[str, str | float]:
        """
        Show a stock.

        Args:
            symbol (str): Symbol of the stock.

        Returns:
            name (str): Name of the company.
            sector (str): What it does.
            price (float): What a share costs now.
            change (float): How much the price changed today, in percent.
            volume (float): Shares traded today, in millions.
        """
        if symbol not in self.stocks:
            return {"error": f"Stock with symbol '{symbol}' not found."}
        return self.stocks[symbol]

    def get_stocks_by_sector(self, sector: str) -> dict[str, list[str]]:
        """
        List the stocks of a sector.

        Args:
            sector (str): The sector, such as "Technology".

        Returns:
            symbols (List[str]): Symbols of its stocks.
        """
        found = [symbol for symbol, stock in self.stocks.items() if stock["sector"] == sector]
        return {"symbols": found} if found else {"error": f"No stocks in sector {sector}"}

    def get_watch_list(self) -> dict[str, list[str]]:
        """
        Show what is being watched.

        Returns:
            watch_list (List[str]): Symbols.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        return {"watch_list": self.watch_list}

    def watch_stock(self, symbol: str) -> dict[str, Any]:
        """
        Put a stock on the watch list.

        Args:
            symbol (str): Symbol of the stock.

        Returns:
            watch_list (List[str]): Symbols.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if symbol not in self.stocks:
            return {"error": f"Stock with symbol '{symbol}' not found."}
        if symbol not in self.watch_list:
            self.watch_list.append(symbol)
        return {"watch_list": self.watch_list}

    def unwatch_stock(self, symbol: str) -> dict[str, str]:
        """
        Take a stock off the watch list.

        Args:
            symbol (str): Symbol of the stock.

        Returns:
            status (str): What was done.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if symbol not in self.watch_list:
            return {"error": f"{symbol} is not on the watch list"}
        self.watch_list.remove(symbol)
        return {"status": f"{symbol} was taken off the watch list"}

    def place_order(self, symbol: str, side: str, price: float, amount: int) -> dict[str, int | str | float]:
        """
        Place an order.

        Args:
            symbol (str): Symbol of the stock.
            side (str): "Buy" or "Sell".
            price (float): Price of a share, in dollars.
            amount (int): How many shares.

        Returns:
            order_id (int): The new order.
            status (str): Its status.
            price (float): Price of a share.
            amount (int): How many shares.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if not self.market_open:
            return {"error": "The market is closed."}
        if symbol not in self.stocks:
            return {"error": f"Stock with symbol '{symbol}' not found."}
        if side not in ("Buy", "Sell"):
            return {"error": "side must be Buy or Sell"}
        if price <= 0 or amount <= 0:
            return {"error": "Price and amount must be positive."}
        if side == "Buy" and price * amount > self.account["balance"]:
            return {"error": "Insufficient funds to place the order"}
        order_id = self.order_counter
        self.order_counter += 1
        self.orders[order_id] = {
            "id": order_id, "symbol": symbol, "side": side, "price": price, "amount": amount, "status": "Open",
        }  # fmt: skip
        return {"order_id": order_id, "status": "Open", "price": price, "amount": amount}

    def get_order(self, order_id: int) -> dict[str, str | float | int]:
        """
        Show an order.

        Args:
            order_id (int): Id of the order.

        Returns:
            id (int): Id of the order.
            symbol (str): Symbol of the stock.
            side (str): "Buy" or "Sell".
            price (float): Price of a share.
            amount (int): How many shares.
            status (str): "Open", "Completed" or "Cancelled".
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if order_id not in self.orders:
            return {"error": f"Order with ID {order_id} not found."}
        return self.orders[order_id]

    def list_orders(self) -> dict[str, list[int]]:
        """
        List the orders.

        Returns:
            order_ids (List[int]): Ids of all orders.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        return {"order_ids": list(self.orders)}

    def cancel_order(self, order_id: int) -> dict[str, int | str]:
        """
        Cancel an order.

        Args:
            order_id (int): Id of the order.

        Returns:
            order_id (int): Id of the order.
            status (str): Its status afterwards.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}
        if order_id not in self.orders:
            return {"error": f"Order with ID {order_id} not found."}
        if self.orders[order_id]["status"] != "Open":
            return {"error": f"Can't cancel order {order_id}. It is {self.orders[order_id]['status']}."}
        self.orders[order_id]["status"] = "Cancelled"
        return {"order_id": order_id, "status": "Cancelled"}

    def get_transactions(self, kind: str | None = None) -> dict[str, list[dict[str, Any]]]:
        """
        Show deposits and withdrawals.

        Args:
            kind (str): [Optional] "deposit" or "withdrawal".

        Returns:
            transactions (List[Dict]): Each with its type and amount.
        """
        if not self.authenticated:
            return {"error": "User is not logged in. Use login first."}  # type: ignore[dict-item]
        return {"transactions": [each for each in self.transactions if kind in (None, each["type"])]}
