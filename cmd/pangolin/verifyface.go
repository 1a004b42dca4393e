// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"pangolin"
	"pangolin/internal/task"
	"pangolin/report"
	"pangolin/report/record"
	"pangolin/verdict"
)

// verifyFace prints a verification: what was found on standard error, verdicts on standard output. Of several collections that the user has
// not named, it prints only violations in brief, with the file of the witness, and announces nothing.
type verifyFace struct {
	con       *console
	format    string // of standard output
	quiet     bool
	announced sync.Once
	named     bool   // print witnesses
	out       string // directory for witnesses
	found     []verdict.Found
	missed    []verdict.Verdict // verdicts about what was not judged, printed last; left out if they are all and an error says the same
	given     int               // number of verdicts so far
	results   report.Renderer
	files     *files
	progress  *progress
	// certificate is the file for a proof, assertions that for the source with checks; failed is the error in writing them.
	certificate string
	assertions  string
	failed      error
	known       *baselineFile // violations that are no news; nil: there is no baseline
	parted      bool          // somebody asks which part of the request it is
	shard       *verdict.Shard
	elsewhere   task.Elsewhere // computes results on other machines
}

func (v *verifyFace) events() pangolin.Events {
	e := pangolin.Events{
		Found: func(c verdict.Collection) {
			v.found = append(v.found, verdict.Found{Collection: c})
			v.files.show(verdict.Found{Collection: c})
		},
		Position: func(p verdict.Position) { v.files.show(p) },
		Note:     v.con.note,
		Verdict:  v.verdict,

		Elsewhere: v.elsewhere,
	}
	if v.parted {
		e.Shard = v.part
	}
	if !v.quiet {
		v.progress = newProgress(v.con.err, columns(v.con.err))
		e.Progress = v.report
	}
	return e
}

// part notes which part of the request it is. Records say it also of a whole one.
func (v *verifyFace) part(s verdict.Shard) {
	if s.Of > 1 {
		v.shard = &s
	}
	for _, x := range v.files.open {
		if _, all := x.Renderer.(*record.File); all || s.Of > 1 {
			_ = x.Show(s) // close reports errors
		}
	}
}

// begin makes the renderer, once the number of collections is known.
func (v *verifyFace) begin() {
	v.announced.Do(v.announce)
	if v.results != nil {
		return
	}
	v.con.brief = !v.named && len(v.found) > 1
	v.results = v.con.resultsAs(v.format)
	if v.shard != nil {
		_ = v.results.Show(*v.shard)
	}
	for _, f := range v.found {
		_ = v.results.Show(f)
	}
}

// announce says what will be verified, once all of it is known: of several collections only with -v, since `pangolin ops` prints it.
func (v *verifyFace) announce() {
	if v.quiet || len(v.found) > 1 && !v.con.all {
		return
	}
	for _, c := range v.found {
		v.con.announce(c.Collection)
	}
}

func (v *verifyFace) verdict(d verdict.Verdict) {
	d = saidInFlags(d)
	v.begin()
	v.clear()
	v.given++
	if v.known != nil {
		v.known.Mark(&d)
	}
	if d.Proof != nil && d.Proof.Text != nil {
		v.certify(&d)
	}
	if d.Proof != nil && len(d.Proof.Assertions) > 0 {
		v.writeAssertions(&d)
	}
	v.files.show(d)
	if d.Status == verdict.NotJudged && v.format != "json" {
		v.missed = append(v.missed, d)
		return
	}
	_ = v.results.Show(d)                                                                     // end reports errors
	if v.format == "json" && d.Violation != nil && d.Violation.Witness == "" && v.out != "" { // it could not be written
		_ = v.results.Show(d.Violation.Execution)
	}
}

// show prints a result in every form; end reports errors.
func (v *verifyFace) show(result any) {
	_ = v.results.Show(result)
	v.files.show(result)
}

// showMissed prints the verdicts about what was not judged.
func (v *verifyFace) showMissed() {
	for _, d := range v.missed {
		_ = v.results.Show(d)
	}
}

func (v *verifyFace) report(p pangolin.Progress) {
	v.announced.Do(v.announce)
	what := p.Collection + " " + p.Property
	if len(v.found) > 1 {
		what = fmt.Sprintf("[%d/%d] %s", min(v.given+1, len(v.found)), len(v.found), what)
	}
	v.progress.report(what, p)
}

func (v *verifyFace) clear() {
	if v.progress != nil {
		v.progress.end()
	}
}

// end completes the output and returns its errors. The error is that of the verification.
func (v *verifyFace) end(err error) error {
	v.begin()
	how := verdict.End{Interrupted: errors.Is(err, pangolin.ErrInterrupted), Brief: !v.named}
	if err != nil && !how.Interrupted {
		how.Error = asFlags(err.Error())
	}
	v.files.show(how)
	v.clear()
	if v.known != nil {
		for _, g := range v.known.Gone() {
			v.show(g)
		}
		v.show(v.known.Sum(v.known.name))
	}
	return errors.Join(v.failed, v.results.Close(), v.files.close())
}

// form is the format of standard output.
func (f *verifyFlags) form() string {
	if f.json {
		return "json"
	}
	return cmp.Or(f.format, "text")
}

// named reports whether the user has named single types.
func (f *verifyFlags) named(args []string) bool {
	if f.request.Type != "" {
		return true
	}
	for _, a := range args {
		if _, typ, found := strings.Cut(a[strings.LastIndexByte(a, '/')+1:], "."); found && typ != "" && !strings.HasPrefix(typ, ".") {
			return true
		}
	}
	return false
}
