package pangolin

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/front"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Request is what to verify and how. The zero value asks for every collection of the
// package in the current directory, in configuration D.
type Request struct {
	// Dir is the directory in which the go command runs; "" is the current one.
	Dir string
	// Packages are package patterns of the go command, or PKG.Type for one type; none
	// is ".".
	Packages []string
	// Type is a type of the one package, exported or not, possibly with type arguments.
	Type string
	// New is a Go expression of the one package that makes a collection. It may name
	// whatever the package declares or imports.
	New string
	// Ops are the methods that are operations; none: those that are found.
	Ops []string
	// Roles limits operations to threads: "Put:1,Get:*,Len:~1".
	Roles string
	// Kind is set, queue, stack, pqueue, deque, map, counter, register, lock or object;
	// "" or "auto": found.
	Kind string
	// Protocol is nonblocking, bounded(N) or synchronous; "": found.
	Protocol string
	// Oracle is auto, self, or a kind's name; "" is auto.
	Oracle string
	// Property is linear, sc or quiescent, several of them separated by commas, or all
	// for the strongest that hold; "" is linear.
	Property string
	// Engine is the name of the engine that decides; "" is the usual one.
	Engine string
	Scope  Scope
	Search Search
	// Out is a directory to which witnesses are written; "": none are.
	Out string
	// Events are called as things happen.
	Events Events
}

// Scope is the bounds, as the command line writes them. Ranges are "a..b" or "b", and
// what is empty (0, Default) is as the configuration has it.
type Scope struct {
	Config    string // A to E of COLLECT's Table 1; "" is D
	Threads   string
	Steps     string // in total over all threads
	PreAdds   string
	PerThread int // if positive: every thread makes exactly so many calls
	Values    int // keys, and items that are compared, are 0 to Values-1

	ThreadSymmetry     Switch
	GenericValues      Switch
	AddsDominant       Switch
	DistinctPriorities Switch

	Hash string // identity or nondet(m,N)
}

// Search is how to search.
type Search struct {
	// Preempt bounds the preemptions of an execution: nil as the configuration says (2 in
	// E), negative for no bound. A bound hides violations; the verdict says so.
	Preempt *int
	// Unfair lets every cycle count as nontermination, not only weakly fair ones.
	Unfair Switch
	// NoRaces does not look for data races.
	NoRaces bool
	// Min looks for a shortest witness: fewest operations, then preemptions, then
	// steps.
	Min bool
	// Clients searches client by client instead of one most general client.
	Clients bool
	// Reduce names the reductions to use, separated by commas; "" and "all" are all, none
	// is none.
	Reduce string
	// Workers is the number of goroutines that search; 0 is 1.
	Workers int
	// Limits of each verification; 0 is none. Reaching one makes the verdict unknown.
	Timeout   time.Duration
	MaxStates uint64
	MaxMemory int64 // bytes
}

// Switch is an option that may be left as it is.
type Switch int8

// The positions of a switch.
const (
	Default Switch = iota
	On
	Off
)

// SwitchOf is On or Off.
func SwitchOf(on bool) Switch {
	if on {
		return On
	}
	return Off
}

// Or is the switch's position, or what it is by default.
func (s Switch) Or(def bool) bool {
	if s == Default {
		return def
	}
	return s == On
}

// Events tells what happens during a verification, from one goroutine at a time. Fields
// that are nil are not called.
type Events struct {
	Found    func(verdict.Collection) // for each collection, before the first is verified
	Note     func(string)             // something worth knowing that is no error
	Verdict  func(verdict.Verdict)
	Progress func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	Collection  string
	Property    string
	States      uint64
	Transitions uint64
	Bytes       int64
	Depth       int
}

func (e *Events) found(c verdict.Collection) {
	if e.Found != nil {
		e.Found(c)
	}
}

func (e *Events) note(format string, args ...any) {
	if e.Note != nil {
		e.Note(fmt.Sprintf(format, args...))
	}
}

func (e *Events) verdict(v verdict.Verdict) {
	if e.Verdict != nil {
		e.Verdict(v)
	}
}

// validate reports what contradicts itself, whatever the packages contain. Each field must
// be one that its text could have set.
func (r *Request) validate() error {
	var copied Request
	for _, f := range Fields() {
		text := f.get(r)
		if text == "" {
			continue
		}
		if err := f.set(&copied, text); err != nil {
			return fmt.Errorf("%s %q: %w", f.Path, text, err)
		}
	}
	s := &r.Scope
	switch {
	case s.PerThread > 0 && s.Steps != "":
		return errors.New("Request.Scope.PerThread and Request.Scope.Steps contradict each other: the one fixes the calls of each thread, the other bounds their total")
	case s.GenericValues == On && s.Values > 0:
		return errors.New("Request.Scope.GenericValues and Request.Scope.Values contradict each other: generic items are numbered, not chosen")
	case r.Type != "" && r.namesTypes():
		return errors.New("Request.Type and PKG.Type contradict each other: both name the type")
	case r.Kind == "lock" && r.Oracle != "" && r.Oracle != "auto" && r.Oracle != "counter":
		return fmt.Errorf("a lock has the oracle counter, not %s", r.Oracle)
	}
	return nil
}

// engine is the engine that the request asks for.
func (r *Request) engine() (engine.Engine, error) { return engines.Find(r.Engine, false) }

// search is how engines are to search.
func (r *Request) search() (engine.Search, error) {
	s := &r.Search
	set, err := vm.ParseReductions(cmp.Or(s.Reduce, "all"))
	return engine.Search{Reduce: set, NoRaces: s.NoRaces, Shortest: s.Min, OneByOne: s.Clients, Workers: s.Workers,
		Timeout: s.Timeout, MaxStates: s.MaxStates, MaxBytes: s.MaxMemory}, err
}

func (r *Request) namesTypes() bool {
	for _, p := range r.Packages {
		if _, typ := front.SplitType(p); typ != "" {
			return true
		}
	}
	return false
}

// properties are those that are asked for.
type properties struct {
	list      []consist.Property // from the strongest on
	strongest bool               // only the strongest that hold
}

// parseProperties reads a list; "" is linearizability.
func parseProperties(text string) (properties, error) {
	switch text {
	case "":
		return properties{list: []consist.Property{consist.Linear}}, nil
	case "all":
		return properties{[]consist.Property{consist.Linear, consist.Sequential, consist.Quiescent}, true}, nil
	}
	var p properties
	for name := range strings.SplitSeq(text, ",") {
		switch one := consist.Property(strings.TrimSpace(name)); one {
		case consist.Linear, consist.Sequential, consist.Quiescent:
			p.list = append(p.list, one)
		default:
			return p, fmt.Errorf("unknown property %q: there are linear, sc and quiescent, and all for the strongest that hold", one)
		}
	}
	return p, nil
}

// parseProtocol reads a protocol; nil if there is none.
func parseProtocol(text string) (*oracle.Protocol, error) {
	switch text {
	case "":
		return nil, nil
	case "nonblocking", "synchronous":
		return &oracle.Protocol{Kind: oracle.ProtocolKind(text)}, nil
	}
	if n, ok := strings.CutPrefix(text, "bounded("); ok {
		if n, ok := strings.CutSuffix(n, ")"); ok {
			if c, err := strconv.Atoi(n); err == nil && c > 0 {
				return &oracle.Protocol{Kind: oracle.Bounded, Capacity: c}, nil
			}
		}
	}
	return nil, fmt.Errorf("unknown protocol %q: there are nonblocking, bounded(N) and synchronous", text)
}

// parseRange reads "a..b" or "b", which begins where def does.
func parseRange(text string, def client.Range) (client.Range, error) {
	if text == "" {
		return def, nil
	}
	bad := errors.New("want a range such as 1..3")
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			return def, bad
		}
		return client.Range{From: min(def.From, n), To: n}, nil
	}
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return def, bad
	}
	return client.Range{From: a, To: b}, nil
}
