// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Verdicts as JSON, exit codes, and files that are damaged.

func TestVerdict_HasTheFieldsOfTheContract(t *testing.T) {
	text, err := json.Marshal(Verdict{Type: "verdict", Scope: Scope{Bounds: &Bounds{}}, LeftOut: []LeftOut{}, Assumptions: []string{}, Effort: Effort{Clients: "8108"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"type", "schema", "collection", "kind", "protocol", "property", "oracle", "engine", "verdict", "reason", "left_out", "scope",
		"assumptions", "clients", "states", "transitions", "seconds", "peak_bytes", "violation"} {
		if !strings.Contains(string(text), `"`+field+`":`) {
			t.Errorf("no field %s in %s", field, text)
		}
	}
	for _, part := range []string{`"clients":8108`, `"threads":[0,0]`, `"preempt":null`, `"violation":null`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func TestExitCode_ViolatedWinsOverUnknown(t *testing.T) {
	verified, violated, unknown := Verdict{Status: Verified}, Verdict{Status: Violated}, Verdict{Status: Unknown}
	for _, c := range []struct {
		list []Verdict
		want int
	}{
		{nil, 0}, {[]Verdict{verified}, 0}, {[]Verdict{unknown, verified}, 3}, {[]Verdict{unknown, violated}, 1},
	} {
		if got := ExitCode(c.list); got != c.want {
			t.Errorf("%v: %d, want %d", c.list, got, c.want)
		}
	}
}

func TestParse_ReadsWhatWasWritten(t *testing.T) {
	w := Witness{Type: "witness", Version: Version, Threads: 2, Source: Source{Ops: []string{"Put"}},
		Schedule: Schedule{Turns: []Turn{{Thread: 2, Call: &Call{Op: 0, Args: []int64{1}}, Ran: [][2]int{{2, 7}}}}}}
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil || got.Schedule.Turns[0].Ran[0] != [2]int{2, 7} {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParse_RejectsWhatIsDamaged(t *testing.T) {
	for _, text := range []string{
		`no JSON`, `{}`, `{"type":"witness","version":99}`, `{"type":"witness","version":2,"threads":0}`,
		`{"type":"witness","version":2,"threads":1,"schedule":{"turns":[{"thread":0}]}}`,
		`{"type":"witness","version":2,"threads":1,"schedule":{"turns":[{"thread":1,"call":{"op":3}}]}}`,
		`{"type":"witness","version":2,"threads":1,"source":{"ops":["A"]},"schedule":{"turns":[{"thread":2,"call":{"op":0}}]}}`,
		`{"type":"witness","version":2,"threads":1,"steps":[{"thread":1,"call":1,"phase":"invoke"}]}`,
		`{"type":"witness","version":2,"threads":1,"steps":[{"thread":1,"frame":1,"access":{}}]}`,
		`{"type":"witness","version":2,"threads":1,"frames":[{"caller":1}]}`,
		`{"type":"witness","version":2,"threads":1,"steps":[{"thread":1,"access":{}}],"history":[{"thread":1,"invoked":2}]}`,
	} {
		if w, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: accepted as %v", text, w)
		}
	}
}

func TestParse_SaysWhatToDoWithAnotherVersion(t *testing.T) {
	old := `{"type":"witness","version":1,"threads":1,"steps":[{"thread":1,"access":"read x = 1","call":"Get()"}]}`
	_, err := Parse([]byte(old))
	if want := "version 1 and this program reads version 2"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: nothing about %q", err, want)
	}
}

func TestText_HasALineForEachStepAndIsReadAgain(t *testing.T) {
	w := &Witness{Type: "witness", Version: Version, Threads: 1, Source: Source{Ops: []string{"Get"}},
		Account: Account{Steps: []Step{{Thread: 1, Call: 1, Phase: Invoke}, {Thread: 1, Access: &Access{Kind: Read, Object: "a<b", Old: "]\n  }"}, Frame: 1}},
			Frames: []Frame{{Place: Place{Function: "f", File: "f.go", Line: 3}}}, History: []Event{{Thread: 1, Operation: "Get", Args: []string{}, Results: []string{}, Invoked: 1}}}}
	text, err := w.Text()
	if err != nil {
		t.Fatal(err)
	}
	if line := `  {"thread": 1, "operation": "", "access": {"kind": "read", "object": "a<b", "old": "]\n  }"}, "frame": 1}` + "\n"; !strings.Contains(string(text), line) {
		t.Errorf("no line\n%s in\n%s", line, text)
	}
	again, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if again.Scope.Bounds = nil; !reflect.DeepEqual(again.Steps, w.Steps) || !reflect.DeepEqual(again.History, w.History) || !reflect.DeepEqual(again.Frames, w.Frames) {
		t.Errorf("read again as %+v", again)
	}
}

func TestWitness_FollowsTheCallersOfAFrame(t *testing.T) {
	at := func(f string, caller int) Frame { return Frame{Place: Place{Function: f}, Caller: caller} }
	w := &Witness{Account: Account{Frames: []Frame{at("main", 0), at("f", 1), at("g", 1), at("h", 2)}}}
	var got []string
	for _, f := range w.Stack(4) {
		got = append(got, f.Function)
	}
	if want := []string{"h", "f", "main"}; !slices.Equal(got, want) || w.Stack(0) != nil {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"witness","version":2,"threads":1,"source":{"ops":["A"]},"schedule":{"turns":[{"thread":1,"call":{"op":0}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if w, err := Parse(text); err == nil && w == nil {
			t.Error("neither a witness nor an error")
		}
	})
}

// What a verdict is not about stands behind its word.
func TestExcept_SaysWhatIsNotChecked(t *testing.T) {
	for _, c := range []struct {
		oracle  string
		status  Status
		leftOut []LeftOut
		want    string
	}{
		{"queue", Verified, nil, ""},
		{"queue", Verified, []LeftOut{{Operation: "All"}, {Operation: "Walk"}}, "without All, Walk"},
		{"self", Verified, nil, "one thread unchecked"},
		{"self", Verified, []LeftOut{{Operation: "All"}}, "without All; one thread unchecked"},
		{"self", Violated, nil, ""},
	} {
		v := Verdict{Subject: Subject{Oracle: c.oracle}, Status: c.status, LeftOut: c.leftOut}
		if got := v.Except(); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.oracle, c.status, got, c.want)
		}
	}
	for status, want := range map[Status]string{Verified: "without All; always refused: Get, Put", Violated: "without All"} {
		v := Verdict{Subject: Subject{Oracle: "map"}, Status: status, LeftOut: []LeftOut{{Operation: "All"}},
			Findings: Findings{Returns: []Returns{{Operation: "Get", Refuses: true}, {Operation: "Has"}, {Operation: "Put", Refuses: true}}}}
		if got := v.Except(); got != want {
			t.Errorf("%s, with operations that refused every call: %q, want %q", status, got, want)
		}
	}
}

func TestCounted_HasThreeDigitsOfLargeNumbers(t *testing.T) {
	for n, want := range map[json.Number]string{
		"": "", "0": "0", "322930": "322930", "999999": "999999", "1000000": "1.00e6", "3329414046": "3.33e9", "9996000000": "1.00e10",
		"252300286432789203783563666756379739188": "2.52e38", json.Number("1" + strings.Repeat("0", 400)): "1.00e400",
	} {
		if got := Counted(n); got != want {
			t.Errorf("%s: %s, want %s", n, got, want)
		}
	}
}

func TestProof_SaysWhatItRestsOn(t *testing.T) {
	for _, c := range []struct {
		assumptions []string
		want        string
	}{
		{nil, "no wrong result, panic or data race for any number of threads"},
		{[]string{"hash functions are right"}, "no wrong result, panic or data race for any number of threads; of these it is assumed: hash functions are right"},
		{[]string{PanicsAlone}, "no wrong result or data race, and no panic but those of a call alone, for any number of threads"},
		{[]string{"a", PanicsAlone, "b"}, "no wrong result or data race, and no panic but those of a call alone, for any number of threads; of these it is assumed: a; b"},
	} {
		p := Proof{For: "for any number of threads", Assumptions: c.assumptions}
		if got := p.Says(); got != c.want {
			t.Errorf("%q: %s", c.assumptions, got)
		}
	}
}
