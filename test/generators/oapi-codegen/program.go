package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	billing "example.com/billing/oapi-codegen/client"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func textId(text string) (id billing.ClientId) {
	check(id.FromClientIdText(text))
	return id
}

func credentials(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("BILLING_API_KEY"))
	request.Header.Set("x-app-id", os.Getenv("BILLING_APP_ID"))
	return nil
}

func names(products []billing.ProductWithIncludes) string {
	names := []string{}
	for _, product := range products {
		names = append(names, product.Name)
	}
	return strings.Join(names, ", ")
}

func main() {
	ctx := context.Background()
	api, err := billing.NewClientWithResponses(os.Getenv("BILLING_URL"), billing.WithRequestEditorFn(credentials))
	check(err)

	for plan := 1; plan <= 3; plan++ {
		_, err := api.CreateProductWithResponse(ctx, nil, billing.CreateProductRequest{
			Id: textId(fmt.Sprintf("plan-%d", plan)), Name: fmt.Sprintf("Plan %d", plan),
		})
		check(err)
	}
	limit := 2
	first, err := api.ListProductsWithResponse(ctx, &billing.ListProductsParams{Limit: &limit})
	check(err)
	cursor := first.JSON200.Pagination.NextCursor
	second, err := api.ListProductsWithResponse(ctx, &billing.ListProductsParams{Limit: &limit, Cursor: cursor})
	check(err)
	fmt.Printf("products: %s | %s\n", names(first.JSON200.Data.Products), names(second.JSON200.Data.Products))

	var customer billing.CreateCustomerRequest
	check(json.Unmarshal([]byte(`{ "id": 42, "name": "Ann Example", "email": "ann@example.org" }`), &customer))
	_, err = api.CreateCustomerWithResponse(ctx, nil, customer)
	check(err)
	basic := billing.CreatePriceRequest{
		Id: textId("basic"), Currency: "EUR", Price: 999, Type: billing.OneTime,
	}
	check(basic.ProductId.FromEntityIdText("plan-1"))
	_, err = api.CreatePriceWithResponse(ctx, nil, basic)
	check(err)
	var invoice billing.CreateInvoiceRequest
	check(json.Unmarshal([]byte(`{
		"id": "2026-0001",
		"total": 999,
		"created": "2026-01-01",
		"period_start": "2026-01-01",
		"period_end": "2026-02-01",
		"currency": "EUR",
		"customer_id": 42,
		"subscription_id": "ann-basic",
		"line_items": [
			{ "amount": 999, "type": "recurring", "interval": "month", "interval_count": 1, "price_id": "basic" }
		]
	}`), &invoice))
	_, err = api.CreateInvoiceWithResponse(ctx, nil, invoice)
	check(err)
	include := []billing.RetrieveInvoiceParamsInclude{
		billing.RetrieveInvoiceParamsIncludeCustomer, billing.RetrieveInvoiceParamsIncludeLineItems,
		billing.RetrieveInvoiceParamsIncludePrice,
	}
	retrieved, err := api.RetrieveInvoiceWithResponse(ctx, "2026-0001", &billing.RetrieveInvoiceParams{Include: &include})
	check(err)
	recorded := retrieved.JSON200.Data.Invoice
	linePrice := (*recorded.LineItems)[0].Price
	fmt.Printf("invoice: %d %s %s\n", recorded.Total, *recorded.Customer.Name, linePrice.Product.Name)
	includeLatest := []billing.RetrieveSubscriptionParamsInclude{billing.RetrieveSubscriptionParamsIncludeLatestInvoice}
	subscriptionParams := &billing.RetrieveSubscriptionParams{Include: &includeLatest}
	subscription, err := api.RetrieveSubscriptionWithResponse(ctx, "ann-basic", subscriptionParams)
	check(err)
	fmt.Printf("subscription: %d\n", subscription.JSON200.Data.Subscription.LatestInvoice.Total)

	notFound, err := api.RetrieveProductWithResponse(ctx, "unknown", nil)
	check(err)
	fmt.Printf("%d: %s\n", notFound.StatusCode(), notFound.JSON404.Errors[0].Title)

	price := billing.CreatePriceRequest{
		Id: textId("basic-monthly"), Currency: "EUR", Price: 999, Type: billing.Recurring,
	}
	check(price.ProductId.FromEntityIdText("plan-1"))
	invalid, err := api.CreatePriceWithResponse(ctx, nil, price)
	check(err)
	fmt.Printf("%d: %d details\n", invalid.StatusCode(), len(invalid.JSON422.Errors))

	// Without a body, this operation erases the person. This method always sends a body.
	email := "ann@new.example.org"
	changes := billing.UpdateCustomerRequest{Id: textId("42"), Email: &email}
	updated, err := api.UpdateCustomerWithResponse(ctx, "42", nil, changes)
	check(err)
	person := updated.JSON200.Data.Customer
	fmt.Printf("updated: %s <%s>\n", *person.Name, *person.Email)
}
