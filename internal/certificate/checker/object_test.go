// SPDX-License-Identifier: BSD-3-Clause

package checker_test

import (
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/collection"
	"pangolin/internal/engine/unbounded"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/sources"
)

// What a certificate says of the operations of an object is what they do: with anything else in its place it is refused.

// proved is one of the collections with the certificate of its proof.
func proved(t *testing.T, dir, typ, with string) (*subject.Subject, []byte) {
	t.Helper()
	q := find.Query{Dir: "../../../collections/" + dir, Packages: []string{"."}, Type: typ, Note: func(string, ...any) {},
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{Type: typ, New: with}, nil }}
	found, _, err := q.Find(sources.Repository)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	order := subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
	s, err := order.Load(sources.Repository)
	if err != nil {
		t.Fatal(err)
	}
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := unbounded.Search(t.Context(), p, fixpoint.Options{})
	if err != nil || r.Invariant == nil {
		t.Fatal(err, r)
	}
	text, err := checker.Complete(t.Context(), s, r.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog)))
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// holds reports whether a certificate holds with whatever fits there are; the text says why not.
func holds(t *testing.T, s *subject.Subject, x *certificate.Certificate) (bool, string) {
	t.Helper()
	c, err := checker.New(s, x)
	if err != nil {
		return false, err.Error()
	}
	if x.Fits, err = c.Fit(t.Context()); err != nil {
		return false, err.Error()
	}
	if c, err = checker.New(s, x); err == nil {
		err = c.Check(t.Context())
	}
	if err != nil {
		return false, err.Error()
	}
	return true, ""
}

func TestObject_IsWhatTheOperationsDo(t *testing.T) {
	s, text := proved(t, "conditional", "CCAS", "NewCCAS[int](0)")
	parsed := func() *certificate.Certificate {
		x, err := certificate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if ok, why := holds(t, s, parsed()); !ok {
		t.Fatal(why)
	}
	refused := func(what string, change func(o *certificate.Object)) {
		x := parsed()
		change(x.Head.Object)
		if ok, _ := holds(t, s, x); ok {
			t.Errorf("%s: it holds", what)
		}
	}
	whole := parsed().Head.Object
	for i, r := range whole.Registers {
		refused("another word", func(o *certificate.Object) { o.Registers[i].Word++ })
		refused("no word", func(o *certificate.Object) { o.Registers[i].Word = -1 })
		refused("another kind of value", func(o *certificate.Object) { o.Registers[i].Holds = (o.Registers[i].Holds + 1) % 3 })
		refused("no kind of value", func(o *certificate.Object) { o.Registers[i].Holds = 3 })
		refused("cells of another type", func(o *certificate.Object) { o.Registers[i].Cell++ })
		refused("cells of no type", func(o *certificate.Object) { o.Registers[i].Cell = -1 })
		if r.Descriptor == nil {
			refused("a descriptor where there is none", func(o *certificate.Object) { o.Registers[i].Descriptor = &certificate.Descriptor{} })
			continue
		}
		refused("another place in the cell", func(o *certificate.Object) { o.Registers[i].Offset++ })
		refused("no descriptor", func(o *certificate.Object) { o.Registers[i].Descriptor = nil })
		for what, change := range map[string]func(d *certificate.Descriptor){
			"another link": func(d *certificate.Descriptor) { d.Link++ }, "another type": func(d *certificate.Descriptor) { d.Type++ },
			"another value": func(d *certificate.Descriptor) { d.Value++ }, "another operation": func(d *certificate.Descriptor) { d.Op = 1 - d.Op },
			"an argument less": func(d *certificate.Descriptor) { d.Args = d.Args[1:] }, "an argument elsewhere": func(d *certificate.Descriptor) { d.Args[0]++ },
			"an argument nowhere": func(d *certificate.Descriptor) { d.Args[0] = 99 },
		} {
			refused("a descriptor with "+what, func(o *certificate.Object) { change(o.Registers[i].Descriptor) })
		}
	}
	for i, r := range whole.Rules {
		refused("an argument more", func(o *certificate.Object) { o.Rules[i].Args = append(o.Rules[i].Args, certificate.OfK) })
		refused("it assigns nothing", func(o *certificate.Object) { o.Rules[i].Assigns = -1 })
		refused("it assigns another register", func(o *certificate.Object) { o.Rules[i].Assigns = 1 - o.Rules[i].Assigns })
		refused("it assigns no register", func(o *certificate.Object) { o.Rules[i].Assigns = 2 })
		refused("it assigns another argument", func(o *certificate.Object) { o.Rules[i].From++ })
		refused("it returns another register", func(o *certificate.Object) { o.Rules[i].Returns = -1 - o.Rules[i].Returns })
		refused("it returns no register", func(o *certificate.Object) { o.Rules[i].Returns = 2 })
		for k := range r.Args {
			refused("another kind of argument", func(o *certificate.Object) { o.Rules[i].Args[k] = (o.Rules[i].Args[k] + 1) % 3 })
		}
		for k, g := range r.Guards {
			refused("a guard less", func(o *certificate.Object) {
				o.Rules[i].Guards = append(o.Rules[i].Guards[:k:k], o.Rules[i].Guards[k+1:]...)
			})
			refused("a guard of the other register", func(o *certificate.Object) { o.Rules[i].Guards[k].Register = 1 - g.Register })
			refused("a guard of no register", func(o *certificate.Object) { o.Rules[i].Guards[k].Register = 2 })
			refused("a guard with another argument", func(o *certificate.Object) { o.Rules[i].Guards[k].Arg++ })
			if g.Arg < 0 {
				refused("a guard with another number", func(o *certificate.Object) { o.Rules[i].Guards[k].Number++ })
			}
		}
	}
}
