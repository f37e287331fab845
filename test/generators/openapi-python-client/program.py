from os import environ

from client import AuthenticatedClient
from client.api.customers import create_customer, update_customer
from client.api.invoices import create_invoice, retrieve_invoice
from client.api.prices import create_price
from client.api.products import create_product, list_products, retrieve_product
from client.api.subscriptions import retrieve_subscription
from client.models import (
    CreateCustomerRequest,
    CreateInvoiceRequest,
    CreatePriceRequest,
    CreateProductRequest,
    PriceType,
    RetrieveInvoiceIncludeItem,
    RetrieveSubscriptionIncludeItem,
    UpdateCustomerRequest,
)

billing = AuthenticatedClient(
    base_url=environ["BILLING_URL"],
    token=environ["BILLING_API_KEY"],
    headers={"x-app-id": environ["BILLING_APP_ID"]},
)


# Without a body, this operation erases the person. from_dict raises an error for None.
def safe_update(id: str, changes: dict):
    return update_customer.sync(id, client=billing, body=UpdateCustomerRequest.from_dict(changes))


for plan in (1, 2, 3):
    create_product.sync(client=billing, body=CreateProductRequest(id=f"plan-{plan}", name=f"Plan {plan}"))


def read_page(cursor: str | None):
    products = list_products.sync(client=billing, limit=2, cursor=cursor)
    return ", ".join(product.name for product in products.data.products), products.pagination.next_cursor


first, cursor = read_page(None)
second, _ = read_page(cursor)
print(f"products: {first} | {second}")

create_customer.sync(
    client=billing, body=CreateCustomerRequest(id=42, name="Ann Example", email="ann@example.org")
)
create_price.sync(
    client=billing,
    body=CreatePriceRequest(
        id="basic", product_id="plan-1", currency="EUR", price=999, type_=PriceType.ONE_TIME
    ),
)
create_invoice.sync(
    client=billing,
    body=CreateInvoiceRequest.from_dict(
        {
            "id": "2026-0001",
            "total": 999,
            "created": "2026-01-01",
            "period_start": "2026-01-01",
            "period_end": "2026-02-01",
            "currency": "EUR",
            "customer_id": 42,
            "subscription_id": "ann-basic",
            "line_items": [
                {"amount": 999, "type": "recurring", "interval": "month", "interval_count": 1, "price_id": "basic"}
            ],
        }
    ),
)
include = [
    RetrieveInvoiceIncludeItem.CUSTOMER,
    RetrieveInvoiceIncludeItem.LINE_ITEMS,
    RetrieveInvoiceIncludeItem.PRICE,
]
invoice = retrieve_invoice.sync("2026-0001", client=billing, include=include).data.invoice
print(f"invoice: {invoice.total} {invoice.customer.name} {invoice.line_items[0].price.product.name}")
include_latest = [RetrieveSubscriptionIncludeItem.LATEST_INVOICE]
subscription = retrieve_subscription.sync("ann-basic", client=billing, include=include_latest).data.subscription
print(f"subscription: {subscription.latest_invoice.total}")

not_found = retrieve_product.sync_detailed("unknown", client=billing)
print(f"{not_found.status_code.value}: {not_found.parsed.errors[0].title}")

price = CreatePriceRequest(
    id="basic-monthly", product_id="plan-1", currency="EUR", price=999, type_=PriceType.RECURRING
)
invalid = create_price.sync_detailed(client=billing, body=price)
print(f"{invalid.status_code.value}: {len(invalid.parsed.errors)} details")

customer = safe_update("42", {"id": 42, "email": "ann@new.example.org"}).data.customer
print(f"updated: {customer.name} <{customer.email}>")
