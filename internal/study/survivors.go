// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"pangolin/verdict"
)

// explanations is a table that says why a mutant survives, or with which flags it is killed. Its columns are the fields of explanation; "*"
// matches anything.
//
//go:embed survivors.csv
var explanations string

// explanation is a line of survivors.csv. The first one that fits a mutant applies.
type explanation struct {
	row      string // name of the collection's row
	file     string // the last elements of the file's path
	function string // the declaration that changes: Name or Type.Name
	operator string
	old, now string // the first line that changes, and the first in its place, without indentation
	// flags of "pangolin mutate" with which the mutant is killed; "" if no scope kills it. The study and a test try them; a mutant that
	// they do not kill is open.
	flags string
	why   string // why it survives, or what kills it; a text that begins with "Open" is a guess
}

// fits reports whether the explanation applies to a mutant.
func (x *explanation) fits(row string, m *verdict.Mutant) bool {
	is := func(want, got string) bool { return want == "*" || want == got }
	old, now := changed(m.Diff)
	return is(x.row, row) && strings.HasSuffix(m.File, "/"+x.file) && is(x.function, m.Func) && is(x.operator, m.Operator) &&
		is(x.old, old) && is(x.now, now)
}

// explainer is the list of explanations.
type explainer []explanation

func newExplainer() (explainer, error) {
	r := csv.NewReader(strings.NewReader(explanations))
	r.FieldsPerRecord = 8
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("survivors.csv: %w", err)
	}
	var e explainer
	for _, f := range records[1:] {
		e = append(e, explanation{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]})
	}
	return e, nil
}

// find returns the explanation of a mutant; nil if there is none.
func (e explainer) find(row string, m *verdict.Mutant) *explanation {
	for i := range e {
		if e[i].fits(row, m) {
			return &e[i]
		}
	}
	return nil
}

// why is the explanation's text, "" if there is none.
func (e explainer) why(row string, m *verdict.Mutant) string {
	if x := e.find(row, m); x != nil {
		return x.why
	}
	return ""
}

// flags are the flags in the explanation of a mutant; "" if there are none.
func (e explainer) flags(row string, m *verdict.Mutant) string {
	if x := e.find(row, m); x != nil {
		return x.flags
	}
	return ""
}

// changed returns the first line that a diff removes and the first that it adds, without indentation.
func changed(diff string) (old, now string) {
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"), line == "":
		case line[0] == '-' && old == "":
			old = strings.TrimSpace(line[1:])
		case line[0] == '+' && now == "":
			now = strings.TrimSpace(line[1:])
		}
	}
	return old, now
}

// explain sets the explanations of a row's surviving mutants.
func (e explainer) explain(row *MutantRow) {
	for i := range row.Left {
		m := &row.Left[i]
		if x := e.find(row.Row, &m.Mutant); x != nil {
			m.Explanation = &MutantExplanation{Why: x.why, Flags: x.flags, Guess: strings.HasPrefix(x.why, "Open")}
		}
	}
}
