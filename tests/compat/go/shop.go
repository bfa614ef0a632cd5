// A shop that reports through sentry-go as its documentation says; nothing here knows of Sonde.
// Prints the event ids as JSON, then ends by a panic that sentry-go recovers.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

type PaymentError struct{ Cents int }

func (e *PaymentError) Error() string { return fmt.Sprintf("card declined for %d cents", e.Cents) }

type CheckoutError struct {
	Order int
	Cause error
}

func (e *CheckoutError) Error() string { return fmt.Sprintf("order %d could not be placed", e.Order) }
func (e *CheckoutError) Unwrap() error { return e.Cause }

func chargeCard(cents int) error { return &PaymentError{Cents: cents} }

func placeOrder(order int) error {
	if err := chargeCard(5990); err != nil {
		return &CheckoutError{Order: order, Cause: err}
	}
	return nil
}

func captureChained() *sentry.EventID {
	return sentry.CaptureException(placeOrder(1001))
}

// Two different texts, held together by the fingerprint alone.
func captureFingerprinted(message string) *sentry.EventID {
	var id *sentry.EventID
	sentry.WithScope(func(scope *sentry.Scope) {
		scope.SetFingerprint([]string{"stock-is-low"})
		scope.SetLevel(sentry.LevelWarning)
		scope.AddAttachment(&sentry.Attachment{
			Filename: "stock.csv", ContentType: "text/csv", Payload: []byte("sku,left\n4711,2\n"),
		})
		id = sentry.CaptureMessage(message)
	})
	return id
}

func dropUnneeded(event *sentry.Event, _ *sentry.EventHint) *sentry.Event {
	if event.Message == "nobody needs this" {
		return nil
	}
	return event
}

func sendNewsletter(recipients []string) string { return recipients[0] }

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("SENTRY_DSN"),
		Release:          "shop@1.4.2",
		Environment:      "compat-go",
		EnableTracing:    true,
		TracesSampleRate: 1.0,
		AttachStacktrace: true,
		BeforeSend:       dropUnneeded,
	})
	if err != nil {
		panic(err)
	}

	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "42", Email: "ada@example.com", Username: "ada"})
		scope.SetTag("region", "eu-west")
		scope.SetContext("cart", sentry.Context{"items": 3, "total": 59.9})
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{
		Category: "shop.cart", Message: "put sku 4711 into the cart", Level: sentry.LevelInfo,
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{
		Category: "shop.pay", Message: "card was asked for", Level: sentry.LevelWarning,
		Data: map[string]any{"attempt": 2},
	})

	sentry.CaptureMessage("nobody needs this")
	ids := map[string]any{
		"chained": captureChained(),
		"message": sentry.CaptureMessage("The nightly import took long"),
		"fingerprinted": []*sentry.EventID{
			captureFingerprinted("Only two bicycles left"), captureFingerprinted("No teapots any more"),
		},
	}

	transaction := sentry.StartTransaction(context.Background(), "checkout", sentry.WithOpName("task"))
	ids["trace"] = transaction.TraceID.String()
	transaction.StartChild("task.part", sentry.WithDescription("charge")).Finish()
	transaction.Finish()
	sentry.CaptureCheckIn(&sentry.CheckIn{MonitorSlug: "nightly-import", Status: sentry.CheckInStatusOK}, nil)
	sentry.NewLogger(context.Background()).Info().Emit("order placed")
	sentry.NewMeter(context.Background()).Count("orders", 1)

	func() {
		defer sentry.Recover()
		sendNewsletter(nil)
	}()
	if !sentry.Flush(10 * time.Second) {
		panic(errors.New("not everything was sent within 10 s"))
	}
	if err := json.NewEncoder(os.Stdout).Encode(ids); err != nil {
		panic(err)
	}
}
