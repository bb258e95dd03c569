"""A phone company's help desk: lists of dataclasses below `db`."""

import datetime
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any


class LineStatus(str, Enum):  # noqa: UP042
    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    PENDING = "Pending Activation"


class BillStatus(str, Enum):  # noqa: UP042
    PAID = "Paid"
    OVERDUE = "Overdue"
    AWAITING = "Awaiting Payment"


@dataclass
class Plan:
    plan_id: str
    name: str
    data_limit_gb: float
    price_per_month: float


@dataclass
class Line:
    line_id: str
    phone_number: str
    status: LineStatus
    plan_id: str
    data_used_gb: float = 0.0
    roaming_enabled: bool = False
    suspended_since: datetime.date | None = None


@dataclass
class Bill:
    bill_id: str
    customer_id: str
    total_due: float
    due_date: datetime.date
    status: BillStatus


@dataclass
class Customer:
    customer_id: str
    full_name: str
    date_of_birth: str
    email: str
    phone_number: str
    line_ids: list[str] = field(default_factory=list)
    bill_ids: list[str] = field(default_factory=list)


@dataclass
class TelecomDB:
    plans: list[Plan] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    bills: list[Bill] = field(default_factory=list)
    customers: list[Customer] = field(default_factory=list)


def default_db() -> TelecomDB:
    day = datetime.date
    return TelecomDB(
        plans=[Plan("P11", "Basic", 5, 20), Plan("P12", "Plus", 15, 35), Plan("P13", "Unlimited", 100, 60)],
        lines=[
            Line("L201", "555-310-2001", LineStatus.ACTIVE, "P11", 3.2),
            Line("L202", "555-310-2002", LineStatus.SUSPENDED, "P12", 15.0, False, day(2025, 1, 15)),
            Line("L203", "555-310-2003", LineStatus.ACTIVE, "P13", 48.0, True),
            Line("L204", "555-310-2004", LineStatus.PENDING, "P11"),
            Line("L205", "555-310-2005", LineStatus.SUSPENDED, "P11", 5.0, False, day(2025, 2, 1)),
            Line("L206", "555-310-2006", LineStatus.ACTIVE, "P12", 1.1),
        ],
        bills=[
            Bill("B301", "C101", 20.0, day(2025, 2, 10), BillStatus.PAID),
            Bill("B302", "C101", 55.5, day(2025, 3, 10), BillStatus.OVERDUE),
            Bill("B303", "C102", 60.0, day(2025, 3, 12), BillStatus.AWAITING),
            Bill("B304", "C103", 20.0, day(2025, 1, 20), BillStatus.OVERDUE),
            Bill("B305", "C104", 35.0, day(2025, 3, 1), BillStatus.PAID),
        ],
        customers=[
            Customer("C101", "Ines Faro", "1984-03-02", "ines.faro@example.com", "555-310-2001", ["L201", "L202"], ["B301", "B302"]),
            Customer("C102", "Tom Breck", "1990-11-21", "tom.breck@example.com", "555-310-2003", ["L203"], ["B303"]),
            Customer("C103", "Ada Rowe", "1975-06-30", "ada.rowe@example.com", "555-310-2004", ["L204", "L205"], ["B304"]),
            Customer("C104", "Jon Pell", "1999-01-09", "jon.pell@example.com", "555-310-2006", ["L206"], ["B305"]),
        ],
    )  # fmt: skip


class TelecomTools:
    """Tools of the help desk."""

    def __init__(self, db: TelecomDB | None = None) -> None:
        self.db = db or default_db()

    def load_scenario(self, customers: list[dict[str, Any]]) -> str:
        """Set the environment up for a test."""
        self.db = default_db()
        self.db.customers = [Customer(**each) for each in customers]
        return "Scenario loaded"

    def _customer(self, customer_id: str) -> Customer:
        for customer in self.db.customers:
            if customer.customer_id == customer_id:
                return customer
        raise ValueError(f"Customer {customer_id} not found")

    def _line(self, customer_id: str, line_id: str) -> Line:
        if line_id not in self._customer(customer_id).line_ids:
            raise ValueError(f"Line {line_id} does not belong to customer {customer_id}")
        return next(line for line in self.db.lines if line.line_id == line_id)

    def _bill(self, bill_id: str) -> Bill:
        for bill in self.db.bills:
            if bill.bill_id == bill_id:
                return bill
        raise ValueError(f"Bill {bill_id} not found")

    def find_customer_id(self, phone_number: str) -> str:
        """Find a customer by the number of one of their lines, and return the customer's id."""
        for line in self.db.lines:
            if line.phone_number == phone_number:
                return next(each.customer_id for each in self.db.customers if line.line_id in each.line_ids)
        raise ValueError(f"No customer with the number {phone_number}")

    def find_customer_id_by_name(self, full_name: str, date_of_birth: str) -> str:
        """Find a customer by name and date of birth, and return the customer's id."""
        for each in self.db.customers:
            if each.full_name == full_name and each.date_of_birth == date_of_birth:
                return each.customer_id
        raise ValueError("No such customer")

    def get_customer(self, customer_id: str) -> dict[str, Any]:
        """Get a customer's details."""
        return asdict(self._customer(customer_id))

    def get_line(self, customer_id: str, line_id: str) -> Line:
        """Get the details of one line of a customer."""
        return self._line(customer_id, line_id)

    def get_plan(self, plan_id: str) -> Plan:
        """Get a plan."""
        for plan in self.db.plans:
            if plan.plan_id == plan_id:
                return plan
        raise ValueError(f"Plan {plan_id} not found")

    def list_plans(self) -> list[Plan]:
        """List all plans."""
        return self.db.plans

    def get_bills(self, customer_id: str, limit: int = 12) -> list[Bill]:
        """List the bills of a customer, the latest first."""
        bills = [self._bill(bill_id) for bill_id in self._customer(customer_id).bill_ids]
        return sorted(bills, key=lambda bill: bill.due_date, reverse=True)[:limit]

    def request_payment(self, customer_id: str, bill_id: str) -> str:
        """Ask the customer to pay an overdue bill."""
        if bill_id not in self._customer(customer_id).bill_ids:
            raise ValueError(f"Bill {bill_id} does not belong to customer {customer_id}")
        bill = self._bill(bill_id)
        if bill.status != BillStatus.OVERDUE:
            raise ValueError(f"Bill {bill_id} is not overdue")
        if any(self._bill(each).status == BillStatus.AWAITING for each in self._customer(customer_id).bill_ids):
            raise ValueError("A bill is already awaiting payment for this customer")
        bill.status = BillStatus.AWAITING
        return f"Payment request sent to {customer_id}"

    def pay_bill(self, bill_id: str) -> str:
        """Take the payment of a bill that is awaiting payment."""
        bill = self._bill(bill_id)
        if bill.status != BillStatus.AWAITING:
            raise ValueError(f"Bill {bill_id} is not awaiting payment")
        bill.status = BillStatus.PAID
        return f"Bill {bill_id} is paid"

    def suspend_line(self, customer_id: str, line_id: str, reason: str) -> dict[str, Any]:  # noqa: ARG002
        """Suspend an active line."""
        line = self._line(customer_id, line_id)
        if line.status != LineStatus.ACTIVE:
            raise ValueError("Line must be active to be suspended")
        line.status = LineStatus.SUSPENDED
        line.suspended_since = datetime.date(2025, 2, 25)
        return {"message": "Line suspended", "line": line}

    def resume_line(self, customer_id: str, line_id: str) -> dict[str, Any]:
        """Resume a suspended line, once there are no overdue bills."""
        line = self._line(customer_id, line_id)
        if line.status != LineStatus.SUSPENDED:
            raise ValueError("Line must be suspended to be resumed")
        if any(self._bill(each).status == BillStatus.OVERDUE for each in self._customer(customer_id).bill_ids):
            raise ValueError("The customer has overdue bills")
        line.status = LineStatus.ACTIVE
        line.suspended_since = None
        return {"message": "Line resumed", "line": line}

    def activate_line(self, line_id: str) -> Line:
        """Activate a line that is pending activation."""
        for line in self.db.lines:
            if line.line_id == line_id:
                if line.status != LineStatus.PENDING:
                    raise ValueError("Line is not pending activation")
                line.status = LineStatus.ACTIVE
                return line
        raise ValueError(f"Line {line_id} not found")

    def change_plan(self, customer_id: str, line_id: str, plan_id: str) -> dict[str, Any]:
        """Change the plan of an active line."""
        line, plan = self._line(customer_id, line_id), self.get_plan(plan_id)
        if line.status != LineStatus.ACTIVE:
            raise ValueError("Only active lines can change their plan")
        if line.plan_id == plan_id:
            raise ValueError("The line has this plan already")
        line.plan_id = plan_id
        return {"line_id": line_id, "plan": plan.name, "price_per_month": plan.price_per_month}

    def enable_roaming(self, customer_id: str, line_id: str) -> str:
        """Enable roaming on a line."""
        line = self._line(customer_id, line_id)
        if line.roaming_enabled:
            return "Roaming was already enabled"
        line.roaming_enabled = True
        return "Roaming enabled"

    def disable_roaming(self, customer_id: str, line_id: str) -> str:
        """Disable roaming on a line."""
        line = self._line(customer_id, line_id)
        if not line.roaming_enabled:
            raise ValueError("Roaming is not enabled on this line")
        line.roaming_enabled = False
        return "Roaming disabled"

    def get_data_usage(self, customer_id: str, line_id: str) -> dict[str, Any]:
        """Get how much data a line has used."""
        line = self._line(customer_id, line_id)
        plan = self.get_plan(line.plan_id)
        return {"line_id": line.line_id, "data_used_gb": line.data_used_gb, "data_limit_gb": plan.data_limit_gb}

    def transfer_to_human(self, summary: str) -> str:  # noqa: ARG002
        """Hand the customer over to a person."""
        return "Transferred"
