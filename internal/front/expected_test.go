// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/types"
	"maps"
	"strings"
	"testing"
)

// expecting is a package that executes more of the standard library the more its harness calls. Package mime has an init function, which
// would be executed if it were compiled from source for nothing.
const expecting = `package expecting

import (
	"mime"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

type T struct{ n int }

func (t *T) Nothing() int { return t.n }

func (t *T) Number() string { return strconv.Itoa(t.n) }

func (t *T) Match(s string) bool { return regexp.MustCompile("a+").MatchString(s) }

func (t *T) Escape(s string) string { return url.QueryEscape(strings.ToUpper(s)) }

func (t *T) Late() bool { return time.Unix(1, 2).Add(3).Year() > t.n }

func (t *T) Unused(w *tabwriter.Writer) string { return mime.TypeByExtension("x") }
`

var expectingHarnesses = []string{
	"func Root(t *T) int { return t.Nothing() }",
	"func Root(t *T) string { return t.Number() }",
	"func Root(t *T) bool { return t.Match(\"aa\") }",
	"func Root(t *T) string { return t.Escape(\"aa\") }",
	"func Root(t *T) bool { return t.Late() }",
	"func Root(t *T) int { return t.Nothing() + 1 }",
}

// loadExpecting is what a load makes, by growing or with the packages that are expected, and whether those were found.
func loadExpecting(t *testing.T, p *Listed, harness string, grow bool) (text string, found bool) {
	t.Helper()
	l, err := p.loader()
	if err != nil {
		t.Fatal(err)
	}
	defer p.grounds.lend(l)()
	req := Request{Roots: []string{"Root"}, Harness: func(*types.Package) (string, []byte, error) {
		return "harness.go", []byte("package expecting\n\n" + harness + "\n"), nil
	}}
	var c *compiler
	if !grow {
		c = l.expected(context.Background(), req)
		found = c != nil
	}
	if c == nil {
		if c, err = l.growing(context.Background(), req); err != nil {
			t.Fatal(err)
		}
	}
	out, err := c.compile()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	out.Print(&b)
	return strings.Join(sortedKeys(l.source), " ") + "\n" + b.String(), found
}

func TestLoad_MakesTheSameWithExpectedPackagesAsByGrowing(t *testing.T) {
	p := packageOfText(t, "expecting", expecting)
	usual := companions
	defer func() { companions = usual }()
	wrong := map[string][]string{"strconv": {"internal/strconv", "math", "math/bits", "unicode/utf8", "mime", "time"}, "regexp": {"mime"}, "strings": {"mime"}, "net/url": {"regexp", "text/tabwriter"}, "time": {"unicode"}}
	for name, table := range map[string]map[string][]string{"companions": usual, "none": {}, "wrong ones": wrong} {
		companions = table
		var last map[string]bool
		for i, h := range expectingHarnesses {
			want, _ := loadExpecting(t, again(p), h, true)
			fresh := again(p)
			fresh.grounds.last = last // of another harness
			for range 2 {
				got, found := loadExpecting(t, fresh, h, false)
				if got != want || !found {
					t.Errorf("%s, harness %d, found %t:\n%s\nis not\n%s", name, i, found, got[:min(len(got), 2000)], want[:min(len(want), 2000)])
				}
			}
			last = maps.Clone(fresh.grounds.last)
		}
	}
}

// A pretended attempt meets what it would meet if it were built: the packages that it misses are the same.
func TestLoad_PretendsTheAttemptsThatWouldBeBuilt(t *testing.T) {
	p := packageOfText(t, "expecting", expecting)
	for i, h := range expectingHarnesses {
		req := Request{Roots: []string{"Root"}, Harness: func(*types.Package) (string, []byte, error) {
			return "harness.go", []byte("package expecting\n\n" + h + "\n"), nil
		}}
		var built, pretended []string
		var sets []map[string]bool
		l, err := p.loader()
		if err != nil {
			t.Fatal(err)
		}
		for again := true; again; {
			b, err := l.build(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			c := newCompiler(l, b, nil)
			if err := c.reachRoots(req.Roots); err != nil {
				t.Fatal(err)
			}
			sets = append(sets, maps.Clone(l.source))
			built = append(built, l.misses(c, l.source))
			if again = l.needSource(c.missing); again {
				continue
			}
			for _, source := range sets {
				as, err := b.pretend(l, source)
				if err != nil {
					t.Fatal(err)
				}
				c := newCompiler(l, b, as)
				if err := c.reachRoots(req.Roots); err != nil || as.differs {
					t.Fatal(err, as.differs)
				}
				pretended = append(pretended, l.misses(c, source))
			}
		}
		if a, b := strings.Join(built, "\n"), strings.Join(pretended, "\n"); a != b || i > 1 && i < 5 && len(sets) < 2 {
			t.Errorf("harness %d: attempts miss\n%s\npretended ones\n%s", i, a, b)
		}
	}
}

// misses are the packages that an attempt misses.
func (l *loader) misses(c *compiler, source map[string]bool) string {
	built, others := l.missed(c, source)
	both := map[string]bool{}
	for _, path := range append(built, others...) {
		both[path] = true
	}
	return strings.Join(sortedKeys(both), " ")
}

func packageOfText(t *testing.T, name, text string) *Listed {
	t.Helper()
	list, err := List(context.Background(), writeModule(t, map[string]string{"go.mod": "module " + name + "\n\ngo 1.26\n", name + ".go": text}), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}
