// SPDX-License-Identifier: BSD-3-Clause

// Package junit prints verdicts as a JUnit XML report, which CI systems show: a suite for
// each package, a case for each collection and property. A violation is a failure. An expected or
// known violation and an unknown verdict are skipped, and so is what was named and not judged. What a verdict is not about stands in the case's output.
//
// It takes plain data (package verdict) and a writer, and sees nothing else. The report is
// written when it is closed.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"pangolin/report/story"
	"pangolin/report/text"
	"pangolin/verdict"
)

// Suites collects verdicts.
type Suites struct {
	out  io.Writer
	list []*suite
}

// New makes a report that is written to out.
func New(out io.Writer) *Suites { return &Suites{out: out} }

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	List    []*suite
}

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Seconds  string     `xml:"time,attr"`
	Cases    []testCase `xml:"testcase"`
	seconds  float64
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Seconds string   `xml:"time,attr"`
	Failure *failure `xml:"failure,omitempty"`
	Skipped *skipped `xml:"skipped,omitempty"`
	Output  string   `xml:"system-out,omitempty"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// Show takes a result; only verdicts are of interest.
func (s *Suites) Show(r any) error {
	v, ok := r.(verdict.Verdict)
	if !ok {
		return nil
	}
	name := v.Package
	if name == "" && v.Status == verdict.NotJudged {
		name = v.Collection // a pattern that matches nothing
	} else if name == "" {
		name, _, _ = strings.Cut(v.Collection, ".")
	}
	u := s.suite(name)
	c := testCase{Name: v.Collection + " " + v.Property, Class: name, Seconds: fmt.Sprintf("%.3f", v.Seconds)}
	if v.Cached {
		c.Seconds = "0.000"
	}
	switch {
	case v.Status == verdict.Violated && v.AsExpected():
		u.Skipped++
		c.Skipped = &skipped{story.Expectation(&v) + ": " + failed(&v).Message}
	case v.Status == verdict.Violated:
		u.Failures++
		c.Failure = failed(&v)
	case v.Status == verdict.Unknown:
		u.Skipped++
		c.Skipped = &skipped{v.Reason}
	case v.Status == verdict.NotJudged:
		u.Skipped++
		c.Skipped = &skipped{"not judged: " + v.Reason}
	case v.Status == verdict.NotShared:
		u.Skipped++
		c.Skipped = &skipped{"not shared: " + v.Reason}
	case v.Status == verdict.Unchanged:
		u.Skipped++
		c.Skipped = &skipped{"unchanged: " + v.Reason}
	}
	text := story.Beside(&v)
	if v.Cached {
		text = append(text, "cached")
	} else {
		u.seconds += v.Seconds
	}
	if len(text) > 0 {
		c.Output = strings.Join(text, "\n")
	}
	u.Tests++
	u.Cases = append(u.Cases, c)
	return nil
}

func failed(v *verdict.Verdict) *failure {
	f := &failure{Message: v.Reason, Type: "violated"}
	if v.Violation == nil || v.Violation.Execution == nil {
		return f
	}
	w := v.Violation.Execution
	f.Message, f.Type = story.Sentence(w), w.Class
	var b strings.Builder
	text.New(&b, text.Options{}).Witness(w)
	f.Text = "\n" + b.String()
	return f
}

func (s *Suites) suite(name string) *suite {
	for _, u := range s.list {
		if u.Name == name {
			return u
		}
	}
	u := &suite{Name: name}
	s.list = append(s.list, u)
	return u
}

// Close writes the report.
func (s *Suites) Close() error {
	for _, u := range s.list {
		u.Seconds = fmt.Sprintf("%.3f", u.seconds)
	}
	if _, err := io.WriteString(s.out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(s.out)
	e.Indent("", " ")
	if err := e.Encode(suites{List: s.list}); err != nil {
		return err
	}
	_, err := io.WriteString(s.out, "\n")
	return err
}
