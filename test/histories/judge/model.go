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

// modelOf returns the model of an object. An operation whose outcome is unknown was carried out or not. It may also lead to
// the other states that partly returns.
func modelOf[S comparable](start S, apply step[S], partly func(S, *operation) []S, shows func(S, *operation) bool) porcupine.Model {
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
			next, outcome := apply(now.state, op)
			if op.Outcome != "unknown" && outcome != op.Outcome {
				return nil
			}
			states := []any{carriedOut[S]{next, now.done | op.bit}}
			for _, other := range partly(now.state, op) {
				states = append(states, carriedOut[S]{other, now.done | op.bit})
			}
			if op.Outcome == "unknown" && op.bounded {
				states = append(states, now)
			}
			return states
		},
	}
	return model.ToModel()
}

// customer is what a client can see of a customer, and the content of its create, by which a retry is recognised.
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

// application has keys of which each is on or off: off with its application, revoked or expired, it is refused.
type application struct {
	disabled            bool
	added, revoked, off uint64
}

// copied is the application after its keys have what it says, but for those that are left.
func (a application) copied(left uint64) application {
	if a.off &= left; a.disabled {
		a.off |= a.added &^ left
	}
	return a
}

func applyToApplication(a application, op *operation) (application, string) {
	switch op.Op {
	case "disable", "enable":
		a.disabled = op.Op == "disable"
		a = a.copied(0)
	case "add":
		a.added |= 1 << op.Input.Number
		if a.disabled {
			a.off |= 1 << op.Input.Number
		}
	case "revoke":
		a.revoked |= 1 << op.Input.Number
	}
	return a, "ok"
}

// applyPartly leaves out keys that were being added, of which a command tells only in its response. The next command copies
// what they lack, also one that scales.
func applyPartly(a application, op *operation) []application {
	states := []application{}
	switch {
	case op.Op == "scale":
		states = append(states, a.copied(0))
	case op.Outcome == "unknown" && (op.Op == "disable" || op.Op == "enable"):
		a.disabled = op.Op == "disable"
		// Every set of keys but the first one, which was never being added.
		all := a.added &^ a.revoked &^ 1
		for left := all; left != 0; left = (left - 1) & all {
			states = append(states, a.copied(left))
		}
	}
	return states
}

func applicationShows(a application, op *operation) bool {
	if op.after != 0 {
		return true
	}
	isValid := (a.added&^a.revoked&^a.off)&(1<<op.Input.Number) != 0
	switch op.Input.Fields["expiry"] {
	case "passed":
		isValid = false
	case "near":
		return op.Outcome == "refused" || isValid
	}
	return isValid == (op.Outcome == "ok")
}

func never[S any](S, *operation) []S { return nil }

var models = map[string]porcupine.Model{
	"customer":     modelOf(customer{}, applyToCustomer, never, customerShows),
	"subscription": modelOf(subscription{}, applyToSubscription, never, subscriptionShows),
	"application":  modelOf(application{added: 1}, applyToApplication, applyPartly, applicationShows),
}
