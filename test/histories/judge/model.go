package main

import (
	"maps"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Step applies an operation to a state. It returns the state after it and the outcome that its client must have seen.
type step[S comparable] func(state S, op *operation) (S, string)

// carriedOut pairs a state with the writes that led to it, so that the response of a write shows this write or a later one.
type carriedOut[S comparable] struct {
	state S
	done  uint64
}

// modelOf returns the model of an object. An operation whose outcome is unknown was carried out or not;
// one that was refused because of too many others, busy, was not.
func modelOf[S comparable](start S, apply step[S], shows func(S, *operation) bool) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{carriedOut[S]{state: start}} },
		Step: func(before, input, _ any) []any {
			now, op := before.(carriedOut[S]), input.(*operation)
			if op.isRead() {
				if (op.after != 0 && now.done&op.after == 0) || !shows(now.state, op) {
					return nil
				}
				return []any{now}
			}
			if op.Outcome == "busy" {
				// An update that others kept coming before changed nothing, and never will.
				return []any{now}
			}
			next, outcome := apply(now.state, op)
			executed := carriedOut[S]{next, now.done | op.bit}
			switch {
			case op.Outcome == "unknown" && op.bounded:
				return []any{now, executed}
			case op.Outcome == "unknown" || outcome == op.Outcome:
				return []any{executed}
			}
			return nil
		},
	}
	return model.ToModel()
}

// customer has the fields that a client can see, and the content of the create, by which a retry is recognised.
type customer struct {
	exists, erased                    bool
	name, email, metadata, firstValue string
}

func (c customer) with(fields map[string]string) customer {
	for name, value := range fields {
		switch name {
		case "name":
			c.name = value
		case "email":
			c.email = value
		case "metadata":
			c.metadata = value
		}
	}
	return c
}

func content(fields map[string]string) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text += name + fields[name] + "\n"
	}
	return text
}

func applyToCustomer(c customer, op *operation) (customer, string) {
	fields := op.Input.Fields
	switch {
	case !c.exists && (op.Op == "create" || op.Op == "upsert"):
		return customer{exists: true, firstValue: content(fields)}.with(fields), "ok"
	case !c.exists:
		return c, "absent"
	case c.erased && (op.Op == "create" || op.Op == "upsert"):
		return c, "conflict"
	case op.Op == "create" && c.firstValue != content(fields):
		return c, "conflict"
	case op.Op == "create":
		return c, "ok"
	case op.Op == "erase":
		c.erased = true
		return c.with(fields), "ok"
	}
	return c.with(fields), "ok"
}

func customerShows(c customer, op *operation) bool {
	if !c.exists {
		return op.Outcome == "absent"
	}
	return op.Outcome == "ok" && c == c.with(op.Shown)
}

// subscription follows the invoice of the highest rank, whatever the order of arrival.
type subscription struct {
	latest, created string
	recorded        uint64
}

func applyToSubscription(s subscription, op *operation) (subscription, string) {
	if s.latest < op.Input.Fields["rank"] {
		s.latest = op.Input.Fields["rank"]
	}
	if s.created == "" || op.Input.Fields["created"] < s.created {
		s.created = op.Input.Fields["created"]
	}
	s.recorded |= 1 << op.Input.Number
	return s, "ok"
}

func subscriptionShows(s subscription, op *operation) bool {
	if op.Op == "read invoice" {
		return (s.recorded&(1<<op.Input.Number) != 0) == (op.Outcome == "ok")
	}
	if s.latest == "" {
		return op.Outcome == "absent"
	}
	return op.Outcome == "ok" && s.latest == op.Shown["rank"] && s.created == op.Shown["created"]
}

// application refuses every request while it is disabled, and every request with a key that is absent, revoked or expired.
type application struct {
	disabled       bool
	added, revoked uint64
}

func applyToApplication(a application, op *operation) (application, string) {
	switch op.Op {
	case "disable":
		a.disabled = true
	case "enable":
		a.disabled = false
	case "add":
		a.added |= 1 << op.Input.Number
	case "revoke":
		a.revoked |= 1 << op.Input.Number
	}
	return a, "ok"
}

func applicationShows(a application, op *operation) bool {
	if op.after != 0 {
		return true
	}
	isValid := !a.disabled && (a.added&^a.revoked)&(1<<op.Input.Number) != 0
	switch op.Input.Fields["expiry"] {
	case "passed":
		isValid = false
	case "near":
		return op.Outcome == "refused" || isValid
	}
	return isValid == (op.Outcome == "ok")
}

var models = map[string]porcupine.Model{
	"customer":     modelOf(customer{}, applyToCustomer, customerShows),
	"subscription": modelOf(subscription{}, applyToSubscription, subscriptionShows),
	"application":  modelOf(application{added: 1}, applyToApplication, applicationShows),
}
