// SPDX-License-Identifier: BSD-3-Clause

package verdict

import "encoding/json"

// A printed line of JSON leaves out what scripts do not need: the witness of a violation, which is a file of its own, the state after each
// step, the text of a certificate. A record contains all of it, so that a verdict can be stored or sent, and then be rendered in every
// format as when it was made.

// record is a verdict with what its line leaves out.
type record struct {
	Verdict    Verdict     `json:"line"`
	Uncounted  bool        `json:"uncounted,omitempty"` // Clients is "", which the line writes as 0
	Confusions float64     `json:"confusions,omitempty"`
	Apart      string      `json:"apart,omitempty"`
	Execution  *execution  `json:"execution,omitempty"` // the violation's witness
	Outcomes   *Outcomes   `json:"outcomes,omitempty"`
	Schedules  []execution `json:"schedules,omitempty"` // the witnesses of the outcomes, one each
	Proof      *evidence   `json:"proof,omitempty"`
}

// execution is a witness with what its file leaves out.
type execution struct {
	Witness *Witness     `json:"witness"`
	Scenes  []Scene      `json:"scenes,omitempty"`
	Around  []SourceLine `json:"around,omitempty"`
	Words   [][]uint64   `json:"words,omitempty"` // of each call
}

// evidence is what the line of a proof leaves out.
type evidence struct {
	Seen       []SeenAt     `json:"seen,omitempty"`
	Text       []byte       `json:"text,omitempty"`
	Checks     []Check      `json:"checks,omitempty"`
	Assertions []SourceFile `json:"assertions,omitempty"`
}

// Encode encodes a verdict as a record. Equal verdicts give equal records.
func Encode(v *Verdict) ([]byte, error) {
	r := record{Verdict: *v, Uncounted: v.Clients == "", Confusions: v.Confusions, Apart: v.Apart, Outcomes: v.Outcomes}
	if b := v.Violation; b != nil && b.Execution != nil {
		e := executionOf(b.Execution)
		r.Execution = &e
	}
	if v.Outcomes != nil {
		for i := range v.Outcomes.List {
			r.Schedules = append(r.Schedules, executionOf(v.Outcomes.List[i].Execution))
		}
	}
	if p := v.Proof; p != nil {
		r.Proof = &evidence{p.Seen, p.Text, p.Checks, p.Assertions}
	}
	return json.Marshal(&r)
}

func executionOf(w *Witness) execution {
	if w == nil {
		return execution{}
	}
	e := execution{Witness: w, Scenes: w.Scenes, Around: w.Around}
	for i := range w.History {
		e.Words = append(e.Words, w.History[i].Words)
	}
	return e
}

// whole restores the witness.
func (e *execution) whole() *Witness {
	if e.Witness != nil {
		e.Witness.Scenes, e.Witness.Around = e.Scenes, e.Around
		for i := range min(len(e.Words), len(e.Witness.History)) {
			e.Witness.History[i].Words = e.Words[i]
		}
	}
	return e.Witness
}

// Decode decodes a record.
func Decode(text []byte) (*Verdict, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	v := &r.Verdict
	if r.Uncounted {
		v.Clients = ""
	}
	v.Confusions, v.Apart, v.Outcomes = r.Confusions, r.Apart, r.Outcomes
	if v.Violation != nil && r.Execution != nil {
		v.Violation.Execution = r.Execution.whole()
	}
	if v.Outcomes != nil {
		for i := range min(len(v.Outcomes.List), len(r.Schedules)) {
			v.Outcomes.List[i].Execution = r.Schedules[i].whole()
		}
	}
	if v.Proof != nil && r.Proof != nil {
		v.Proof.Seen, v.Proof.Text, v.Proof.Checks, v.Proof.Assertions = r.Proof.Seen, r.Proof.Text, r.Proof.Checks, r.Proof.Assertions
	}
	return v, nil
}
