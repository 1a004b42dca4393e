// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"encoding/json"
	"slices"

	"golang.org/x/tools/go/packages"

	"pangolin/internal/golist"
)

// again is the answer to a question that the go command gave earlier, if it would give the same one
// now; else it asks, and keeps the answer (package golist). An answer that is given again lacks what
// is not read of it here: the export data of packages that are compiled from
// source.
func (l *loader) again(config *packages.Config, q question, ask func() ([]*packages.Package, error)) ([]*packages.Package, error) {
	text, asking := golist.From(config.Context).Get(&golist.Question{Dir: l.dir, Environ: config.Env, Patterns: q.patterns, What: l.what(q)})
	var earlier Answer
	if text != nil && json.Unmarshal(text, &earlier) == nil && earlier.is(q) {
		if roots, err := earlier.linked(); err == nil {
			return roots, nil
		}
	}
	answer, err := ask()
	if err != nil {
		return nil, err
	}
	hidden, err := l.onlyC(config.Context, q, answer)
	if err != nil {
		return nil, err
	}
	answer = append(slices.Clip(answer), hidden...)
	if a, err := answerOf(q, answer); err == nil && asking != nil {
		_ = l.keep(asking, a, answer) // if it fails, the go command is asked again next time
	}
	return answer, nil
}

// what identifies the form of answers.
func (l *loader) what(q question) string {
	if q.tests {
		return "packages with tests"
	}
	return "packages"
}

// keep keeps an answer.
func (l *loader) keep(asking *golist.Asking, a *Answer, roots []*packages.Package) error {
	var list []golist.Package
	at := map[string]golist.Package{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		at[p.ID] = golist.Package{Path: p.PkgPath, Dir: p.Dir, Export: p.ExportFile}
	})
	for i := range a.Packages {
		m := &a.Packages[i]
		p := at[m.ID]
		p.Standard = m.InStandard()
		if !p.Standard { // it is compiled, or declared, from source
			m.Export, p.Export = "", ""
		}
		list = append(list, p)
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return asking.Keep(&golist.Answer{Packages: list, Text: text})
}
