// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// The names of functions that a policy's file calls, and whose bodies mean nothing: with a number
// of words behind it, Announce is the name of the one that announces so many; the others are
// those of front.Ghosts.
const (
	Announce = "pangolinAnnounce"
	Enter    = "pangolinEnter"
	Leave    = "pangolinLeave"
	Slots    = "pangolinSlotsOf"
	Threads  = "pangolinThreads"
	Thread   = "pangolinPlace"
)

// Whose call an announcement is about is told in a word: that of the thread which executes the ghost
// code, that of the thread in place w-1, or of nobody, or of several at once, which no announcement can be
// about. Receivers of one message have a common number above that, from WhoseBits on: in which order they
// take effect is not said.
const (
	WhoseOwn     = 0
	WhoseNobody  = 1<<WhoseBits - 2
	WhoseSeveral = 1<<WhoseBits - 1
	WhoseBits    = 8
)

// Policy is what the file of Source does for a linearization policy.
type Policy struct {
	Points  []Point
	Enabled string // the variable of a function that says whether a rule counts
	Plain   bool   // nothing is kept for calls
}

// Point is a rule of a policy. Ghost code speaks through variables of the package, functions that the
// file of Source makes: of values of type any, nil standing for a zero value.
type Point struct {
	// Var is given what names the call, who owns it, arguments and results, and the values of the
	// message that is sent, as far as there are any, and does what the rule says. Of a rule that
	// receives it is given what to do, which calls Fire with the number of the call and values.
	Var, Fire string
	Operation int  // that it announces; -1: none
	Own       bool // only results are given
	Given     bool // no results are given
	As, Owner bool
	On, Send  string // messages
	Values    int    // of the message
	Before    bool
	From      []int
	To        int // -1: the state stays
}

// points writes the functions of a policy, and sets the variables that hold them.
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

// point writes the function of a rule that announces, and gives how many words it announces.
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

// header writes how the function of a rule begins.
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

// before writes what a rule does before it announces.
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

// keeps says that a rule needs what is kept for the thread's call.
func (p *Point) keeps() bool { return p.As || p.To >= 0 || p.Send != "" }

// behind writes what a rule does when it has announced.
func (g *generator) behind(p *Point, number int) {
	switch {
	case p.On != "" && p.To >= 0:
		g.printf("\t%s(whose%%%d - 1).state = %d\n", Slots, 1<<WhoseBits, p.To)
	case p.To >= 0:
		g.printf("\town.state = %d\n", p.To)
	}
	g.sends(p, number, false)
}

// sends writes that a message goes to those that take effect before, or behind. Each time has a number
// of its own, by which its receivers are known as such.
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

// slots writes what is kept for a call, and what finds it.
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

// receiver is the type of what is to be done with a message.
func (p *Point) receiver() string {
	return "func(int" + strings.Repeat(", any", p.Values) + ")"
}

// counts writes the function that says whether a rule counts that names states.
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

// in is the condition that a call is in one of the states of a rule.
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

// send writes the function that gives a message to all who expect it, but the sender.
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
