package verdict

import (
	"encoding/json"
	"strings"
	"testing"
)

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
		`no JSON`, `{}`, `{"type":"witness","version":99}`, `{"type":"witness","version":1,"threads":0}`,
		`{"type":"witness","version":1,"threads":1,"schedule":{"turns":[{"thread":0}]}}`,
		`{"type":"witness","version":1,"threads":1,"schedule":{"turns":[{"thread":1,"call":{"op":3}}]}}`,
		`{"type":"witness","version":1,"threads":1,"source":{"ops":["A"]},"schedule":{"turns":[{"thread":2,"call":{"op":0}}]}}`,
	} {
		if w, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: accepted as %v", text, w)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"witness","version":1,"threads":1,"source":{"ops":["A"]},"schedule":{"turns":[{"thread":1,"call":{"op":0}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if w, err := Parse(text); err == nil && w == nil {
			t.Error("neither a witness nor an error")
		}
	})
}
