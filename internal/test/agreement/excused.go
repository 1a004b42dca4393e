// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/native"
)

// Why a verdict of a type that only one side has need not be a difference.

// excused says that some history ends as the class says, and with a call that was alone, or beside others only with calls that
// wait alone: then it is what comes about if one call is made after the other. In that history the calls have returned what they
// have returned in the violation: another one excuses nothing.
func excused(a alleged, histories []string, waiting map[string]bool) bool {
	ends := map[native.Class]string{native.Stuck: "deadlock", native.Nontermination: "endless", native.Panicked: "; panic "}[a.class]
	return ends != "" && slices.ContainsFunc(histories, func(h string) bool {
		exits := a.class == native.Panicked && strings.HasSuffix(h, "=…") // a call has ended the program
		return (exits || strings.Contains(h, ends)) && (endsAlone(h) || onlyWait(h, waiting)) && a.isWithin(h)
	})
}

// onlyWait says that a history has calls that have not returned, and that all of them wait when they are alone.
func onlyWait(h string, waiting map[string]bool) bool {
	list := openCalls(h)
	return len(list) > 0 && !slices.ContainsFunc(list, func(call string) bool { return !waiting[call] })
}

// waitAlone are the calls that some history shows to wait for ever, or to go on for ever, when alone.
func waitAlone(list []native.Judgement) map[string]bool {
	calls := map[string]bool{}
	for _, j := range list {
		for _, h := range j.Histories {
			if open := openCalls(h); len(open) > 0 && (strings.Contains(h, "; deadlock ") || strings.Contains(h, "; endless ")) && endsAlone(h) {
				calls[open[0]] = true
			}
		}
	}
	return calls
}

// openCalls are the calls of a history that have not returned, in the order in which they began.
func openCalls(h string) (calls []string) {
	began := map[string]int{}
	for _, m := range written.FindAllStringSubmatch(h, -1) {
		if m[5] == "…" {
			calls = append(calls, m[4])
			began[m[4]], _ = strconv.Atoi(m[2])
		}
	}
	slices.SortStableFunc(calls, func(a, b string) int { return began[a] - began[b] })
	return calls
}

// written is a call of a history as it is written: thread, beginning, end, call, results.
var written = regexp.MustCompile(`(\d+):(\d+)-(\d+) (\w+\[[^\]]*\])=(…|\[[^\]]*\])`)

// endsAlone says that of the calls of a history that have not returned the first began when all
// others had: what began later may have to wait for that one. If all have returned, it says that no two
// have overlapped: what they have started ends the program.
func endsAlone(h string) bool {
	open, last, overlap := -1, 0, false
	for _, m := range written.FindAllStringSubmatch(h, -1) {
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		switch {
		case m[5] != "…":
			overlap = overlap || from < last
			last = max(last, to)
		case open < 0 || from < open:
			open = from
		}
	}
	return open >= last || open < 0 && !overlap
}

// amongPanics says, of a type that is judged by itself, that the only violations are panics which the machine takes for results: of a call while another is
// open that ends in a panic by itself (to the machine that one has returned, and the other follows it), or of a call that
// ends in a panic with another text by itself (to the machine that is one result).
func (c *claim) amongPanics(j native.Judgement) bool {
	if c.oracle != "self" {
		return false // to all others a panic is a violation, whatever it says
	}
	by := map[string][]string{} // how calls end in a panic alone
	for _, h := range j.Histories {
		if list := openCalls(h); !strings.HasPrefix(h, "!") && len(list) == 1 && panicOf(h) != "" {
			by[list[0]] = append(by[list[0]], panicOf(h))
		}
	}
	follows := func(h string) bool {
		list := openCalls(h)
		return !strings.HasPrefix(h, "!") || len(list) > 1 && slices.ContainsFunc(list, func(k string) bool { return by[k] != nil }) ||
			len(list) == 1 && by[list[0]] != nil && !slices.Contains(by[list[0]], panicOf(h))
	}
	return slices.Equal(j.Classes, []native.Class{native.Panicked}) &&
		!slices.ContainsFunc(j.Histories, func(h string) bool { return !follows(h) })
}

// panicOf is the text of the panic in which a history ends; "" if it does not.
func panicOf(h string) string {
	_, text, _ := strings.Cut(h, "; panic ")
	return text
}

// declined is what the machine does not execute, of what is generated.
var declined = []string{"runtime.Goexit in an operation is not supported", "unsafe.Slice is not supported", "a string made by unsafe.String that is still in use"}

// declines says that the machine does not execute what a text contains.
func declines(err error) bool {
	return err != nil && slices.ContainsFunc(declined, func(what string) bool { return strings.Contains(err.Error(), what) })
}

// racesAt says that a violation is a race, one side of which is on a line with a construct.
func (c *claim) racesAt(k construct, w witness) bool {
	at := &contrast{races: w.races, lines: constructs(c.Source)}
	return len(w.races) > 0 && at.everyRaceIsAt(k)
}

// clears says that a race of the type is known whose one side is a slice that is cleared in a call of the client, and whose other
// side is in a call of the client as well.
func (c *claim) clears(client native.Client) bool {
	made := slices.Concat(append(slices.Clone(client.Threads), client.Pre)...)
	inside := c.linesOf(made)
	return slices.ContainsFunc(c.witnesses, func(w witness) bool {
		return c.racesAt(clearsSlice, w) && !slices.ContainsFunc(w.races, func(r [2]int) bool { return !inside[r[0]] || !inside[r[1]] })
	})
}

// besideClears says that each race has a side in an operation of the client that clears a slice. Natively nothing tells that the
// clearing meets what others access, so that the order in which the others come first is not tried, and no access before it
// in that call is seen to race with what they do only then.
func (c *claim) besideClears(races [][2]int, client native.Client) bool {
	found, none := constructs(c.Source)[clearsSlice], c.linesOf(nil)
	clears := map[int]bool{}
	for _, k := range slices.Concat(append(slices.Clone(client.Threads), client.Pre)...) {
		own := c.linesOf([]native.Call{k})
		maps.DeleteFunc(own, func(line int, is bool) bool { return !is || none[line] })
		for line := range found {
			if own[line] {
				maps.Copy(clears, own)
			}
		}
	}
	return !slices.ContainsFunc(races, func(r [2]int) bool { return !clears[r[0]] && !clears[r[1]] })
}

// linesOf are the lines of the operations that are called, and those of no operation.
func (c *claim) linesOf(made []native.Call) map[int]bool {
	of, in := map[int]bool{}, ""
	for i, line := range strings.Split(c.Source, "\n") {
		if strings.HasPrefix(line, "func ") {
			in = ""
		}
		if m := method.FindStringSubmatch(line); m != nil {
			in = m[1]
		}
		of[i+1] = !slices.ContainsFunc(c.ops, func(o native.Op) bool { return o.Name == in }) ||
			slices.ContainsFunc(made, func(k native.Call) bool { return c.ops[k.Op].Name == in })
	}
	return of
}

// triesInVain says that TryLock of an RWMutex may fail in a client although neither a writer nor a reader has the lock at any one
// moment (doc/disagreements.md): someone tries, another keeps writers out meanwhile or does so no more, and there is a
// reader. Who begins a goroutine may be another to himself.
func (c *claim) triesInVain(client native.Client) bool {
	found := constructs(c.Source)
	does := func(k construct, made ...[]native.Call) bool {
		inside := c.linesOf(slices.Concat(made...))
		for line := range found[k] {
			if inside[line] {
				return true
			}
		}
		return false
	}
	all := append(slices.Clone(client.Threads), client.Pre)
	if !does(readsRW, all...) {
		return false
	}
	for i, calls := range client.Threads {
		others := slices.Delete(slices.Clone(client.Threads), i, i+1)
		if does(triesRW, calls) && (does(writesRW, others...) || does(begins, all...) && does(writesRW, all...)) {
			return true
		}
	}
	return does(begins, all...) && does(triesRW, all...)
}
