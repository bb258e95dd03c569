"""Tools about invoices."""

from interplay.generators.domains import MOST_ROWS, found, tool
from interplay.generators.domains.clinic.data_model import Invoice, InvoiceId, InvoiceStatus, PatientId, PaymentMethod
from interplay.generators.domains.clinic.patients import of_patient
from interplay.generators.domains.clinic.state import State


@tool(effect="read", phrases=("see my invoices", "check what I owe"))
def list_invoices(clinic: State, patient_id: PatientId, status: InvoiceStatus | None = None) -> list[Invoice]:
    """List a patient's invoices.

    Args:
        status: Only invoices with this status.
    """
    return of_patient(clinic, clinic.invoices.values(), patient_id, status)[:MOST_ROWS]


@tool(effect="read", phrases=("check the details of an invoice",))
def get_invoice(clinic: State, invoice_id: InvoiceId) -> Invoice:
    """Get one invoice."""
    return found(clinic.invoices, invoice_id, "invoice")


@tool(effect="write", phrases=("pay an invoice", "settle my bill"))
def pay_invoice(clinic: State, invoice_id: InvoiceId, method: PaymentMethod) -> Invoice:
    """Pay an invoice in full.

    Args:
        method: How the patient pays.
    """
    invoice = found(clinic.invoices, invoice_id, "invoice")
    invoice["status"] = "paid"
    invoice["payment_method"] = method
    return invoice
