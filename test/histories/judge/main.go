// Command judge reads a history, an operation in each line, and says which of its keys are not linearizable.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is a request of a client with its outcome. Times are in microseconds.
type operation struct {
	Kind, Key, Client, Op, Outcome string
	Call, Return                   int64
	// Released tells that the process of an earlier release carried it out, which promises less.
	Released bool
	Input    struct {
		Number int
		// Delay is how long an index may take to show a write, or a function to look up a key again.
		Delay  int64
		Fields map[string]string
	}
	// Shown has the values of the object that the response shows.
	Shown map[string]string
	Rows  []struct {
		ID      string
		Changed int64
	}
	// List and ID tell where an entity that the operation creates is listed.
	List, ID string

	line       int
	bit, after uint64
	bounded    bool
}

func (op *operation) isRead() bool {
	return op.after != 0 || op.Op == "request" || strings.HasPrefix(op.Op, "read")
}

// settles tells whether no earlier write of the object can be carried out after this one.
func (op *operation) settles() bool {
	return op.Outcome == "ok" && slices.Contains([]string{"update", "erase", "add", "disable", "enable"}, op.Op)
}

// lastReturn returns when an operation without an outcome was carried out at the latest.
func (op *operation) lastReturn(history []*operation) int64 {
	last := int64(math.MaxInt64)
	if op.Released || !slices.Contains([]string{"update", "erase", "upsert", "add", "disable", "enable"}, op.Op) {
		return last
	}
	for _, other := range history {
		if other.settles() && other.Call > op.Return {
			last = min(last, other.Return)
		}
	}
	return last
}

// operationsOf returns the operations for the checker: of an acknowledged write, also a read that comes after it.
func operationsOf(history []*operation) []porcupine.Operation {
	var operations []porcupine.Operation
	add := func(op *operation, call, end int64) {
		operations = append(operations, porcupine.Operation{Input: op, Call: call, Return: end})
	}
	writes := 0
	for _, op := range history {
		switch {
		case op.isRead() && op.Outcome == "unknown":
		case op.Op == "request" && op.Outcome == "ok":
			// The key may have been looked up before.
			add(op, op.Call-op.Input.Delay, op.Return)
		case op.isRead():
			add(op, op.Call, op.Return)
		default:
			op.bit = 1 << writes
			if writes++; writes > 64 {
				panic("more than 64 writes of " + op.Key)
			}
			end := op.Return
			if op.Outcome == "unknown" {
				end = op.lastReturn(history)
				op.bounded = end != math.MaxInt64
			}
			add(op, op.Call, end)
			if op.Outcome == "ok" && op.Shown != nil {
				add(&operation{Op: "read", Outcome: "ok", Shown: op.Shown, after: op.bit}, op.Call, op.Return)
			}
		}
	}
	return operations
}

func check(history []*operation) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(models[history[0].Kind], operationsOf(history), 10*time.Second)
}

// shrink leaves out the reads without which the history is not linearizable either.
func shrink(history []*operation) []*operation {
	for index := len(history) - 1; index >= 0; index-- {
		if !history[index].isRead() {
			continue
		}
		shorter := slices.Delete(slices.Clone(history), index, index+1)
		if check(shorter) == porcupine.Illegal {
			history = shorter
		}
	}
	return history
}

// verdict says why a key is wrong, with the lines of the operations that show it.
type verdict struct {
	Key   string `json:"key"`
	Why   string `json:"why"`
	Lines []int  `json:"lines"`
}

func linesOf(history []*operation) (lines []int) {
	for _, op := range history {
		lines = append(lines, op.line)
	}
	return lines
}

func judge(history []*operation, creates map[string]map[string]*creation) (wrong verdict, isWrong bool) {
	key := history[0].Key
	slices.SortStableFunc(history, func(a, b *operation) int { return int(a.Call - b.Call) })
	if history[0].Kind == "list" {
		walk, why := judgeWalks(history, creates[key])
		if walk == nil {
			return verdict{}, false
		}
		return verdict{key, why, []int{walk.line}}, true
	}
	switch check(history) {
	case porcupine.Illegal:
		return verdict{key, "no order of the operations explains the responses", linesOf(shrink(history))}, true
	case porcupine.Unknown:
		// Neither shown to be right nor wrong.
		fmt.Fprintln(os.Stderr, key+" is undecided")
	}
	return verdict{}, false
}

func main() {
	keys := map[string][]*operation{}
	var all []*operation
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<28)
	for lines.Scan() {
		op := &operation{line: len(all)}
		if err := json.Unmarshal(lines.Bytes(), op); err != nil {
			panic(err)
		}
		keys[op.Key] = append(keys[op.Key], op)
		all = append(all, op)
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	creates := creationsOf(all)
	for _, history := range keys {
		if wrong, isWrong := judge(history, creates); isWrong {
			line, _ := json.Marshal(wrong)
			fmt.Println(string(line))
		}
	}
}
