// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
)

// damage is a change of a certificate that makes it claim something else.
type damage struct {
	name  string
	apply func(*certificate.Certificate)
}

// parsed is a copy of a certificate that can be changed.
func parsed(t *testing.T, text []byte) *certificate.Certificate {
	t.Helper()
	x, err := certificate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// damages are all ways to leave out a view or an effect, and to change one part of one view:
// a word of a cell or of a register, what is remembered of the operation, what a chain consists of.
func damages(x *certificate.Certificate) []damage {
	out := headDamages(x)
	for i := range x.Effects {
		out = append(out, damage{"effect left out", func(c *certificate.Certificate) { c.Effects = slices.Delete(c.Effects, i, i+1) }})
	}
	for i := range x.Views {
		out = append(out, damage{"view left out", func(c *certificate.Certificate) { c.Views = slices.Delete(c.Views, i, i+1) }})
		for n := range x.Views[i].Heap {
			out = append(out, nodeDamages(i, n, &x.Views[i].Heap[n])...)
		}
		for k := range x.Views[i].Calls {
			for r, reg := range x.Views[i].Calls[k].Regs {
				for _, w := range otherWords(reg.Word) {
					out = append(out, damage{"register changed", func(c *certificate.Certificate) { c.Views[i].Calls[k].Regs[r].Word = w }})
				}
				out = append(out, damage{"register left out", func(c *certificate.Certificate) {
					c.Views[i].Calls[k].Regs = slices.Delete(c.Views[i].Calls[k].Regs, r, r+1)
				}})
			}
		}
		for _, s := range []certificate.Seen{certificate.Changed, certificate.Empty, certificate.Absent, certificate.Present, certificate.Announced, certificate.Allowed, certificate.Refused, certificate.Right, certificate.Offered} {
			if len(x.Views[i].Calls) == 0 {
				continue
			}
			if at := slices.Index(x.Views[i].Saw, s); at >= 0 {
				out = append(out, damage{"memory of the operation left out", func(c *certificate.Certificate) { c.Views[i].Saw = slices.Delete(c.Views[i].Saw, at, at+1) }})
			} else {
				out = append(out, damage{"memory of the operation made up", func(c *certificate.Certificate) { c.Views[i].Saw = append(c.Views[i].Saw, s) }})
			}
		}
	}
	return out
}

// headDamages leave out what the head says of writes.
func headDamages(x *certificate.Certificate) []damage {
	var out []damage
	for i := range x.Head.Replaced {
		out = append(out, damage{"value that is replaced left out", func(c *certificate.Certificate) { c.Head.Replaced = slices.Delete(c.Head.Replaced, i, i+1) }})
		for k := range x.Head.Replaced[i].Words {
			out = append(out, damage{"value that is replaced changed", func(c *certificate.Certificate) { c.Head.Replaced[i].Words[k].Value.N ^= 1 }})
		}
	}
	for i := range x.Head.Returning {
		out = append(out, damage{"word to which addresses return left out", func(c *certificate.Certificate) { c.Head.Returning = slices.Delete(c.Head.Returning, i, i+1) }})
	}
	return append(out, objectDamages(x.Head.Object)...)
}

// objectDamages change what the head says of an object: its rules, and what its descriptors have.
func objectDamages(o *certificate.Object) []damage {
	if o == nil {
		return nil
	}
	var out []damage
	for i := range o.Rules {
		for g := range o.Rules[i].Guards {
			out = append(out, damage{"guard left out", func(c *certificate.Certificate) {
				c.Head.Object.Rules[i].Guards = slices.Delete(c.Head.Object.Rules[i].Guards, g, g+1)
			}})
		}
		for _, change := range []func(*certificate.Rule){
			func(r *certificate.Rule) { r.Assigns-- }, func(r *certificate.Rule) { r.Assigns++ }, func(r *certificate.Rule) { r.From++ },
			func(r *certificate.Rule) { r.Returns = -1 - r.Returns }, func(r *certificate.Rule) { r.Args = append(r.Args, certificate.OfK) },
		} {
			out = append(out, damage{"rule changed", func(c *certificate.Certificate) { change(&c.Head.Object.Rules[i]) }})
		}
	}
	for i := range o.Registers {
		out = append(out, damage{"register left out", func(c *certificate.Certificate) {
			c.Head.Object.Registers = slices.Delete(c.Head.Object.Registers, i, i+1)
		}},
			damage{"another kind of values", func(c *certificate.Certificate) { c.Head.Object.Registers[i].Holds ^= 3 }})
		d := o.Registers[i].Descriptor
		if d == nil {
			continue
		}
		out = append(out, damage{"no descriptors", func(c *certificate.Certificate) { c.Head.Object.Registers[i].Descriptor = nil }},
			damage{"another value meanwhile", func(c *certificate.Certificate) { c.Head.Object.Registers[i].Descriptor.Value ^= 1 }})
		for k := range d.Args {
			out = append(out, damage{"another argument", func(c *certificate.Certificate) { c.Head.Object.Registers[i].Descriptor.Args[k] ^= 1 }})
		}
	}
	return out
}

// nodeDamages change one node of one view.
func nodeDamages(i, n int, node *certificate.Node) []damage {
	at := func(c *certificate.Certificate) *certificate.Node { return &c.Views[i].Heap[n] }
	var out []damage
	for off, old := range node.Words {
		if old.Form == certificate.Dead {
			continue // what is really there is claimed by less, and that would be right
		}
		for _, w := range otherWords(old) {
			out = append(out, damage{"word changed", func(c *certificate.Certificate) { at(c).Words[off] = w }})
		}
	}
	for _, o := range otherOffers(node.Offer) {
		out = append(out, damage{offerChanged, func(c *certificate.Certificate) { at(c).Offer = o }})
	}
	if !node.Chain {
		return append(out, damage{"sharing changed", func(c *certificate.Certificate) { at(c).Private = !at(c).Private }})
	}
	out = append(out, damage{"chain may be empty, or not", func(c *certificate.Certificate) { at(c).MayBeEmpty = !at(c).MayBeEmpty }})
	for _, set := range []func(*certificate.Node) *[]int{
		func(x *certificate.Node) *[]int { return &x.All },
		func(x *certificate.Node) *[]int { return &x.First },
		func(x *certificate.Node) *[]int { return &x.Last },
	} {
		for k := range *set(node) {
			out = append(out, damage{"kind left out", func(c *certificate.Certificate) { *set(at(c)) = slices.Delete(*set(at(c)), k, k+1) }})
		}
	}
	return out
}

// offerChanged is the name of a damage of which there are few among the others.
const offerChanged = "offer changed"

// otherOffers are what an offer is not: none at all, another's, one that has gone another way, with another item.
func otherOffers(o certificate.Offer) []certificate.Offer {
	if o == (certificate.Offer{}) {
		return nil
	}
	out := []certificate.Offer{{}}
	for _, change := range []func(*certificate.Offer){
		func(o *certificate.Offer) { o.Holder = certificate.Mine },
		func(o *certificate.Offer) { o.Holder = certificate.Others },
		func(o *certificate.Offer) { o.Stage = certificate.Open },
		func(o *certificate.Offer) { o.Stage = certificate.Met },
		func(o *certificate.Offer) { o.Stage = certificate.Missed },
		func(o *certificate.Offer) { o.Takes = !o.Takes },
		func(o *certificate.Offer) { o.Item = certificate.Word{Form: certificate.Item, N: certificate.Above} },
		func(o *certificate.Offer) { o.Item = certificate.Word{} },
	} {
		x := o
		if change(&x); x != o {
			out = append(out, x)
		}
	}
	return out
}

// otherWords are words that a word is not.
func otherWords(w certificate.Word) []certificate.Word {
	var out []certificate.Word
	for _, text := range []string{"0", "1", "<k", "=k", ">k", "=j", ">j", "?", "_", "@0", "@1"} {
		var x certificate.Word
		if err := x.UnmarshalText([]byte(text)); err == nil && x != w {
			out = append(out, x)
		}
	}
	return out
}

// tried says what becomes of a damaged certificate, with any fits that there are: "rejected", "damaged" (it makes no sense),
// "harmless" (it claims all that the original one claims) or "accepted".
func tried(t *testing.T, s *subject.Subject, whole, x *certificate.Certificate) string {
	t.Helper()
	c, err := checker.New(s, x)
	if err != nil {
		return "damaged"
	}
	x.Fits, err = c.Fit(t.Context())
	if errors.As(err, new(*checker.Rejection)) {
		if c.Check(t.Context()) == nil { // with those of the whole one
			return "accepted"
		}
		return "rejected"
	}
	if err != nil {
		t.Fatal(err)
	}
	if c, err = checker.New(s, x); err != nil {
		t.Fatal(err)
	}
	if err := c.Check(t.Context()); err != nil {
		t.Errorf("it fits, and does not hold: %v", err)
	}
	for i := range whole.Views {
		if claims, err := c.Claims(&whole.Views[i]); err != nil || !claims {
			return "accepted"
		}
	}
	return "harmless"
}

// TestChecker_RejectsDamagedCertificates changes certificates in small ways. What is accepted
// must be weaker than the original and still an invariant; nothing may be accepted that leaves
// out what threads may see.
func TestChecker_RejectsDamagedCertificates(t *testing.T) {
	level.SkipShort(t, "checks many certificates")
	for i, c := range []struct {
		pkg, typ string
		every    int // of the damages one is tried; of the first collection every view is left out
	}{{"right", "CoarseStack", 11}, {"conditional", "CCAS", 19_997}, {"stack", "LockFreeStack", 397}, {"list", "CoarseList", 397}, {"queue", "UnboundedQueue", 2003}, {"right", "MeetingStack", 9001}} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 8) {
				t.Skip("certificates of some collections will do; -level more damages those of all")
			}
			every := c.every
			if level.All() {
				every = max(1, every/20)
			}
			s, text := certified(t, c.pkg, c.typ)
			whole := parsed(t, text)
			count := map[string]int{}
			offers, heads := 0, len(headDamages(whole))
			for i, d := range damages(whole) {
				due := i < heads || i%every == 0 || d.name == "view left out" && c.typ == "CoarseStack"
				if d.name == offerChanged {
					offers++
					due = offers%max(1, every/10) == 0
				}
				if !due {
					continue
				}
				x := parsed(t, text)
				d.apply(x)
				what := tried(t, s, whole, x)
				count[what]++
				if what == "accepted" {
					t.Errorf("%d %s: accepted", i, d.name)
				}
			}
			t.Log(count)
			if count["rejected"] < 10 {
				t.Errorf("only %d damaged certificates are rejected", count["rejected"])
			}
		})
	}
}

// TestChecker_ComparesWhatIsSaidToFit changes the numbers by which successors fit, one after the other. The views are an invariant, so
// nothing wrong can be accepted; but a number that is not compared would be accepted whatever it is.
func TestChecker_ComparesWhatIsSaidToFit(t *testing.T) {
	level.SkipShort(t, "checks many certificates")
	s, text := certified(t, "right", "CoarseStack")
	rejected, accepted := 0, 0
	check := func(change func(x *certificate.Certificate)) bool {
		t.Helper()
		x := parsed(t, text)
		change(x)
		err := accept(s, x)
		if err != nil && !errors.As(err, new(*checker.Rejection)) {
			t.Fatal(err)
		}
		return err == nil
	}
	whole := parsed(t, text)
	for i, fits := range whole.Fits {
		for k, n := range fits {
			for _, other := range []int32{n - 1, n + 1, -1, 1 << 30} {
				if other == n || other < -1 {
					continue
				}
				if check(func(x *certificate.Certificate) { x.Fits[i][k] = other }) {
					accepted++
				} else {
					rejected++
				}
			}
		}
		for what, change := range map[string]func(x *certificate.Certificate){
			"a number less": func(x *certificate.Certificate) { x.Fits[i] = x.Fits[i][:max(0, len(fits)-1)] },
			"a number more": func(x *certificate.Certificate) { x.Fits[i] = append(x.Fits[i], 0) },
			"none of these": func(x *certificate.Certificate) { x.Fits = slices.Delete(x.Fits, i, i+1) },
			"these twice":   func(x *certificate.Certificate) { x.Fits = slices.Insert(x.Fits, i, fits) },
		} {
			if (len(fits) > 0 || what == "a number more") && check(change) && what != "a number less" {
				t.Errorf("fits %d, %s: accepted", i, what)
			}
		}
	}
	t.Logf("%d numbers changed, %d of them for others that fit as well", rejected+accepted, accepted)
	if rejected < 1000 || accepted > rejected/10 {
		t.Errorf("of %d numbers that were changed %d are rejected", rejected+accepted, rejected)
	}
	if !check(func(x *certificate.Certificate) {}) || check(func(x *certificate.Certificate) { x.Fits = nil }) {
		t.Error("the whole one is rejected, or one without fits is accepted")
	}
}

// TestChecker_SaysWhatIsWrongWithDamagedFiles changes bytes of a file.
func TestChecker_SaysWhatIsWrongWithDamagedFiles(t *testing.T) {
	level.SkipShort(t, "reads 400 certificates")
	s, text := certified(t, "right", "CoarseStack")
	random := rand.New(rand.NewPCG(1, 2))
	holds := 0
	for range 400 {
		broken := bytes.Clone(text)
		switch at := random.IntN(len(broken)); random.IntN(3) {
		case 0:
			broken = broken[:at]
		case 1:
			broken[at] = byte(' ' + random.IntN(95))
		default:
			broken = slices.Delete(broken, at, min(len(broken), at+1+random.IntN(20)))
		}
		r, err := checker.CheckFile(t.Context(), s, broken, nil)
		switch {
		case err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")):
			t.Errorf("the error is %q", err)
		case err == nil && !r.Holds && r.Reason == "":
			t.Error("it does not hold, and nobody says why")
		case err == nil && r.Holds:
			holds++
		}
	}
	if holds > 40 {
		t.Errorf("%d of 400 damaged files hold", holds)
	}
}
