// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// theme groups the productions that work on the same kind of shared object.
type theme int

const (
	themePlain      theme = iota // variables, fields, elements
	themeOrder                   // variables beside calls that change them
	themeIdle                    // what looks like an access and is none
	themeLock                    // sync.Mutex
	themeHandOver                // locks that others release, overwritten ones, copies
	themeRWLock                  // sync.RWMutex
	themeTry                     // TryLock and TryRLock
	themeCond                    // sync.Cond
	themeOnce                    // sync.Once and its relatives
	themeGroup                   // sync.WaitGroup
	themePool                    // sync.Pool
	themeAtomic                  // atomic types
	themeAtomicFunc              // functions of sync/atomic
	themePointer                 // atomic.Pointer, objects published
	themeValue                   // atomic.Value
	themeSyncMap                 // sync.Map
	themeChannel                 // channels
	themeSelect                  // select
	themeTimer                   // timers, tickers, contexts
	themeNode                    // objects linked, unlinked, reused
	themeSlice                   // slices and the functions on them
	themeMap                     // maps
	themeFormat                  // values formatted
	themeInterface               // interface values compared, hashed, asserted
	themePanic                   // panics, deferred calls, named results
	themeSpawn                   // goroutines inside
	themeWhole                   // structs copied and overwritten as a whole
	themeSpin                    // waiting in loops
	themes

	themeControl // control flow and local values: always there
)

// production is one way to fill a hole. In its text
//
//	{S} {I} {B} {A}  are holes for another statement, an expression of type int, bool
//	                 or any,
//	{K}              is a small constant,
//	{X1} {M1} …      are objects of one kind from the text's few: the same name stands
//	                 for the same object, another digit for another one if there is one,
//	@name            is a shared object or a helper function,
//
// and r is an int of the thread's own.
type production struct {
	theme theme
	text  string
}

// writer expands productions into one text.
type writer struct {
	rng    *rand.Rand
	themes map[theme]bool
	grown  []theme           // constructs of the grown grammar, which no text of the plain one has
	few    map[byte][]string // the objects of each kind that this text uses
	pinned bool              // a name stands for the same object in all of the text
	usable map[byte][]production
}

func newWriter(seed, stream uint64) *writer {
	return &writer{rng: rand.New(rand.NewPCG(seed, stream))}
}

// draw chooses the themes and the objects of a text.
func (w *writer) draw(count int, allowed func(theme) bool) {
	w.themes = map[theme]bool{themeControl: true}
	for len(w.themes) <= count {
		if t := theme(w.rng.IntN(int(themes))); allowed == nil || allowed(t) {
			w.themes[t] = true
		}
	}
	for _, t := range w.grown {
		w.themes[t] = true
	}
	w.few = map[byte][]string{}
	for _, kind := range objectKinds {
		names := strings.Fields(kind.names)
		w.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		w.few[kind.letter] = names[:min(len(names), 1+w.rng.IntN(2))]
	}
	w.usable = map[byte][]production{}
	for letter, all := range productions() {
		for _, p := range all {
			if w.themes[p.theme] {
				w.usable[letter] = append(w.usable[letter], p)
			}
			if w.themes[p.theme] && p.theme > themeControl {
				w.usable[letter] = append(w.usable[letter], p) // there is one construct beside several themes
			}
		}
	}
}

var hole = regexp.MustCompile(`\{[A-Z][0-9]?\}`)

// expand fills the holes of a text; depth bounds how deep statements and expressions
// are nested.
func (w *writer) expand(text string, depth int) string {
	bound := map[string]string{}
	return hole.ReplaceAllStringFunc(text, func(mark string) string {
		letter := mark[1]
		switch {
		case letter == 'K':
			return strconv.Itoa(w.rng.IntN(4))
		case strings.IndexByte("SIBA", letter) >= 0:
			return w.fill(letter, depth-1)
		case bound[mark] == "":
			few := w.few[letter]
			if len(few) == 0 {
				panic("unknown hole " + mark)
			}
			base := w.rng.IntN(len(few))
			if w.pinned {
				base = 0
			}
			bound[mark] = few[(base+int(mark[2]-'1'))%len(few)]
		}
		return bound[mark]
	})
}

// fill draws a production for a hole.
func (w *writer) fill(letter byte, depth int) string {
	list := w.usable[letter]
	for range 50 {
		p := list[w.rng.IntN(len(list))]
		if p.theme == themeControl && letter == 'S' && w.rng.IntN(3) > 0 {
			continue // the themes are what a text is about
		}
		if depth <= 0 && nested.MatchString(p.text) {
			continue
		}
		return w.expand(p.text, depth)
	}
	return map[byte]string{'S': "r++", 'I': "r", 'B': "r > 1", 'A': "any(r)"}[letter]
}

var nested = regexp.MustCompile(`\{[SIBA]\}`)

// statement draws a statement.
func (w *writer) statement(depth int) string { return w.fill('S', depth) }

// oneIn is true once in n times.
func (w *writer) oneIn(n int) bool { return w.rng.IntN(n) == 0 }

// pick chooses one of the texts.
func (w *writer) pick(texts ...string) string { return texts[w.rng.IntN(len(texts))] }

// formatSource panics on a syntax error: the generators are at fault then.
func formatSource(source string) string {
	formatted, err := format.Source([]byte(source))
	if err != nil {
		panic(fmt.Sprintf("generated text does not parse: %v\n%s", err, source))
	}
	return string(formatted)
}

func usesWord(text, word string) bool {
	return regexp.MustCompile(`\b` + word + `\b`).MatchString(text)
}

// imports lists the packages whose names the text mentions.
func imports(text string) string {
	var b strings.Builder
	b.WriteString("import (\n")
	for _, path := range []string{"cmp", "context", "errors", "fmt", "maps", "math", "math/bits", "math/rand/v2", "os", "runtime", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time", "unsafe"} {
		name := path[strings.LastIndex(path, "/")+1:]
		if name == "v2" {
			name = "rand"
		}
		if regexp.MustCompile(`(^|[^\w."])` + name + `\.[A-Z]`).MatchString(text) {
			fmt.Fprintf(&b, "%q\n", path)
		}
	}
	b.WriteString(")\n\n")
	return b.String()
}
