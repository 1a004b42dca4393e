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
	given := []collection.Result{{Codec: handle}, {Form: collection.FormValue, Objects: []string{"v0"}}}
	both := []collection.Result{{Codec: handle}, {Codec: handle}, {Form: collection.FormValue, Objects: []string{"v0", "v1"}}}
	beside := []collection.Result{{Codec: handle}, {Codec: &collection.Codec{Shape: collection.AsOpaque}}, {Form: collection.FormValue, Objects: []string{"v0", "v1.of"}}}
	found := &collection.Collection{Operations: []collection.Operation{{Name: "Get", Results: given}, {Name: "GetTwo", Results: both}, {Name: "GetOf", Results: beside},
		{Name: "PutTwo", Call: collection.Call{Params: []*collection.Codec{handle, handle}}}, {Name: "Put", Call: collection.Call{Params: []*collection.Codec{handle}}}}}
	get := func(thread, from, till int, object string) verdict.Event {
		return verdict.Event{Operation: "Get", Thread: thread, Invoked: from, Responded: till, Results: []string{"non-nil", object}}
	}
	put := func(thread, from, till int) verdict.Event {
		return verdict.Event{Operation: "Put", Thread: thread, Invoked: from, Responded: till}
	}
	two := func(name string, thread, from, till int, results ...string) verdict.Event {
		return verdict.Event{Operation: name, Thread: thread, Invoked: from, Responded: till, Results: results}
	}
	putTwo := func(thread, from, till int) verdict.Event {
		return verdict.Event{Operation: "PutTwo", Thread: thread, Invoked: from, Responded: till}
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
		{"two at a time", []verdict.Event{two("GetTwo", 1, 1, 2, "non-nil", "non-nil", "object #1 object #2"), two("GetTwo", 2, 3, 4, "non-nil", "non-nil", "object #3 object #2")}, true},
		{"two at a time, others", []verdict.Event{two("GetTwo", 1, 1, 2, "non-nil", "non-nil", "object #1 object #2"), two("GetTwo", 2, 3, 4, "non-nil", "non-nil", "object #3 object #4")}, false},
		{"one of two given back", []verdict.Event{two("GetTwo", 1, 1, 2, "non-nil", "non-nil", "object #1 object #2"), put(1, 3, 4), get(2, 5, 6, "object #2")}, false},
		{"the other of two given back", []verdict.Event{two("GetTwo", 1, 1, 2, "non-nil", "non-nil", "object #1 object #2"), put(1, 3, 4), get(2, 5, 6, "object #1")}, true},
		{"both given back", []verdict.Event{two("GetTwo", 1, 1, 2, "non-nil", "non-nil", "object #1 object #2"), putTwo(1, 3, 4), get(2, 5, 6, "object #1")}, false},
		{"one is nil", []verdict.Event{two("GetTwo", 1, 1, 2, "nil", "non-nil", "object #1"), get(2, 5, 6, "object #1")}, true},
		{"what is not lent", []verdict.Event{two("GetOf", 1, 1, 2, "non-nil", "{}", "object #1 object #2"), two("GetOf", 2, 3, 4, "non-nil", "{}", "object #3 object #2")}, false},
		{"what is lent beside it", []verdict.Event{two("GetOf", 1, 1, 2, "non-nil", "{}", "object #1 object #2"), two("GetOf", 2, 3, 4, "non-nil", "{}", "object #1 object #2")}, true},
		{"what is lent, or what is not", []verdict.Event{two("GetOf", 1, 1, 2, "non-nil", "{}", "object #1"), two("GetOf", 2, 3, 4, "non-nil", "{}", "object #1")}, false},
		{"none", []verdict.Event{get(1, 1, 2, "no object"), get(2, 3, 4, "no object")}, false},
	} {
		if got := twoHave(&verdict.Witness{Account: verdict.Account{History: tc.history}}, found); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
