// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"testing"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// Who has an object when another one is given: from the response of the call that gave it to the invocation of the one that takes it back.
func TestTwoHave(t *testing.T) {
	handle := &collection.Codec{Shape: collection.AsHandle}
	found := &collection.Collection{Operations: []collection.Operation{{Name: "Get"}, {Name: "Put", Call: collection.Call{Params: []*collection.Codec{handle}}}}}
	get := func(thread, from, till int, object string) verdict.Event {
		return verdict.Event{Operation: "Get", Thread: thread, Invoked: from, Responded: till, Results: []string{"non-nil", object}}
	}
	put := func(thread, from, till int) verdict.Event {
		return verdict.Event{Operation: "Put", Thread: thread, Invoked: from, Responded: till}
	}
	for _, tc := range []struct {
		name    string
		history []verdict.Event
		want    bool
	}{
		{"two of two", []verdict.Event{get(1, 1, 3, "object #1"), get(2, 2, 4, "object #2")}, false},
		{"one of two", []verdict.Event{get(1, 1, 3, "object #1"), get(2, 2, 4, "object #1")}, true},
		{"one of the same thread", []verdict.Event{get(1, 1, 2, "object #1"), get(1, 3, 4, "object #1")}, true},
		{"given back before", []verdict.Event{get(1, 1, 2, "object #1"), put(1, 3, 4), get(2, 5, 6, "object #1")}, false},
		{"given back meanwhile", []verdict.Event{get(1, 1, 2, "object #1"), put(1, 3, 0), get(2, 1, 6, "object #1")}, false},
		{"given back afterwards", []verdict.Event{get(1, 1, 2, "object #1"), put(1, 5, 6), get(2, 3, 4, "object #1")}, true},
		{"another one given back", []verdict.Event{get(1, 1, 2, "object #1"), get(1, 3, 4, "object #2"), put(1, 5, 6), get(2, 7, 8, "object #1")}, true},
		{"the last one given back", []verdict.Event{get(1, 1, 2, "object #1"), get(1, 3, 4, "object #2"), put(1, 5, 6), get(2, 7, 8, "object #2")}, false},
		{"by another thread", []verdict.Event{get(1, 1, 2, "object #1"), put(2, 3, 4), get(2, 5, 6, "object #1")}, true},
		{"never returned", []verdict.Event{get(1, 1, 0, "object #1"), get(2, 2, 4, "object #1")}, false},
		{"none", []verdict.Event{get(1, 1, 2, "no object"), get(2, 3, 4, "no object")}, false},
	} {
		if got := twoHave(&verdict.Witness{Account: verdict.Account{History: tc.history}}, found); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
