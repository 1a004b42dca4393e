// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"strings"
	"testing"

	"pangolin/verdict"
)

// calls writes a history: thread, call, its result ("" none, "!" a panic, "..." it never
// returns), and the steps at which it begins and ends.
func call(thread int, text, result string, steps ...int) verdict.Event {
	name, args, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	e := verdict.Event{Thread: thread, Operation: name, Invoked: steps[0]}
	if args != "" {
		e.Args = strings.Split(args, ", ")
	}
	if len(steps) > 1 {
		e.Responded = steps[1]
	}
	switch result {
	case "", "...":
	case "!":
		e.Panicked = true
	default:
		e.Results = strings.Split(result, ", ")
	}
	return e
}

func TestTimeline_DrawsOverlapStuckCallsAndPanics(t *testing.T) {
	for _, c := range []struct {
		name    string
		history []verdict.Event
		want    string
	}{
		{"nothing", nil, ""},
		{"one after the other", []verdict.Event{call(1, "Add(0)", "true", 1, 4), call(2, "Get()", "0, true", 5, 9)},
			"1  [Add(0) = true]\n2                 [Get() = 0, true]"},
		{"overlap and a stuck call", []verdict.Event{call(1, "Add(0)", "true", 1, 7), call(2, "Lock()", "...", 3), call(1, "Add(0)", "true", 9, 12)},
			"1  [Add(0) = true][Add(0) = true]\n2   [Lock()-------------------..."},
		{"a panic, and a thread that does nothing", []verdict.Event{call(3, "Pop()", "!", 2, 8)}, "1\n2\n3  [Pop() panics]"},
	} {
		if got := strings.Join(timeline(c.history, 80), "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTimeline_NeverExceedsEightyColumns(t *testing.T) {
	var history []verdict.Event
	for i := range 9 {
		history = append(history, call(1, "CompareAndSwap(1, 2, 3)", "false", 4*i+1, 4*i+4), call(2, "LoadOrStore(1, 2)", "", 4*i+2, 4*i+3))
	}
	for _, line := range timeline(history, 80) {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestExplanation_SaysWhatTheOracleWantsInstead(t *testing.T) {
	put, take := call(1, "Put(1)", "", 1, 4), call(2, "Take()", "0, false", 5, 9)
	stuckPut, stuckTake := call(1, "Put(1)", "...", 1), call(2, "Take()", "...", 5)
	one := verdict.Returned{Results: []string{"1", "true"}}
	for _, c := range []struct {
		name    string
		history []verdict.Event
		why     verdict.Explanation
		want    string
	}{
		{"a result that does not fit", []verdict.Event{put, take},
			verdict.Explanation{Kind: verdict.NoOrder, Property: "linear", Tried: []verdict.Order{{Calls: []int{1}, Rejected: []verdict.Rejection{{Call: 2, Allowed: []verdict.Returned{one}}}}}},
			"no order of the operations that puts each call before those that began after its return explains the results. The longest that the oracle follows:\n" +
				"  1:Put(1)\n    then 2:Take() = 0, false: but here Take() = 1, true"},
		{"a call that may not wait", []verdict.Event{stuckTake},
			verdict.Explanation{Kind: verdict.NoOrder, Property: "sc", Stuck: []int{2}, Tried: []verdict.Order{{Rejected: []verdict.Rejection{{Call: 1, Allowed: []verdict.Returned{one, {Panicked: true}}}}}}},
			"no order of the operations that keeps each thread's own order lets thread 2 stay stuck. The longest that the oracle follows:\n" +
				"  (none)\n    then 2:Take() never returns: but here it can return, Take() = 1, true or Take() panics"},
		{"an end that is none", []verdict.Event{put},
			verdict.Explanation{Kind: verdict.NoOrder, Property: "quiescent", Tried: []verdict.Order{{Calls: []int{1}}}},
			"no order of the operations that keeps the order of calls that a moment without calls separates explains the results. The longest that the oracle follows:\n" +
				"  1:Put(1)\n    and a history may not end there"},
		{"calls on their way", []verdict.Event{put, stuckTake},
			verdict.Explanation{Kind: verdict.NoOrder, Property: "linear", Unfinished: true, Tried: []verdict.Order{{Calls: []int{2}, Rejected: []verdict.Rejection{{Call: 1}}}}},
			"no order of the operations that puts each call before those that began after its return explains the results. The longest that the oracle follows:\n" +
				"  2:Take() (in progress)\n    then 1:Put(1): but here it cannot return"},
		{"partners", []verdict.Event{stuckPut, stuckTake}, verdict.Explanation{Kind: verdict.Partners, Stuck: []int{1, 2}},
			"1:Put(1) never returns and 2:Take() never returns, although they serve each other"},
	} {
		w := &verdict.Witness{Account: verdict.Account{History: c.history, Explanation: &c.why}}
		if got := strings.Join(explanation(w), "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
