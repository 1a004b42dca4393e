// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"pangolin"
	"pangolin/collections"
)

// Expectation is a line of an EXPECT.csv; package collections describes the columns.
type Expectation struct {
	Row        string // the paper's; "" if it has none
	Package    string // import path
	Collection string // type
	Variant    string // tells several lines about one type apart: "original"; "" for the only one
	Protocol   string
	Property   string
	Kind       string
	Class      string
	Note       string
	Unfair     bool
	Roles      string
	Values     int
	cells      map[string]entry
}

// entry is one configuration of an expectation.
type entry struct {
	new       string
	published string // verdict: verified, violated, infinite, or "" if the paper has none
	seconds   string
	ours      other
}

// other is our verdict where it differs from the published one.
type other struct {
	verdict, class string
	why            string // why it differs; "": it does not
}

// explains says that a verdict is the one that differs, with its class.
func (o other) explains(got, class string) bool {
	return o.why != "" && o.verdict == got && o.class == class
}

// name identifies the line: the paper's row, or else the type with its variant.
func (e *Expectation) name() string {
	switch {
	case e.Row != "":
		return e.Row
	case e.Variant != "":
		return e.Collection + ":" + e.Variant
	}
	return e.Collection
}

// Expectations reads all lines of all packages, in the order of packages and lines.
func Expectations(files fs.FS) ([]Expectation, error) {
	rows, err := collections.Rows(files)
	if err != nil {
		return nil, err
	}
	var out []Expectation
	for _, row := range rows {
		e, err := expectation(row)
		if err != nil {
			return nil, fmt.Errorf("%s/EXPECT.csv: %w", row["package"], err)
		}
		out = append(out, e)
	}
	return out, nil
}

func expectation(f map[string]string) (Expectation, error) {
	typ, variant, _ := strings.Cut(f["collection"], ":")
	e := Expectation{Row: f["row"], Package: "pangolin/collections/" + f["package"], Collection: typ, Variant: variant, Protocol: f["protocol"], Property: f["property"],
		Kind: f["kind"], Class: f["class"], Note: f["note"], cells: map[string]entry{}}
	var asked pangolin.Request
	if err := parseFlags(&asked, f["flags"]); err != nil {
		return e, fmt.Errorf("%s: %w", f["collection"], err)
	}
	e.Unfair, e.Roles, e.Values = asked.Search.Unfair == pangolin.On, asked.Roles, asked.Scope.Values
	news := strings.Split(f["new"], ";")
	ours, err := different(f["ours"])
	if err != nil {
		return e, fmt.Errorf("%s: %w", f["collection"], err)
	}
	for i, config := range Configs() {
		c := entry{new: news[min(i, len(news)-1)], published: f[config], seconds: f["s"+config], ours: ours[config]}
		switch {
		case c.published == "-" || e.Row == "":
			c.published = ""
		case c.seconds == "inf":
			c.published = Infinite
		}
		e.cells[config] = c
	}
	if len(news) != 1 && len(news) != len(Configs()) {
		return e, fmt.Errorf("%s: %d constructor expressions", e.Collection, len(news))
	}
	return e, nil
}

// different parses "C=verified: why | E=violated/history: why": by configuration, our verdict, for a violation its class, and why it is not
// the published one.
func different(text string) (map[string]other, error) {
	out := map[string]other{}
	if text == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, " | ") {
		key, why, ok := strings.Cut(part, ": ")
		config, ours, is := strings.Cut(key, "=")
		if !ok || !is || !slices.Contains(Configs(), config) {
			return nil, fmt.Errorf("%q is not of the form CONFIGURATION=VERDICT/CLASS: WHY", part)
		}
		got, class, _ := strings.Cut(ours, "/")
		out[config] = other{got, class, why}
	}
	return out, nil
}

// publishedSeconds is nil if there are none or they are infinite, which JSON cannot express.
func (c entry) publishedSeconds() *float64 {
	s, err := strconv.ParseFloat(c.seconds, 64)
	if err != nil || math.IsInf(s, 0) {
		return nil
	}
	return &s
}

// Request returns the request for one configuration.
func (e *Expectation) Request(config string) pangolin.Request {
	r := pangolin.Request{Packages: []string{e.Package}, Type: e.Collection, New: e.cells[config].new,
		Kind: e.Kind, Protocol: e.Protocol, Property: pangolin.Properties(e.Property), Roles: e.Roles}
	r.Scope.Config, r.Scope.Values = config, e.Values
	r.Search.Unfair = pangolin.SwitchOf(e.Unfair)
	return r
}

// hashes reports whether the constructor takes a hash function, so that configuration C differs from B.
func (e *Expectation) hashes() bool { return e.cells["C"].new != e.cells["B"].new }
