package main

import (
	"fmt"
	"math"
	"slices"
)

// judgeWalks returns the first wrong walk of one list, and why it is wrong: an entity that was acknowledged before the walk began
// is missing, or an entity comes twice, comes without a create (subscriptions have none), or stands elsewhere than in the last walk.
func judgeWalks(walks []*operation, creates map[string]*creation) (*operation, string) {
	places := map[string]int{}
	for _, walk := range walks {
		if walk.Op == "walk" {
			places = map[string]int{}
			for place, row := range walk.Rows {
				places[row.ID] = place
			}
		}
	}
	for _, walk := range walks {
		seen := map[string]bool{}
		for position, row := range walk.Rows {
			created := creates[row.ID]
			switch {
			case seen[row.ID]:
				return walk, row.ID + " comes twice"
			case creates != nil && (created == nil || created.sent > walk.Return):
				return walk, row.ID + " was not sent"
			case position > 0 && walk.Op == "walk changes" && row.Changed < walk.Rows[position-1].Changed:
				return walk, row.ID + " comes after a later change"
			}
			seen[row.ID] = true
		}
		if walk.Op == "walk changes" {
			continue
		}
		for id, created := range creates {
			if !seen[id] && created.acknowledged < walk.Call-walk.Input.Delay {
				return walk, fmt.Sprintf("%s is missing, acknowledged %d ms before the walk", id, (walk.Call-created.acknowledged)/1000)
			}
		}
		last := -1
		for _, row := range walk.Rows {
			place, isPlaced := places[row.ID]
			if isPlaced && place < last {
				return walk, row.ID + " stands elsewhere than in the last walk"
			}
			last = max(last, place)
		}
	}
	return nil, ""
}

// creation has the times at which the first create of an entity was sent and the first one was acknowledged.
type creation struct{ sent, acknowledged int64 }

// creationsOf returns the creates of each list by the entities' ids.
func creationsOf(history []*operation) map[string]map[string]*creation {
	lists := map[string]map[string]*creation{}
	for _, op := range history {
		if !slices.Contains([]string{"create", "upsert", "bill"}, op.Op) {
			continue
		}
		if lists[op.List] == nil {
			lists[op.List] = map[string]*creation{}
		}
		created := lists[op.List][op.ID]
		if created == nil {
			created = &creation{sent: op.Call, acknowledged: math.MaxInt64}
			lists[op.List][op.ID] = created
		}
		created.sent = min(created.sent, op.Call)
		if op.Outcome == "ok" {
			created.acknowledged = min(created.acknowledged, op.Return)
		}
	}
	return lists
}
