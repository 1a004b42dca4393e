// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// form is how a text declares what is shared.
type form int

const (
	packageVariables form = iota
	packageStruct         // fields of a package variable
	packagePointer        // fields behind a package variable
	localVariables        // locals of main that its goroutines capture
	localPointer          // fields behind a local of main
	receiver              // fields of a method's receiver
	forms
)

// inStruct says that what is shared is the fields of a struct.
func (f form) inStruct() bool { return f != packageVariables && f != localVariables }

// local says that helpers must be closures of main.
func (f form) local() bool { return f == localVariables || f == localPointer }

// maxPaths bounds the interleavings of a program's visible steps, by a rough count.
const maxPaths = 250

// program is the state of one call of Program.
type program struct {
	*writer
	form    form
	guarded bool // most plain statements stand in a critical section of @mu
	threads []thread
}

// thread is one goroutine's statements and, roughly, the visible steps they take.
type thread struct {
	body  []string
	steps int
}

// Program writes a random concurrent program. It is small: main and one or two
// goroutines that make a few accesses, so that all its interleavings can be
// enumerated; nearly all of its executions end.
func Program(seed uint64) string {
	return (&program{writer: newWriter(seed, 0x70726f6772616d73)}).write(seed)
}

func (p *program) write(seed uint64) string {
	p.draw(1+p.rng.IntN(3-min(1, len(p.grown))), nil)
	p.form = form(p.rng.IntN(int(receiver)))
	p.guarded = p.oneIn(3)
	p.threads = make([]thread, 2+p.rng.IntN(8)/7)
	for i := range p.threads {
		p.threads[i].steps = 1 // its end
	}
	for range 8 {
		p.extend(p.next())
	}
	return formatSource(fmt.Sprintf("// program %d\npackage main\n\n", seed) + p.text())
}

// next is a thread, mostly the one with the fewest steps.
func (p *program) next() int {
	best := p.rng.IntN(len(p.threads))
	for i := range p.threads {
		if p.threads[i].steps < p.threads[best].steps && !p.oneIn(4) {
			best = i
		}
	}
	return best
}

// extend adds a statement to a thread unless that makes too many interleavings.
func (p *program) extend(i int) {
	text := p.statement(2)
	if p.guarded && !p.oneIn(8) && !strings.Contains(text, "ock()") {
		text = "@mu.Lock()\n" + text + "\n@mu.Unlock()"
	}
	if strings.Contains(text, "\ndefer ") || strings.Contains(text, ":=") {
		text = "{\n" + text + "\n}"
	}
	t := &p.threads[i]
	steps := t.steps
	if t.steps += visible(text); paths(p.threads) > maxPaths {
		t.steps = steps
		return
	}
	t.body = append(t.body, text)
}

// visible counts, roughly, the visible steps of a text.
func visible(text string) int {
	n := strings.Count(text, "@") + strings.Count(text, "++") + strings.Count(text, "+=")/2 + len(calls.FindAllString(text, -1)) +
		2*strings.Count(text, "go func")
	for _, call := range []string{"@bump", "@turn", "@flip", "@grow", "@where", "@other", "@fill", "@named", "@mine", "@fail", "@exchange"} {
		n += 2 * strings.Count(text, call)
	}
	if strings.Contains(text, "range 2") {
		n *= 2
	}
	return max(1, n)
}

// calls are those that take a turn besides what they access.
var calls = regexp.MustCompile(`ock\(|\.Do\(|\.Done\(|\.Wait\(|\.Go\(|<-|fmt\.P|println|Range\(|Swap\(`)

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

// text puts the program together.
func (p *program) text() string { return p.textOf(p.mainBody(), true) }

// textOf puts a program together that has main's statements. At the end it prints what is
// shared, or not.
func (p *program) textOf(body string, finals bool) string {
	body = strings.ReplaceAll(body, "{OVERWRITE}", p.overwrite())
	s := newScope(p.form)
	s.use(body)
	var b strings.Builder
	main := s.locals() + body
	if finals {
		main += s.finals()
	}
	if p.oneIn(6) && !p.form.local() {
		main = p.withInit(s) + "func main() {\n" + main + "}\n"
	} else {
		main = "func main() {\n" + main + "}\n"
	}
	main = s.resolve(main)
	decls := s.resolve(s.declarations())
	decls += freeOnes(decls + main)
	b.WriteString(imports(decls + main))
	b.WriteString(decls)
	b.WriteString(main)
	return b.String()
}

// overwrite is a statement that writes all that is shared at once.
func (p *program) overwrite() string {
	switch p.form {
	case packageStruct:
		return "w = world{n: &node{}, m: map[int]int{}, s: []int{1}}"
	case packagePointer, localPointer:
		return "*w = world{n: &node{}, m: map[int]int{}, s: []int{1}}"
	}
	return "@q = pair{}"
}

// withInit is package initialisation that starts a goroutine or computes.
func (p *program) withInit(s *scope) string {
	text := p.pick(
		"func init() {\ngo func() { @x++ }()\n}\n\n",
		"var first = func() int { @y = 4; return @y }()\n\nfunc init() { @x = first }\n\n",
		"func init() {\nfmt.Println(\"init\", @y)\n}\n\n",
		"var begun = make(chan bool)\n\nfunc init() {\ngo func() {\n@y = 3\nclose(begun)\n}()\n<-begun\n}\n\n",
		"func init() {\ntime.AfterFunc(time.Microsecond, func() { @at.Add(1) })\n}\n\n",
	)
	s.use(text)
	return text
}

// mainBody starts the goroutines, does the last thread's work itself or not, and
// waits.
func (p *program) mainBody() string {
	switch p.rng.IntN(8) {
	case 0, 1, 2:
		return p.joined("done := make(chan int, "+strconv.Itoa(len(p.threads))+")\n", "", "done <- r * %d\n", "sum := 0\nfor range %d {\nsum += <-done\n}\n", "sum")
	case 3, 4:
		return p.joined("var all sync.WaitGroup\nall.Add(%d)\nvar out ["+strconv.Itoa(len(p.threads))+"]int\n", "defer all.Done()\n", "out[%d] = r\n", "all.Wait()\n", "out")
	case 5:
		return p.joined("var all sync.WaitGroup\n", "", "fmt.Println(r, %d)\n", "all.Wait()\n", "0")
	case 6:
		return p.joined("done := make(chan bool)\n", "defer func() { done <- true }()\n", "fmt.Println(r, %d)\n", "for range %d {\n<-done\n}\n", "1")
	}
	return p.joined("", "", "fmt.Println(%d, r)\n", "", "2")
}

// joined writes main's statements. The texts are declarations, what each goroutine
// begins and ends with, how main waits, and what it prints; %d is the number of
// goroutines, or the goroutine's own number.
func (p *program) joined(declare, begin, end, wait, print string) string {
	started := len(p.threads)
	mainWorks := len(p.threads) == 2 && !p.oneIn(4) || p.oneIn(3)
	if mainWorks {
		started--
	}
	number := func(text string, n int) string { return strings.ReplaceAll(text, "%d", strconv.Itoa(n)) }
	var b strings.Builder
	b.WriteString(number(declare, started))
	for i := range started {
		how, after := "go func() {\n", "}()\n"
		if strings.HasPrefix(declare, "var all sync.WaitGroup\n") && !strings.Contains(declare, "Add") {
			how, after = "all.Go(func() {\n", "})\n"
		}
		tag := i
		if strings.Contains(end, "r *") {
			tag = []int{1, 1000, 1000000}[i]
		}
		fmt.Fprintf(&b, "%s%sr := %d\n%s\n%s%s", how, begin, i+1, strings.Join(p.threads[i].body, "\n"), number(end, tag), after)
	}
	if mainWorks {
		fmt.Fprintf(&b, "r := %d\n%s\nfmt.Println(r)\n", started+1, strings.Join(p.threads[started].body, "\n"))
	}
	b.WriteString(number(wait, started))
	fmt.Fprintf(&b, "fmt.Println(\"end\", %s)\n", print)
	return b.String()
}
