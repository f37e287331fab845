package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	billing "example.com/billing/openapi-generator-go/client"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func clientId(text string) billing.ClientId {
	return billing.ClientId{String: &text}
}

func entityId(text string) billing.EntityId {
	return billing.EntityId{String: &text}
}

// Without a body this operation erases the person; here the compiler asks for one.
func updateCustomer(ctx context.Context, api *billing.APIClient, id string, changes billing.UpdateCustomerRequest) (*billing.CustomerResponse, error) {
	updated, _, err := api.CustomersAPI.UpdateCustomer(ctx, id).UpdateCustomerRequest(changes).Execute()
	return updated, err
}

func names(products []billing.ProductWithIncludes) string {
	names := []string{}
	for _, product := range products {
		names = append(names, product.Name)
	}
	return strings.Join(names, ", ")
}

func refusal(response *http.Response, err error) (int, []billing.ErrorEntry) {
	var failed *billing.GenericOpenAPIError
	if !errors.As(err, &failed) {
		panic(err)
	}
	return response.StatusCode, failed.Model().(billing.ErrorResponse).Errors
}

func main() {
	ctx := context.WithValue(context.Background(), billing.ContextAccessToken, os.Getenv("BILLING_API_KEY"))
	ctx = context.WithValue(ctx, billing.ContextAPIKeys, map[string]billing.APIKey{"appId": {Key: os.Getenv("BILLING_APP_ID")}})
	configuration := billing.NewConfiguration()
	configuration.Servers = billing.ServerConfigurations{{URL: os.Getenv("BILLING_URL")}}
	api := billing.NewAPIClient(configuration)

	for plan := 1; plan <= 3; plan++ {
		product := billing.NewCreateProductRequest(clientId(fmt.Sprintf("plan-%d", plan)), fmt.Sprintf("Plan %d", plan))
		_, _, err := api.ProductsAPI.CreateProduct(ctx).CreateProductRequest(*product).Execute()
		check(err)
	}
	first, _, err := api.ProductsAPI.ListProducts(ctx).Limit(2).Execute()
	check(err)
	second, _, err := api.ProductsAPI.ListProducts(ctx).Limit(2).Cursor(first.Pagination.GetNextCursor()).Execute()
	check(err)
	fmt.Printf("products: %s | %s\n", names(first.Data.Products), names(second.Data.Products))

	number := int64(42)
	customer := billing.NewCreateCustomerRequest(billing.ClientId{Int64: &number})
	customer.SetName("Ann Example")
	customer.SetEmail("ann@example.org")
	_, _, err = api.CustomersAPI.CreateCustomer(ctx).CreateCustomerRequest(*customer).Execute()
	check(err)
	line := billing.NewLineItemRequest()
	line.SetAmount(999)
	line.SetType(billing.RECURRING)
	line.SetInterval(billing.MONTH)
	line.SetIntervalCount(1)
	invoice := billing.CreateInvoiceRequest{
		Id:             clientId("2026-0001"),
		Total:          999,
		Created:        "2026-01-01",
		PeriodStart:    "2026-01-01",
		PeriodEnd:      "2026-02-01",
		Currency:       "EUR",
		CustomerId:     billing.EntityId{Int64: &number},
		SubscriptionId: entityId("ann-basic"),
		LineItems:      []billing.LineItemRequest{*line},
	}
	_, _, err = api.InvoicesAPI.CreateInvoice(ctx).CreateInvoiceRequest(invoice).Execute()
	check(err)
	include := []string{"customer", "line_items"}
	found, _, err := api.InvoicesAPI.RetrieveInvoice(ctx, "2026-0001").Include(include).Execute()
	check(err)
	embedded := found.Data.Invoice
	fmt.Printf("invoice: %d %s %d\n", embedded.Total, embedded.Customer.GetName(), len(embedded.LineItems))

	_, response, err := api.ProductsAPI.RetrieveProduct(ctx, "unknown").Execute()
	status, faults := refusal(response, err)
	fmt.Printf("%d: %s\n", status, faults[0].Title)

	price := billing.NewCreatePriceRequest(clientId("basic-monthly"), entityId("plan-1"), "EUR", 999, billing.RECURRING)
	_, response, err = api.PricesAPI.CreatePrice(ctx).CreatePriceRequest(*price).Execute()
	status, faults = refusal(response, err)
	fmt.Printf("%d: %d details\n", status, len(faults))

	changes := billing.NewUpdateCustomerRequest(clientId("42"))
	changes.SetEmail("ann@new.example.org")
	updated, err := updateCustomer(ctx, api, "42", *changes)
	check(err)
	person := updated.Data.Customer
	fmt.Printf("updated: %s <%s>\n", person.GetName(), person.GetEmail())
}
