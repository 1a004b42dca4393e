package fidelity

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// Options shapes the programs that Generate writes. The zero value is fine.
type Options struct {
	Threads  int  // goroutines besides main; 0 draws 2 or 3
	Races    bool // also use shared variables without protection
	MaxPaths int  // bound on the interleavings of visible steps; default 20000
}

// Generate writes a random concurrent program, the same for the same arguments.
//
// The program compiles, and every execution ends, by itself, by a panic or by a
// deadlock. Its goroutines compute results of their own, which main prints after
// all of them have ended. Without Options.Races there is no data race.
func Generate(seed uint64, opt Options) string {
	g := &concurrent{rng: rand.New(rand.NewPCG(seed, 0x70616e676f6c696e)), opt: opt}
	if g.opt.Threads == 0 {
		g.opt.Threads = 2 + g.rng.IntN(2)
	}
	if g.opt.MaxPaths == 0 {
		g.opt.MaxPaths = 20000
	}
	g.chooseThemes()
	return formatSource(fmt.Sprintf("// seed %d\n", seed) + g.program())
}

// GenerateProgram is Generate in the form that RunNative and Compare take.
func GenerateProgram(seed uint64, opt Options) Program {
	return Program{
		Name:   fmt.Sprintf("random%06d", seed),
		Source: Generate(seed, opt),
		Expect: Expectation{MayRace: opt.Races},
	}
}

// formatSource panics on a syntax error: the generators are at fault then.
func formatSource(source string) string {
	formatted, err := format.Source([]byte(source))
	if err != nil {
		panic(fmt.Sprintf("generated program does not parse: %v\n%s", err, source))
	}
	return string(formatted)
}

// concurrent is the state of one call of Generate.
type concurrent struct {
	rng    *rand.Rand
	opt    Options
	usable []pattern
}

// chooseThemes draws a few themes for the whole program: goroutines that use
// everything there is hardly ever meet.
func (g *concurrent) chooseThemes() {
	chosen := map[theme]bool{themeLocal: true}
	for range 2 + g.rng.IntN(2) {
		chosen[theme(g.rng.IntN(int(themeRandomEnd)))] = true
	}
	if g.opt.Races {
		chosen[themeRace] = true
	}
	for _, p := range patterns {
		if chosen[p.theme] {
			g.usable = append(g.usable, p)
		}
	}
}

// thread is one goroutine's statements and the visible steps they take.
type thread struct {
	body  []string
	steps int
}

func (g *concurrent) program() string {
	threads := make([]thread, g.opt.Threads)
	for round := 0; round < 6; round++ {
		for i := range threads {
			text, steps := g.statement(2)
			if !g.add(threads, i, text, steps) {
				continue
			}
			if other := partner(text); other != "" && g.rng.IntN(5) > 0 {
				g.add(threads, (i+1)%len(threads), other, 1)
			}
		}
	}
	main := g.mainFunction(threads)
	globals := g.globals(main)
	return "package main\n\n" + imports(globals+main) + globals + main
}

// add appends a statement to the i-th thread unless that makes too many interleavings.
func (g *concurrent) add(threads []thread, i int, text string, steps int) bool {
	threads[i].steps += steps
	if paths(threads) > g.opt.MaxPaths {
		threads[i].steps -= steps
		return false
	}
	threads[i].body = append(threads[i].body, text)
	return true
}

// partner is what another thread must do for the statement not to wait for
// ever; without it most programs with channels only deadlock.
func partner(text string) string {
	if strings.Contains(text, "select") || strings.Contains(text, "make(chan") {
		return ""
	}
	for _, p := range []struct{ waits, helps string }{
		{"<-c0", "c0 <- r"},
		{"c0 <- ", "r = r*10 + <-c0"},
		{"<-c1", "c1 <- r"},
		{"c1 <- ", "r = r*10 + <-c1"},
		{"cond.Wait", "cm.Lock()\nitems++\ncm.Unlock()\ncond.Signal()"},
		{"gate.Wait", "gate.Done()"},
	} {
		if strings.Contains(text, p.waits) {
			return p.helps
		}
	}
	return ""
}

func (g *concurrent) mainFunction(threads []thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "var out [%d]int\n\nfunc main() {\n", len(threads))
	join, leave := "wg.Wait()\n", "defer wg.Done()\n"
	if g.rng.IntN(3) == 0 {
		join, leave = strings.Repeat("<-done\n", len(threads))+"wg.Wait()\n", "defer func() { done <- true }()\n"
		b.WriteString("done := make(chan bool)\n")
	} else {
		fmt.Fprintf(&b, "wg.Add(%d)\n", len(threads))
	}
	for i, t := range threads {
		fmt.Fprintf(&b, "go func() {\n%sr := %d\n%s\nout[%d] = r\n}()\n", leave, i+1, strings.Join(t.body, "\n"), i)
	}
	b.WriteString(join)
	fmt.Fprintf(&b, "fmt.Println(out%s)\n}\n", g.finalValues(b.String()))
	return b.String()
}

// statement instantiates a pattern; depth bounds the nesting of $S.
func (g *concurrent) statement(depth int) (text string, steps int) {
	p := g.usable[g.rng.IntN(len(g.usable))]
	for depth == 0 && strings.Contains(p.text, "$S") {
		p = g.usable[g.rng.IntN(len(g.usable))]
	}
	steps = p.steps
	lock, channel, atom := g.rng.IntN(2), g.rng.IntN(2), g.rng.IntN(2)
	text = placeholder.ReplaceAllStringFunc(p.text, func(mark string) string {
		switch mark {
		case "$A":
			return "a" + strconv.Itoa(atom)
		case "$B":
			return "a" + strconv.Itoa(1-atom)
		case "$L":
			return strconv.Itoa(lock)
		case "$M":
			return strconv.Itoa(1 - lock)
		case "$C":
			return "c" + strconv.Itoa(channel)
		case "$D":
			return "c" + strconv.Itoa(1-channel)
		case "$K":
			return strconv.Itoa(g.rng.IntN(4))
		case "$S":
			inner, more := g.statement(depth - 1)
			steps += more
			return inner
		}
		panic("unknown placeholder " + mark)
	})
	return text, steps
}

var placeholder = regexp.MustCompile(`\$[A-Z]`)

// paths counts the interleavings of the threads' visible steps: a multinomial
// coefficient, computed as a product of binomials. It stops growing at a large number.
func paths(threads []thread) int {
	const large = 1 << 40
	count, total := 1, 0
	for _, t := range threads {
		for k := 1; k <= t.steps; k++ {
			total++
			if count = count * total / k; count > large {
				return large
			}
		}
	}
	return count
}

// globals declares what the text uses.
func (g *concurrent) globals(text string) string {
	var b strings.Builder
	for _, v := range globalVariables {
		if usesWord(text+b.String(), v.name) {
			b.WriteString(strings.ReplaceAll(v.declaration, "$K", strconv.Itoa(1+g.rng.IntN(2))) + "\n")
		}
	}
	return b.String()
}

// finalValues lists the arguments that print the shared variables in use.
func (g *concurrent) finalValues(text string) string {
	var b strings.Builder
	for _, v := range globalVariables {
		if v.value != "" && usesWord(text, v.name) {
			b.WriteString(", " + v.value)
		}
	}
	return b.String()
}

func usesWord(text, word string) bool {
	return regexp.MustCompile(`\b` + word + `\b`).MatchString(text)
}

// imports lists the packages whose names the text mentions.
func imports(text string) string {
	var b strings.Builder
	b.WriteString("import (\n")
	for _, path := range []string{"errors", "fmt", "math", "math/bits", "math/rand/v2", "runtime", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time"} {
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
