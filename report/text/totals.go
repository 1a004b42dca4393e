// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pangolin/report/story"
	"pangolin/verdict"
)

// What comes last, where people look, fits one screen of 80 columns and 24 lines however many
// verdicts there are: of many packages a line each, what deserves attention by name, and how many
// came to what. The lines above it have every verdict.
const (
	mostRows      = 10 // packages; of more those that deserve attention come first
	mostSurprises = 4  // lines of names, each
	mostExpected  = 3
	mostUnknown   = 2
	linesFrom     = 12 // of so many verdicts the lines themselves can be overlooked no more
)

// sum counts verdicts of some types.
type sum struct {
	verified, violated, unknown int
	missed                      int // not judged
	unshared, unchanged         int
	proved                      int // of those that are verified
	weaker                      int // of those that are verified: with operations that promise less than linearizability
	expected, known, surprises  int // of those that are violated; surprises are also other verdicts than those declared
	states                      uint64
	seconds                     float64 // of those that were computed now
	cached                      int
}

func (t *sum) add(v *verdict.Verdict) {
	t.states += v.States
	if v.Cached {
		t.cached++
	} else {
		t.seconds += v.Seconds
	}
	switch v.Status {
	case verdict.Violated:
		t.violated++
	case verdict.Unknown:
		t.unknown++
	case verdict.NotJudged:
		t.missed++
	case verdict.NotShared:
		t.unshared++
	case verdict.Unchanged:
		t.unchanged++
	case verdict.Proved:
		t.proved++
		t.verified++
	default:
		t.verified++
	}
	if v.Status == verdict.Verified && verdict.Property(v.Property).IsWeaker() {
		t.weaker++
	}
	switch {
	case v.Status == verdict.Violated && v.Expected == v.Status:
		t.expected++
	case v.Status == verdict.Violated && v.Novelty == verdict.Known:
		t.known++
	case surprises(v):
		t.surprises++
	}
}

// surprises says that nobody expected the verdict: another one was, or a violation of which nothing
// was said.
func surprises(v *verdict.Verdict) bool {
	return !v.AsExpected() && (v.Expected != "" || v.Status == verdict.Violated)
}

// totals sums up several verdicts.
func (p *Printer) totals() {
	if len(p.seen) < 2 {
		p.compared()
		p.part()
		return
	}
	var all sum
	var expected, known, surprising, unknown, missed, unshared, unchanged []string
	for i := range p.seen {
		v := &p.seen[i]
		all.add(v)
		switch {
		case surprises(v):
			surprising = append(surprising, surprise(v))
		case v.Status == verdict.Violated && v.Novelty == verdict.Known:
			known = append(known, named(v))
		case v.Status == verdict.Violated:
			expected = append(expected, named(v))
		case v.Status == verdict.Unknown:
			unknown = append(unknown, named(v))
		case v.Status == verdict.NotJudged:
			missed = append(missed, v.Collection)
		case v.Status == verdict.NotShared:
			unshared = append(unshared, v.Collection)
		case v.Status == verdict.Unchanged:
			unchanged = append(unchanged, v.Collection)
		}
	}
	p.packages()
	if len(p.seen) < linesFrom { // each of the lines above can be seen
		expected, known, unknown, surprising = nil, nil, nil, nil
	}
	p.names("violated as expected: ", expected, mostExpected)
	p.names("violated as known: ", known, mostExpected)
	p.names("unknown: ", unknown, mostUnknown)
	p.names("not judged: ", missed, mostUnknown)
	p.names("not shared (named, they are verified): ", unshared, mostUnknown)
	p.names("unchanged: ", unchanged, mostUnknown)
	p.names(p.ink.alarm("not expected: "), surprising, mostSurprises)
	p.compared()
	p.part()
	p.wrap("total    ", "         ", all.text(len(p.seen), time.Since(p.began)))
}

// part says of which part the sum is.
func (p *Printer) part() {
	if s := p.shard; s != nil {
		p.wrap("shard    ", "         ", fmt.Sprintf("%d of %d, which has %d of %d collections; other shards have the other %d", s.Index, s.Of, s.Own, s.All, s.All-s.Own))
	}
}

// compared prints what has become of the violations of a baseline.
func (p *Printer) compared() {
	if p.related == nil {
		return
	}
	for i := range p.gone {
		p.wrap("gone     ", "         ", story.Gone(&p.gone[i]))
	}
	b := p.related
	text := fmt.Sprintf("%s: %d new, %d known, %d gone", b.File, b.New, b.Known, b.Gone)
	if b.Undecided > 0 {
		text += fmt.Sprintf(", %d not decided by this run", b.Undecided)
	}
	p.wrap("baseline ", "         ", text)
}

// text is the last line.
//
// The verdicts' seconds are those of their last searches. What a run takes beside them is told if it is more than a second: loading,
// initialisation, and other questions on the way to the verdicts. So is how long it took if that is less, since several collections were verified at the same time.
func (t *sum) text(n int, whole time.Duration) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{t.proved, "proved"}, {t.verified - t.proved, "verified" + t.howWeak()}, {t.violated, "violated" + t.howExpected()}, {t.unknown, "unknown"}, {t.missed, "not judged"}, {t.unshared, "not shared"}, {t.unchanged, "unchanged"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	kept := ""
	if t.cached > 0 {
		kept = fmt.Sprintf(", %d cached", t.cached)
	}
	all := ""
	switch s := whole.Seconds(); {
	case s > t.seconds+1:
		all = fmt.Sprintf(", %.1fs in all", s)
	case s > 1 && s < t.seconds-1 && t.cached == 0:
		all = fmt.Sprintf(", %.1fs elapsed", s)
	}
	return fmt.Sprintf("%d verdicts: %s, in %.1fs%s%s.", n, strings.Join(parts, ", "), t.seconds, all, kept)
}

// howWeak says how many are not of linearizability, but for some operations.
func (t *sum) howWeak() string {
	switch {
	case t.weaker == 0:
		return ""
	case t.weaker == t.verified-t.proved:
		return " (weaker than linearizable)"
	}
	return fmt.Sprintf(" (%d of them weaker than linearizable)", t.weaker)
}

// howExpected says how many of the violations were expected or known.
func (t *sum) howExpected() string {
	var parts []string
	switch t.violated {
	case 0:
		return ""
	case t.expected:
		return " (as expected)"
	case t.known:
		return " (as known)"
	}
	if t.expected > 0 {
		parts = append(parts, fmt.Sprintf("%d of them expected", t.expected))
	}
	if t.known > 0 {
		parts = append(parts, fmt.Sprintf("%d known", t.known))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// packages prints a line for each package, if there are so many verdicts that their lines do not say
// it at a glance.
func (p *Printer) packages() {
	of := map[string]*sum{}
	var paths []string
	for i := range p.seen {
		path := p.seen[i].Package
		if p.seen[i].Status == verdict.Unchanged {
			continue
		}
		if of[path] == nil {
			of[path] = &sum{}
			paths = append(paths, path)
		}
		of[path].add(&p.seen[i])
	}
	if len(p.seen) < linesFrom || len(paths) < 2 {
		return
	}
	common := commonDirectory(paths)
	if others := len(paths) - mostRows + 1; others > 1 {
		slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(of[b].urgency(), of[a].urgency()) })
		rest := &sum{}
		for _, path := range paths[mostRows-1:] {
			rest.plus(of[path])
		}
		paths = paths[:mostRows-1]
		slices.Sort(paths)
		path := fmt.Sprintf("%d other packages", others)
		of[path] = rest
		paths = append(paths, path)
	}
	p.line("")
	last := "unknown"
	if slices.ContainsFunc(p.seen, func(v verdict.Verdict) bool { return v.Status == verdict.NotJudged }) {
		last = "open" // unknown, or not judged
	}
	columns := []column{
		{name: "verified", width: 10, of: func(t *sum) string { return fmt.Sprint(t.verified - t.proved) }},
		{name: "violated", width: 10, of: func(t *sum) string { return fmt.Sprint(t.violated) }},
		{name: last, width: 9, of: func(t *sum) string { return fmt.Sprint(t.unknown + t.missed) }},
	}
	has := func(s verdict.Status) bool {
		return slices.ContainsFunc(p.seen, func(v verdict.Verdict) bool { return v.Status == s })
	}
	if has(verdict.Proved) {
		columns = slices.Insert(columns, 0, column{name: "proved", width: 8, of: func(t *sum) string { return fmt.Sprint(t.proved) }})
	}
	if has(verdict.NotShared) {
		columns = append(columns, column{name: "not shared", width: 11, of: func(t *sum) string { return fmt.Sprint(t.unshared) }})
	}
	if p.width >= 60 {
		columns = append(columns,
			column{name: "states", width: 11, of: func(t *sum) string { return fmt.Sprint(t.states) }},
			column{name: "seconds", width: 9, of: func(t *sum) string { return fmt.Sprintf("%.1f", t.seconds) }})
	}
	p.row("package", columns, func(c *column) string { return c.name })
	for _, path := range paths {
		p.row(strings.TrimPrefix(path, common), columns, func(c *column) string { return c.of(of[path]) })
	}
}

// column is one of the table of packages: its name, how many characters wide it is, and what it says of a package.
type column struct {
	name  string
	width int
	of    func(*sum) string
}

// urgency orders packages by what deserves attention.
func (t *sum) urgency() int {
	switch {
	case t.surprises > 0:
		return 3
	case t.unknown+t.missed > 0:
		return 2
	case t.violated > 0:
		return 1
	}
	return 0
}

func (t *sum) plus(o *sum) {
	t.verified, t.violated, t.unknown = t.verified+o.verified, t.violated+o.violated, t.unknown+o.unknown
	t.weaker += o.weaker
	t.missed, t.unshared, t.unchanged, t.proved = t.missed+o.missed, t.unshared+o.unshared, t.unchanged+o.unchanged, t.proved+o.proved
	t.expected, t.known, t.surprises = t.expected+o.expected, t.known+o.known, t.surprises+o.surprises
	t.states, t.seconds, t.cached = t.states+o.states, t.seconds+o.seconds, t.cached+o.cached
}

// row prints a line of the table of packages.
func (p *Printer) row(name string, columns []column, cell func(*column) string) {
	line := ""
	for i := range columns {
		line += fmt.Sprintf("%*s", columns[i].width, cell(&columns[i]))
	}
	room := min(p.width-len(line), 40)
	p.line("%s%s", pad(clip(name, room-1), room), line)
}

// commonDirectory is the directory, with its slash, that import paths have in common.
func commonDirectory(paths []string) string {
	common := paths[0][:strings.LastIndexByte(paths[0], '/')+1]
	for _, path := range paths {
		for !strings.HasPrefix(path, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	return common
}

// names prints names under a title, in so many lines at most.
func (p *Printer) names(title string, list []string, most int) {
	if len(list) == 0 {
		return
	}
	const indent = "         "
	text := func(n int) string {
		text := strings.Join(list[:n], ", ")
		if n < len(list) {
			text += fmt.Sprintf(" and %d more above", len(list)-n)
		}
		return text
	}
	n := min(len(list), most*p.width/3) // a name and a comma are three columns at least
	for n > 1 && len(p.broken(title, indent, text(n))) > most {
		n--
	}
	p.wrap(title+strings.Repeat(" ", max(0, len(indent)-ansi.StringWidth(title))), indent, text(n))
}

// named is what a verdict is about, with the property if it is not the usual one.
func named(v *verdict.Verdict) string {
	if v.Property == string(verdict.Linear) {
		return v.Collection
	}
	return v.Collection + " " + v.Property
}

// surprise names a verdict that nobody expected.
func surprise(v *verdict.Verdict) string {
	if v.Expected == "" {
		return named(v)
	}
	return fmt.Sprintf("%s (%s, not %s)", named(v), v.Status, v.Expected)
}
