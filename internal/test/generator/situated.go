// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"regexp"
	"strings"
)

// Situated writes a program in which goroutines meet in one of the situations; every
// goroutine does little else.
func Situated(seed uint64) string {
	p := &program{writer: newWriter(seed, 0x736974756174696f)}
	return p.situated(seed, &situations[p.rng.IntN(len(situations))])
}

func (p *program) situated(seed uint64, s *situation) string {
	p.draw(1, func(t theme) bool { return t == themePlain || t == themeAtomic || t == themeLock || t == themeChannel })
	p.pinned = true
	p.form = form(p.rng.IntN(int(receiver)))
	if s.again {
		p.form = form(p.rng.IntN(int(localVariables))) // main's locals are each run's own
	}
	count := max(2, len(s.parts))
	if p.oneIn(3) {
		count = 3
	}
	for i := range count {
		text := p.part(s.parts[i%len(s.parts)])
		if s.equal && i > 0 {
			text = p.threads[0].body[0]
		}
		p.threads = append(p.threads, thread{[]string{text}, visible(text)})
	}
	if count > max(2, len(s.parts)) && paths(p.threads) > maxMeetings {
		count--
		p.threads = p.threads[:count]
	}
	if p.oneIn(2) && !s.equal && !s.again {
		p.add(&p.threads[p.rng.IntN(count)], scoped(p.statement(0)))
	}
	head := fmt.Sprintf("// situation %d: %s\npackage main\n\n", seed, s.name)
	switch {
	case s.equal:
		return formatSource(head + p.textOf(p.equalBody(count), true))
	case s.again:
		return formatSource(head + p.textOf(p.againBody(count), false))
	}
	return formatSource(head + p.text())
}

// maxMeetings bounds the interleavings beyond those that the situation itself needs.
const maxMeetings = 4000

// add puts a statement before or behind what a goroutine does, if that is little.
func (p *program) add(t *thread, text string) {
	before := t.steps
	t.steps += visible(text)
	switch {
	case paths(p.threads) > maxMeetings:
		t.steps = before
	case p.oneIn(2):
		t.body = append([]string{text}, t.body...)
	default:
		t.body = append(t.body, text)
	}
}

// part draws one of the alternatives.
func (p *program) part(list []string) string { return scoped(p.expand(list[p.rng.IntN(len(list))], 1)) }

var declaration = regexp.MustCompile(`(?m)^(\w+(, \w+)* :=|defer )`)

// scoped makes a text with declarations or deferred calls a block.
func scoped(text string) string {
	if declaration.MatchString(text) {
		return "{\n" + text + "\n}"
	}
	return text
}

// equalBody is main of a program whose goroutines and main run one function.
func (p *program) equalBody(count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "done := make(chan int, %d)\nwork := func(r int) {\n%s\ndone <- r\n}\n", count, strings.Join(p.threads[0].body, "\n"))
	start := p.pick("work(1)\n", "func() { work(1) }()\n")
	if p.oneIn(3) {
		fmt.Fprintf(&b, "for range %d {\ngo %s}\n", count, start)
	} else {
		b.WriteString(strings.Repeat("go "+start, count-1) + "work(1)\n")
	}
	fmt.Fprintf(&b, "sum := 0\nfor range %d {\nsum += <-done\n}\nfmt.Println(\"end\", sum)\n", count)
	return b.String()
}

// againBody is a main that goroutines run as well. Nothing but their number tells them
// which of the calls is the program's.
func (p *program) againBody(count int) string {
	wait := p.pick("", "@wg.Wait()\n", "if k == 1 {\n@wg.Wait()\n}\n")
	start := fmt.Sprintf("k := @au.Add(1)\nif k < %d {\n%sgo main()\n}\n", count, when(wait != "", "@wg.Add(1)\n"))
	leave := when(wait != "", "if k > 1 {\n@wg.Done()\n}\n")
	return start + "r := " + p.pick("1", "int(k)") + "\n" + strings.Join(p.threads[0].body, "\n") + "\n" +
		"fmt.Println(r" + p.pick("", ", k") + ")\n" + leave + wait
}

func when(b bool, text string) string {
	if b {
		return text
	}
	return ""
}
