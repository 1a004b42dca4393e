// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Identity says which violation it is, in words that stay the same while the code around it is edited. It contains no line and no file, and
// nothing of the order in which threads take turns or of the memory that they access in between, so that another execution with the same
// calls, the same results and the same end is the same violation.
type Identity struct {
	Package    string   `json:"package"`
	Collection string   `json:"collection"`
	Property   string   `json:"property"`
	Class      string   `json:"class"`
	Operations []string `json:"operations"` // those that the client calls, sorted, each once
	// Shape is a digest of the calls of each thread with arguments and results, whatever the threads' numbers are, and of how the
	// execution ends: what races with what, who waits for what, what panics, and in which function it goes wrong.
	Shape string `json:"shape"`
}

// Identity identifies the violation of a verdict; false: it has none.
func (v *Verdict) Identity() (Identity, bool) {
	if v.Status != Violated || v.Violation == nil {
		return Identity{}, false
	}
	b := v.Violation
	id := Identity{Package: v.Package, Collection: v.Collection, Property: v.Property, Class: b.Class, Operations: []string{}}
	w := b.Execution
	if w == nil {
		id.Shape = digest([]string{b.Client, unnumbered(b.Summary)})
		return id, true
	}
	for i := range w.History {
		id.Operations = append(id.Operations, w.History[i].Operation)
	}
	slices.Sort(id.Operations)
	id.Operations = slices.Compact(id.Operations)
	id.Shape = digest(w.shape())
	return id, true
}

// Fingerprint is a digest of the identity: 32 hexadecimal digits.
func (id *Identity) Fingerprint() string {
	text, _ := json.Marshal(id) // strings alone
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// shape is a text for each thread, sorted, and one for the place where it goes wrong.
func (w *Witness) shape() []string {
	threads := map[int]string{}
	for i := range w.History {
		e := &w.History[i]
		text := e.Operation + "(" + strings.Join(e.Args, ",") + ")=" + strings.Join(e.Results, ",")
		switch {
		case e.Panicked:
			text += " panicked"
		case e.Responded == 0:
			text += " pending"
		}
		threads[e.Thread] += unnumbered(text) + "\n"
	}
	for _, s := range w.Waiting {
		threads[s.Thread] += "waits " + s.Operation + " " + s.For + " " + unnumbered(s.Object) + "\n"
	}
	for _, c := range w.Race {
		access := "reads "
		if c.Write {
			access = "writes "
		}
		threads[c.Thread] += "race " + access + c.Function + " " + unnumbered(c.Object) + "\n"
	}
	if w.Crash != nil {
		text, _, _ := strings.Cut(w.Crash.Text, "\n")
		threads[w.Crash.Thread] += "panics " + digits.ReplaceAllString(text, "N") + "\n"
	}
	var list []string
	for _, text := range threads {
		list = append(list, text)
	}
	slices.Sort(list)
	return append(list, "in "+w.Where().Function)
}

var (
	digits  = regexp.MustCompile("[0-9]+")
	numbers = regexp.MustCompile("#[0-9]+")
)

// unnumbered is a text without the numbers of objects.
func unnumbered(text string) string { return numbers.ReplaceAllString(text, "#") }

func digest(list []string) string {
	text, _ := json.Marshal(list) // strings alone
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Novelty says how a violation is related to a baseline.
type Novelty string

// The relations; "" if there is no baseline.
const (
	Novel Novelty = "new"   // the baseline does not list it
	Known Novelty = "known" // the baseline lists it
)

// Gone is a violation of the baseline that was looked for and is not there any more.
type Gone struct {
	Type string `json:"type"` // "gone"
	Identity
	Fingerprint string `json:"fingerprint"`
	// Now is the verdict on the same collection and property: verified, proved, or violated by another violation.
	Now    Status `json:"verdict"`
	Schema int    `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Baseline counts how the violations of a run are related to those of a baseline.
type Baseline struct {
	Type  string `json:"type"` // "baseline"
	File  string `json:"file"`
	New   int    `json:"new"`
	Known int    `json:"known"`
	Gone  int    `json:"gone"`
	// Undecided is the number of violations of the baseline about which the run says nothing: their collections were not verified, or
	// the verdict is unknown.
	Undecided int `json:"undecided"`
	Schema    int `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// AsExpected reports that a verdict is no surprise: the author of the code declared it, or the baseline lists the violation.
func (v *Verdict) AsExpected() bool {
	return v.Expected != "" && v.Expected == v.Status || v.Status == Violated && v.Novelty == Known
}
