from os import environ

import client as billing

configuration = billing.Configuration(
    host=environ["BILLING_URL"],
    access_token=environ["BILLING_API_KEY"],
    api_key={"appId": environ["BILLING_APP_ID"]},
)
api = billing.ApiClient(configuration)
products = billing.ProductsApi(api)
customers = billing.CustomersApi(api)
invoices = billing.InvoicesApi(api)
prices = billing.PricesApi(api)


# Without a body this operation erases the person; this function raises where there is none.
def update_customer(id: str, changes: billing.UpdateCustomerRequest):
    if not isinstance(changes, billing.UpdateCustomerRequest):
        raise TypeError("changes must be an UpdateCustomerRequest")
    return customers.update_customer(id, update_customer_request=changes)


def refusal(operation, *arguments):
    try:
        operation(*arguments)
    except billing.ApiException as error:
        return error.status, error.data.errors
    raise AssertionError("The request was accepted")


for plan in (1, 2, 3):
    id = billing.ClientId(f"plan-{plan}")
    products.create_product(billing.CreateProductRequest(id=id, name=f"Plan {plan}"))


def page(cursor: str | None):
    found = products.list_products(limit=2, cursor=cursor)
    return ", ".join(product.name for product in found.data.products), found.pagination.next_cursor


first, cursor = page(None)
second, _ = page(cursor)
print(f"products: {first} | {second}")

customers.create_customer(
    billing.CreateCustomerRequest(id=billing.ClientId(42), name="Ann Example", email="ann@example.org")
)
invoices.create_invoice(
    billing.CreateInvoiceRequest.from_dict(
        {
            "id": "2026-0001",
            "total": 999,
            "created": "2026-01-01",
            "period_start": "2026-01-01",
            "period_end": "2026-02-01",
            "currency": "EUR",
            "customer_id": 42,
            "subscription_id": "ann-basic",
            "line_items": [{"amount": 999, "type": "recurring", "interval": "month", "interval_count": 1}],
        }
    )
)
include = ["customer", "line_items"]
invoice = invoices.retrieve_invoice("2026-0001", include=include).data.invoice
print(f"invoice: {invoice.total} {invoice.customer.name} {len(invoice.line_items)}")

status, errors = refusal(products.retrieve_product, "unknown")
print(f"{status}: {errors[0].title}")

price = billing.CreatePriceRequest(
    id=billing.ClientId("basic-monthly"),
    product_id=billing.EntityId("plan-1"),
    currency="EUR",
    price=999,
    type=billing.PriceType.RECURRING,
)
status, errors = refusal(prices.create_price, price)
print(f"{status}: {len(errors)} details")

changes = billing.UpdateCustomerRequest(id=billing.ClientId(42), email="ann@new.example.org")
customer = update_customer("42", changes).data.customer
print(f"updated: {customer.name} <{customer.email}>")
