package pangolin

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/front"
	harnesses "pangolin/internal/harness"
	"pangolin/internal/ir"
	"pangolin/internal/recognise"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// loaded is a collection that is compiled, with its oracle.
type loaded struct {
	subject *bounded.Subject
	source  sources
}

// load compiles a collection.
func (t *target) load(ctx context.Context) (*loaded, error) {
	h := &harness{overrides: t.overrides}
	s, err := h.subject(ctx, t.listed, t.ops)
	if err != nil {
		return nil, err
	}
	if s.Spec, err = t.spec(ctx, s, h); err != nil {
		return nil, err
	}
	return &loaded{subject: s, source: sources{listed: t.listed, harness: h, files: map[string][]string{}}}, nil
}

// harness is the file through which a collection is driven.
type harness struct {
	overrides collection.Overrides
	found     *collection.Collection
	file      string
	text      []byte
	roots     []string
}

// source gives the harness for a package whose types are known; it may be asked more than once.
func (h *harness) source(pkg *types.Package) (file string, src []byte, err error) {
	found, err := recognise.Find(pkg, h.overrides)
	if err != nil {
		return "", nil, err
	}
	h.found = found[0]
	h.file, h.text, h.roots, err = harnesses.Source(pkg, h.found)
	return h.file, h.text, err
}

// subject compiles the collection with its harness. ops say who may call what; nil:
// anyone anything.
func (h *harness) subject(ctx context.Context, p *front.Listed, ops []client.Op) (*bounded.Subject, error) {
	pkg, err := p.Types(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := h.source(pkg); err != nil {
		return nil, err
	}
	prog, err := p.Load(ctx, front.Request{Harness: h.source, Roots: h.roots, Given: h.given})
	if err != nil {
		return nil, err
	}
	return h.bind(prog, ops), nil
}

// given says which functions of the package the machine executes itself: those that it
// knows, but for the methods of the type under verification. So sync.Once is verified
// given a sync.Mutex that is right.
func (h *harness) given(name string) bool {
	recv := "(*" + h.found.Package + "." + h.found.Type
	return vm.Gives(name) && !strings.HasPrefix(name, recv+")") && !strings.HasPrefix(name, recv+"[")
}

// assumptions are what a verdict rests on because of what the code calls.
func (l *loaded) assumptions() []string {
	for _, f := range l.subject.Prog.Funcs {
		if f.External && (f.Name == "runtime.cheaprand" || f.Name == "runtime.rand") {
			return []string{fmt.Sprintf("random numbers that the code takes from the runtime are 0 to %d", vm.FewRandoms-1)}
		}
	}
	return nil
}

func (h *harness) bind(prog *ir.Program, ops []client.Op) *bounded.Subject {
	s := &bounded.Subject{Prog: prog, New: prog.Roots[0]}
	for i := range h.found.Operations {
		o := &h.found.Operations[i]
		c := o.Client()
		if ops != nil {
			c = ops[i]
		}
		s.Operations = append(s.Operations, bounded.Operation{Name: o.Name, Func: prog.Roots[i+1], Tuple: o.Tuple, TellsItems: o.Op.TellsItems(), Client: c})
	}
	return s
}

// spec makes the oracle.
func (t *target) spec(ctx context.Context, s *bounded.Subject, h *harness) (oracle.Spec, error) {
	if kind, ok := h.found.OracleKind(); ok {
		return oracle.New(kind, h.found.Protocol, h.found.Ops())
	}
	if h.found.Oracle == collection.SelfOracle {
		return bounded.NewSelf(s)
	}
	return t.userOracle(ctx, h)
}
