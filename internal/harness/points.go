// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// The names of functions that a policy's file calls. They have empty bodies; the machine gives them their meaning (front.Ghosts). The
// name of a function that announces n words is Announce followed by n.
const (
	Announce = "pangolinAnnounce"
	Enter    = "pangolinEnter"
	Leave    = "pangolinLeave"
	Slots    = "pangolinSlotsOf"
	Threads  = "pangolinThreads"
	Thread   = "pangolinPlace"
)

// The low WhoseBits bits of a word say which thread's call an announcement is about: WhoseOwn is the thread that executes the ghost
// code, w is thread w-1, WhoseNobody is no thread, and WhoseSeveral is more than one, about which no announcement can be. The bits
// above are equal for the receivers of one message, which take effect in any order; 0: no message.
const (
	WhoseOwn     = 0
	WhoseNobody  = 1<<WhoseBits - 2
	WhoseSeveral = 1<<WhoseBits - 1
	WhoseBits    = 8
)

// Policy describes what Source writes for a linearization policy.
type Policy struct {
	Points  []Point
	Enabled string // the variable that gets the function which reports whether a rule's states hold
	Plain   bool   // no rule has states, names or messages, so that calls need no slots
}

// Point is a rule of a policy. The user's file calls a rule through a variable of the package, which the file of Source sets to a
// function. Its parameters have type any; nil stands for a zero value.
type Point struct {
	// Var is the variable of the rule's function. Its arguments are, as far as the rule has them, a name for the call, the call's
	// owner, arguments and results, and the values of the message to send. If the rule receives a message, Var's function takes what is
	// to be done with it, which calls Fire with whose word and values.
	Var, Fire string
	Operation int  // index of the operation that it announces; -1: none
	Own       bool // it announces results only; the arguments are those of the call
	Given     bool // it announces no results
	As, Owner bool
	On, Send  string // names of the messages that it receives and sends; "": none
	Values    int    // number of values of the message
	Before    bool
	From      []int // the rule applies in these states of the call; none: in all
	To        int   // the state of the call afterwards; -1: unchanged
}

// points writes the functions of a policy, and an init function that stores them in their variables.
func (g *generator) points(c *collection.Collection, p *Policy) {
	if p == nil || len(p.Points) == 0 {
		return
	}
	widths := map[int]bool{}
	for i := range p.Points {
		pt := &p.Points[i]
		if pt.Operation < 0 {
			g.silent(pt, i)
			continue
		}
		n := g.point(&c.Operations[pt.Operation], pt, i)
		if !widths[n] {
			widths[n] = true
			g.helpers = append(g.helpers, fmt.Sprintf("func %s%d(rule, whose int%s) {}\n", Announce, n, ints("w", n)))
		}
	}
	g.printf("func init() {\n")
	for i, pt := range p.Points {
		if pt.On == "" {
			g.printf("\t%s = pangolinPoint%d\n", pt.Var, i)
		} else {
			g.printf("\t%s, %s = pangolinExpect%d, pangolinPoint%d\n", pt.Var, pt.Fire, i, i)
		}
	}
	if !p.Plain {
		g.printf("\t%s = pangolinCounts\n", p.Enabled)
	}
	g.printf("}\n\n")
	if !p.Plain {
		g.slots(p)
	}
}

// point writes the function of a rule that announces, and returns how many words it announces.
func (g *generator) point(o *collection.Operation, p *Point, number int) int {
	var params, words []string
	var body strings.Builder
	args := o.Call.Args
	if p.Own {
		args = nil
	}
	for i, at := range args {
		codec := o.Call.Params[at]
		params = append(params, fmt.Sprintf("p%d", i))
		fmt.Fprintf(&body, "\tvar a%d %s\n\tif p%d != nil {\n\t\ta%d = p%d.(%s)\n\t}\n", i, g.typ(codec.Type), i, i, i, g.typ(codec.Type))
		words = append(words, g.decode(codec, fmt.Sprintf("a%d", i)))
	}
	results := o.Results
	if p.Given {
		results = nil
	}
	for i := range results {
		typ := g.typ(o.Results[i].Codec.Type)
		params = append(params, fmt.Sprintf("q%d", i))
		fmt.Fprintf(&body, "\tvar v%d %s\n\tif q%d != nil {\n\t\tv%d = q%d.(%s)\n\t}\n", i, typ, i, i, i, typ)
	}
	g.header(p, number, params)
	g.before(p, number)
	g.printf("%s", body.String())
	if n := o.Words(); n > 0 && !p.Given {
		g.printf("\tvar %s int\n", numbered("r", n))
		g.decodeResults(results)
		words = append(words, strings.Split(numbered("r", n), ", ")...)
	}
	g.printf("\t%s%d(%s)\n", Announce, len(words), strings.Join(append([]string{fmt.Sprint(number), "whose"}, words...), ", "))
	g.behind(p, number)
	g.printf("}\n\n")
	return len(words)
}

// silent writes the function of a rule that announces nothing.
func (g *generator) silent(p *Point, number int) {
	g.header(p, number, nil)
	g.before(p, number)
	g.behind(p, number)
	g.printf("}\n\n")
}

// header writes the first line of a rule's function.
func (g *generator) header(p *Point, number int, values []string) {
	if p.On != "" {
		g.printf("func pangolinPoint%d(whose int%s) {\n", number, behindComma(anys(values)))
		return
	}
	var params []string
	if p.As {
		params = append(params, "as")
	}
	if p.Owner {
		params = append(params, "owner")
	}
	params = append(params, values...)
	if p.Send != "" {
		params = append(params, messageValues(p.Values)...)
	}
	g.printf("func pangolinPoint%d(%s) {\n", number, anys(params))
}

// before writes the statements of a rule's function before the announcement.
func (g *generator) before(p *Point, number int) {
	if p.On != "" {
		return
	}
	if p.keeps() {
		g.printf("\town := %s(%s())\n\tif own == nil", Slots, Thread)
		if p.Operation >= 0 && !p.Owner {
			g.printf(" || own.op != %d", p.Operation)
		}
		g.printf(" {\n\t\treturn\n\t}\n")
	}
	if p.As {
		g.printf("\town.name = as\n")
	}
	switch {
	case p.Owner:
		g.printf("\twhose := pangolinOwner(owner)\n")
	case p.Operation >= 0:
		g.printf("\tconst whose = %d\n", WhoseOwn)
	}
	g.sends(p, number, true)
}

// keeps reports whether a rule reads or changes the slots of the thread's call.
func (p *Point) keeps() bool { return p.As || p.To >= 0 || p.Send != "" }

// behind writes the statements of a rule's function after the announcement.
func (g *generator) behind(p *Point, number int) {
	switch {
	case p.On != "" && p.To >= 0:
		g.printf("\t%s(whose%%%d - 1).state = %d\n", Slots, 1<<WhoseBits, p.To)
	case p.To >= 0:
		g.printf("\town.state = %d\n", p.To)
	}
	g.sends(p, number, false)
}

// sends writes the statement that sends a rule's message, to the receivers that take effect before it or to those after it. Each of the
// two groups has its own number.
func (g *generator) sends(p *Point, number int, before bool) {
	if p.Send == "" {
		return
	}
	group := 2*number + 1
	if !before {
		group++
	}
	args := append([]string{fmt.Sprint(before), fmt.Sprint(group << WhoseBits)}, messageValues(p.Values)...)
	g.printf("\tpangolinSend_%s(%s)\n", p.Send, strings.Join(args, ", "))
}

// slots writes the type of a call's slots and the functions that find them.
func (g *generator) slots(p *Policy) {
	g.printf("type pangolinSlots struct {\n\top, state int\n\tname any\n")
	for i := range p.Points {
		if p.Points[i].On != "" {
			g.printf("\texpects%d %s\n", i, p.Points[i].receiver())
		}
	}
	g.printf("}\n\n")
	g.printf("func %s(*pangolinSlots) {}\n\nfunc %s(*pangolinSlots) {}\n\nfunc %s(int) *pangolinSlots { return nil }\n\nfunc %s() int { return 0 }\n\nfunc %s() int { return 0 }\n\n",
		Enter, Leave, Slots, Threads, Thread)
	// How many instructions it executes must not depend on the order of the threads, which a replay does not keep.
	g.printf(`func pangolinOwner(name any) int {
	whose := %d
	for i := range %s() {
		if s := %s(i); name != nil && s != nil && s.name == name {
			if whose == %d {
				whose = i + 1
			} else {
				whose = %d
			}
		}
	}
	return whose
}

`, WhoseNobody, Threads, Slots, WhoseNobody, WhoseSeveral)
	g.counts(p)
	var sent []string
	for i := range p.Points {
		pt := &p.Points[i]
		if pt.On != "" {
			g.printf("func pangolinExpect%d(do %s) {\n\tif own := %s(%s()); own != nil && own.op == %d {\n\t\town.expects%d = do\n\t}\n}\n\n",
				i, pt.receiver(), Slots, Thread, pt.Operation, i)
		}
		if pt.Send != "" && !slices.Contains(sent, pt.Send) {
			sent = append(sent, pt.Send)
			g.send(p, pt)
		}
	}
}

// receiver is the type of the function that is called with a message.
func (p *Point) receiver() string {
	return "func(int" + strings.Repeat(", any", p.Values) + ")"
}

// counts writes the function that reports whether a rule with states applies to the thread's call.
func (g *generator) counts(p *Policy) {
	g.printf("func pangolinCounts(rule int) bool {\n\town := %s(%s())\n\tif own == nil {\n\t\treturn false\n\t}\n\tswitch rule {\n", Slots, Thread)
	for i := range p.Points {
		if pt := &p.Points[i]; len(pt.From) > 0 {
			cond := pt.in("own")
			if pt.Operation >= 0 && !pt.Owner {
				cond = fmt.Sprintf("own.op == %d && %s", pt.Operation, cond)
			}
			g.printf("\tcase %d:\n\t\treturn %s\n", i, cond)
		}
	}
	g.printf("\t}\n\treturn true\n}\n\n")
}

// in is the condition that the slots of a call are in one of the rule's states.
func (p *Point) in(slots string) string {
	if len(p.From) == 0 {
		return "true"
	}
	var in []string
	for _, s := range p.From {
		in = append(in, fmt.Sprintf("%s.state == %d", slots, s))
	}
	return "(" + strings.Join(in, " || ") + ")"
}

// send writes the function that delivers a message to all receivers but the sender.
func (g *generator) send(p *Policy, of *Point) {
	values := messageValues(of.Values)
	g.printf("func pangolinSend_%s(before bool, group int%s) {\n\tfor i := range %s() {\n\t\ts := %s(i)\n\t\tif i == %s() || s == nil {\n\t\t\tcontinue\n\t\t}\n",
		of.Send, behindComma(anys(values)), Threads, Slots, Thread)
	for i := range p.Points {
		pt := &p.Points[i]
		if pt.On != of.Send {
			continue
		}
		g.printf("\t\tif before == %t && s.expects%d != nil && %s {\n\t\t\ts.expects%d(%s)\n\t\t}\n",
			pt.Before, i, pt.in("s"), i, strings.Join(append([]string{"group + i + 1"}, values...), ", "))
	}
	g.printf("\t}\n}\n\n")
}

func messageValues(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("m%d", i))
	}
	return out
}

func behindComma(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}

// anys writes parameters of type any.
func anys(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + " any"
}
