// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
)

// What only the oracle self can judge: which methods are operations, and what is said of those that are given less than they could be.

func TestFind_TakesWhateverTheSameCodeCanJudge(t *testing.T) {
	for _, tc := range []struct {
		name, methods string
		o             collection.Overrides
		operations    string // their names
		said          string // of the environment; "": nothing
		skipped       string // why the first method is none that is skipped; "": none is
	}{
		{name: "an iterator", methods: "func (*O) All() func(func(int) bool) { return nil }",
			operations: "All", said: "the iterator that All gives is run at once, to its end or to its first item (Request.Give 'All=iter.Pull': step by step)"},
		{name: "several iterators", methods: "func (*O) Both() [2]func(func(int, string) bool) { return [2]func(func(int, string) bool){} }",
			operations: "Both", said: "the iterators that Both gives are run at once, to their end or to their first item"},
		{name: "an iterator of what cannot be compared", methods: "func (*O) Waves() func(func(complex128) bool) { return nil }",
			operations: "Waves", said: "of the func(func(complex128) bool) that Waves returns only nil is told from the rest"},
		{name: "a function that is given three values is no iterator", methods: "func (*O) Triples() func(func(int, int, int) bool) { return nil }",
			operations: "Triples", said: "of the func(func(int, int, int) bool) that Triples returns only nil is told from the rest"},
		{name: "an array of errors", methods: "func (*O) Failures() [2]error { return [2]error{} }", operations: "Failures"},
		{name: "functions that decide", methods: "func (*O) Where(keep ...func(int) bool) int { return 0 }; func (*O) Size() int { return 0 }",
			operations: "Size", skipped: "takes functions"}, // called without any, it would be verified in a way that nobody uses it
		{name: "an array without elements", methods: "func (*O) Mark(x [0]int) {}; func (*O) Size() int { return 0 }", operations: "Size", skipped: "takes an empty array"},
		{name: "what is to be left out", methods: "func (*O) Close() {}; func (*O) Size() int { return 0 }; type Tx struct{ n int }; func (*Tx) Commit() {}; func (*Tx) Undo() {}; func (*O) Begin() *Tx { return nil }",
			o:          collection.Overrides{Fewer: collection.Fewer{Without: map[string]string{"Close": "is not modelled", "Tx.Undo": "is not modelled"}}},
			operations: "Begin, Size, Tx.Commit", said: "what Begin gives is used by the thread that got it and by no other, the last first", skipped: "is not modelled"},
		{name: "an iterator that is taken step by step", methods: "func (*O) All() func(func(int, string) bool) { return nil }", o: collection.Overrides{Given: map[string]string{"All": collection.Pull}},
			operations: "All, All.next, All.stop", said: "what All gives is used by the thread that got it and by no other, the last first\nthe iterator that All gives is taken step by step: All.next, All.stop"},
		{name: "what shows it, where all is asked", methods: "func (*O) String() string { return \"\" }; func (*O) Size() int { return 0 }", o: collection.Overrides{Whole: true}, operations: "Size, String"},
		{name: "what shows it is no operation", methods: "func (*O) String() string { return \"\" }; func (*O) Size() int { return 0 }", operations: "Size", skipped: "is for formatting or encoding"},
		{name: "a result that cannot be compared", methods: "func (*O) Wave() complex128 { return 0 }; func (*O) Size() int { return 0 }", operations: "Size", skipped: "returns a complex128"},
		{name: "several of an interface that nothing implements", methods: "type Odd interface{ odd() }; func (*O) Odds() []Odd { return nil }", operations: "Odds",
			said: "which objects Odds returns is not compared: those that the []Odd leads to"},
		{name: "a struct with a field that callers cannot read", methods: "type Item struct{ N int; f func(int) }; func (*O) Get() Item { return Item{} }", operations: "Get",
			said: "of an Item the field f func(int) is not compared"},
		{name: "a struct whose fields methods tell", methods: "type Snap struct{ a, b int; at [2]string }; func (s Snap) A() int { return s.a }; func (*O) Get() Snap { return Snap{} }", operations: "Get",
			said: "of a Snap the field a int is not compared\nof a Snap the field b int is not compared\nof a Snap the field at [2]string is not compared\nnothing of the Snap that Get returns is compared"},
		{name: "a struct of which nothing is read", methods: "type Snap struct{ all []int }; func (s Snap) A() int { return 0 }; func (*O) Get() Snap { return Snap{} }", operations: "Get",
			said: "of a Snap the field all []int is not compared\nnothing of the Snap that Get returns is compared"},
		{name: "a struct without fields", methods: "type Snap struct{}; func (s Snap) A() int { return 0 }; func (*O) Get() Snap { return Snap{} }", operations: "Get"},
		{name: "an error with fields", methods: "type Full struct{ Len, cap int }; func (Full) Error() string { return \"full\" }; func (*O) Put() error { return nil }", operations: "Put",
			said: "of a Full the field Len int is not compared\nof a Full the field cap int is not compared"},
		{name: "an error that has a cause", methods: "type Full struct{ Len int; Err error }; func (*Full) Error() string { return \"full\" }; func (*O) Put() error { return nil }", operations: "Put",
			said: "of a Full the field Len int is not compared"},
		{name: "an error that has nothing but a cause", methods: "type Full struct{ Err error }; func (*Full) Error() string { return \"full\" }; func (*O) Put() error { return nil }", operations: "Put"},
		{name: "a function that is given several", methods: "func (*O) Size() int { return 0 }; func Transfer(from, to *O) {}", operations: "Size", skipped: "is no method: functions that take a *O are not called"},
		{name: "functions that are given one, alone or by an interface", methods: "type Sized interface{ Size() int }; func (*O) Size() int { return 0 }; func Sum(all ...*O) int { return 0 }; func Of(s Sized) int { return 0 }; func of(o *O) {}; func NewView(o *O) int { return 0 }; func Any(x interface{}) {}",
			operations: "Size", skipped: "are no methods: functions that take a *O are not called"},
		{name: "an option", methods: "type Option func(*O); func Strict(o *O) {}; func NewO(options ...Option) *O { return nil }; func (*O) Size() int { return 0 }", operations: "Size"},
		{name: "constants of the package", methods: "type Mode string; const ( Fast Mode = \"f\"; Slow Mode = \"s\" ); func (*O) Set(m Mode) {}", operations: "Set",
			said: "Set is given the package's Fast, Slow, and nothing else"},
		{name: "strings of test files", methods: "func (*O) Set(m string) {}", o: collection.Overrides{Known: []collection.Known{{Operation: "Set", Values: []string{`"red"`, `"red-"`}}}}, operations: "Set",
			said: "Set is given \"red\", \"red-\", as test files give it, and nothing else"},
		{name: "what another operation returns", methods: "func (*O) New() string { return \"\" }; func (*O) Get(id string) {}; func (*O) Drop(id string) {}", operations: "Drop, Get, New",
			o:    collection.Overrides{Known: []collection.Known{{Operation: "Get", Values: []string{`"s1"`, `"s2"`}, By: "New"}, {Operation: "Drop", Values: []string{`"s1"`, `"s2"`}, By: "New"}}},
			said: "Get, Drop are given what New returns first (\"s1\" or \"s2\"), whichever thread got it, and nothing else"},
		{name: "halves of what is done for each name, and what the handles of a handle are", methods: "func (*O) Lock(name string) {}; func (*O) Unlock(name string) {}; type Tx struct{ n int }; func (*Tx) Save() *Mark { return nil }; func (*O) Begin() *Tx { return nil }; type Mark struct{ n int }; func (*Mark) Undo() {}",
			o: collection.Overrides{Fewer: collection.Fewer{Paired: true}}, operations: "Begin, Lock, Tx.Save, Unlock, Mark.Undo",
			said: "what Begin gives is used by the thread that got it and by no other, the last first\n" +
				"Unlock is called with the arguments of the call that began what it ends, by the thread of that call and by no other, the last first\n" +
				"what Tx.Save gives is used by the thread that got it and by no other, the last first"},
		{name: "functions that do not", methods: "type config struct{ n int }; func (*O) Set(options ...func(*config)) {}", operations: "Set", said: "Set is given no options, and nothing else"},
		{name: "the methods of what a method gives", methods: "type Tx struct{ n int }; func (*Tx) Commit() {}; func (*Tx) Read() int { return 0 }; func (*O) Begin() *Tx { return nil }",
			operations: "Begin, Tx.Commit, Tx.Read", said: "what Begin gives is used by the thread that got it and by no other, the last first"},
		{name: "two halves of what is done for each name", methods: "func (*O) Lock(name string) {}; func (*O) Unlock(name string) {}", o: collection.Overrides{Fewer: collection.Fewer{Paired: true}},
			operations: "Lock, Unlock", said: "Unlock is called with the arguments of the call that began what it ends, by the thread of that call and by no other, the last first"},
		{name: "which object a pointer is", methods: "type Node struct{ N int }; func (*O) Get() (*Node, func(int) string) { return nil, nil }",
			operations: "Get, call Get", said: "what Get gives is used by the thread that got it and by no other, the last first"},
		{name: "a function that is given one", methods: "func (*O) Get() func(func(int) bool, int) string { return nil }",
			operations: "Get", said: "of the func(func(int) bool, int) string that Get returns only nil is told from the rest"},
		{name: "a function that gives one", methods: "type Step func() (int, Step); func (*O) Get() Step { return nil }",
			operations: "Get", said: "of the Step that Get returns only nil is told from the rest"},
		{name: "the methods of a copy", methods: "func (*O) Clone() *O { return nil }; func (*O) Size() int { return 0 }", o: collection.Overrides{Given: map[string]string{"Clone": collection.Copy}},
			operations: "Clone, Size, Clone.Size", said: "what Clone gives is used by the thread that got it and by no other, the last first"},
		{name: "a function that is given what it cannot change", methods: "func (*O) Do(f func(int) error) {}",
			operations: "Do", said: "Do is given functions that return one of two results at once; what they are given is observed until Do returns"},
		{name: "a function that is given what it could change", methods: "type Item struct{ N int }; func (*O) Do(f func(*Item) error) {}",
			operations: "Do", said: "Do is given functions that return one of two results at once; what they are given is observed until Do returns\n" +
				"the functions that Do is given change nothing of what they are given"},
		{name: "what any value may be", methods: "func (*O) Keep(x any) {}", operations: "Keep"},
		{name: "what other types may be as well", methods: "type Key interface{ Hash() int }; type Word string; func (Word) Hash() int { return 0 }; func (*O) Keep(x Key) {}",
			operations: "Keep", said: "no other implementation of Key than Word is given to Keep"},
		{name: "what an io.Writer has", methods: "func (*O) Write(p []byte) (int, error) { return 0, nil }",
			operations: "Write", said: "Write is given no more than three elements at once\nwhoever calls Write uses the bytes again behind the call, as callers of an io.Writer may"},
		{name: "what an io.Writer has not", methods: "func (*O) Write(p []byte, at int) (int, error) { return 0, nil }", operations: "Write", said: "Write is given no more than three elements at once, and its caller does not use the slice or the map again"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.Type = "O"
			c, got := findOne(t, "package p; type O struct{}\n"+tc.methods, tc.o)
			var names []string
			for i := range got.Operations {
				names = append(names, got.Operations[i].Name)
			}
			if strings.Join(names, ", ") != tc.operations {
				t.Errorf("operations %v, want %s", names, tc.operations)
			}
			if said := strings.Join(got.Environment, "\n"); said != tc.said {
				t.Errorf("said %q, want %q", said, tc.said)
			}
			if tc.skipped == "" != (len(got.Skipped) == 0) || tc.skipped != "" && got.Skipped[0].Why != tc.skipped {
				t.Errorf("skipped %v", got.Skipped)
			}
			c.withHarness(t, got)
		})
	}
}

// Each step of an iterator says what it gives and whether there was anything.
func TestFind_ObservesEachStepOfAnIterator(t *testing.T) {
	_, c := findOne(t, "package p; type O struct{}; func (*O) All() func(func(int, []string) bool) { return nil }", collection.Overrides{Type: "O", Given: map[string]string{"All": collection.Pull}})
	results := map[string][]string{}
	for i := range c.Operations {
		for _, r := range c.Operations[i].Results {
			results[c.Operations[i].Name] = append(results[c.Operations[i].Name], r.Type)
		}
	}
	if got := results["All.next"]; !slices.Equal(got, []string{"int", "[]string", "bool"}) {
		t.Errorf("a step has the results %v", got)
	}
}

// Whether others share a result says nothing that an oracle could compare; any other bool does.
func TestFind_DoesNotCompareTheBoolThatTellsOfSharing(t *testing.T) {
	pkg, c := findOne(t, "package p; type O struct{}; func (*O) Do(key string) (int, bool) { return 0, false }; func (*O) Try(key string) (int, bool) { return 0, false }",
		collection.Overrides{Type: "O", Given: map[string]string{"Do": collection.Sharing}})
	got := map[string]bool{}
	for i := range c.Operations {
		got[c.Operations[i].Name] = c.Operations[i].Results[1].Codec.Shape == collection.AsOpaque
	}
	if want := map[string]bool{"Do": true, "Try": false}; !maps.Equal(got, want) {
		t.Errorf("the bool is not compared: %v, want %v", got, want)
	}
	pkg.withHarness(t, c)
}

// A function that a method gives is called once only if it ends what the method has begun.
func TestFind_CallsAFunctionOnceThatEndsWhatTheMethodBegan(t *testing.T) {
	for method, want := range map[string]bool{
		"Begin() func(int) string":        true,
		"RLockKey() func(int) string":     true,
		"Get() func(int) string":          false,
		"Get() (release func(n int) int)": true,
		"Get() func(failed bool) int":     true,
		"Get() func(failure error) int":   true,
	} {
		_, c := findOne(t, "package p; type O struct{}; func (*O) "+method+" { return nil }", collection.Overrides{Type: "O"})
		if len(c.Operations) != 2 || c.Operations[1].Call.Use == nil || c.Operations[1].Call.Use.Ends != want {
			t.Errorf("%s: the function is called once: %t; %s", method, !want, summary(c))
		}
	}
}

// Functions that load a value may be taken to agree (-agreeing); those that are told a key, or an item, still answer in two ways.
func TestFind_TakesOnlyFunctionsWithoutArgumentsToAgree(t *testing.T) {
	for method, choices := range map[string]int{
		"Get(load func() int) int { return load() }":           1,
		"Get(keep func(int) bool) bool { return keep(1) }":     2,
		"Get(load func(int) string) string { return load(1) }": 2,
	} {
		_, c := findOne(t, "package p; type O struct{}\nfunc (*O) "+method, collection.Overrides{Type: "O", Agreeing: 1})
		o := &c.Operations[0]
		if chosen := len(o.Params) > 0; chosen != (choices > 1) || chosen && o.Params[0].Values != choices || o.Call.Noted != (choices > 1) {
			t.Errorf("%s: arguments %v, calls are observed: %v", method, o.Params, o.Call.Noted)
		}
	}
}

// A function agrees as well if it is told what its caller knows, a context or what is of the type of another argument.
func TestFind_TakesFunctionsToAgreeThatAreToldWhatTheirCallerKnows(t *testing.T) {
	for method, agrees := range map[string]bool{
		"Get(key string, load func(string) int) int { return load(key) }":                       true,
		"Get(load func(string) int, key string) int { return load(key) }":                       true,
		"Get(key string, load func(context.Context) int) int { return load(nil) }":              true,
		"Get(key string, load func(context.Context, string) int) int { return load(nil, key) }": true,
		"Get(key string, load func(int) int) int { return load(1) }":                            false,
		"Get(key string, load func(string, int) int) int { return load(key, 1) }":               false,
		"Get(key string, load func(string)) { load(key) }":                                      false,
	} {
		_, c := findOne(t, "package p; import \"context\"; var _ context.Context; type O struct{}\nfunc (*O) "+method, collection.Overrides{Type: "O", Agreeing: 1})
		if o := &c.Operations[0]; o.Call.Noted == agrees {
			t.Errorf("%s: arguments %v, calls are observed: %v", method, o.Params, o.Call.Noted)
		}
	}
}

// Calls with one key have functions that agree; of what is no key, a time, slices, a bool beside a key, nothing is expected.
func TestFind_TellsTheKeysOfACallFromItsOptions(t *testing.T) {
	for params, keys := range map[string]int{
		"key string":                      1,
		"space int, key string":           2,
		"key []byte":                      1,
		"key [2]int":                      1,
		"ctx context.Context, key string": 1,
		"key string, wait time.Duration":  1,
		"key string, at time.Time":        1,
		"key string, fresh bool":          1,
		"key string, tags []int":          1,
		"fresh bool":                      1,
		"fresh bool, wait time.Duration":  1,
		"why error":                       0,
	} {
		pkg, c := findOne(t, "package p; import (\"context\"; \"time\"); var _ context.Context; var _ time.Time; type O struct{}\nfunc (*O) Get("+params+", load func() int) int { return load() }",
			collection.Overrides{Type: "O", Agreeing: 1})
		if got := c.Operations[0].Call.Keys(); len(got) != keys {
			t.Errorf("%s: %d keys, want %d: %s", params, len(got), keys, summary(c))
		}
		pkg.withHarness(t, c)
	}
}

// A value whose fields have changed places is none that a caller made: each part has a function of the value's number of its own.
func TestWhole_TellsTheFieldsOfAStructApart(t *testing.T) {
	c := check(t, "example.com/p", `package p
type Flat struct{ A, B int; C string }
type Nested struct{ A int; In struct{ B, C int } }
type Mapped struct{ A int; Of map[int]int; B int }
type Pointed struct{ A int; At *int; B *struct{ C int } }
type Listed struct{ A int; Some [2]int }`)
	k := &coder{pkg: c.pkg, known: map[place]answer{}}
	for name, want := range map[string]int{"Flat": 3, "Nested": 3, "Mapped": 4, "Pointed": 3, "Listed": 3} {
		e, why := k.value(c.pkg.Scope().Lookup(name).Type(), 0)
		if e == nil {
			t.Fatalf("%s: %s", name, why)
		}
		var tags []int
		var leaves func(c *collection.Codec)
		leaves = func(c *collection.Codec) {
			if c == nil {
				return
			}
			if c.Shape == collection.AsInt || c.Shape == collection.AsString {
				tags = append(tags, 10*c.Tag+c.Pair) // the first two may have one tag: they vary by themselves
			}
			if len(c.Parts) == 0 { // the elements of an array are among them
				leaves(c.Elem)
			}
			leaves(c.Key)
			for _, p := range c.Parts {
				leaves(p.Codec)
			}
		}
		leaves(whole(e))
		slices.Sort(tags)
		if n := len(tags); n != want || len(slices.Compact(slices.Clone(tags))) != n {
			t.Errorf("%s: the functions %v, want %d different ones", name, tags, want)
		}
	}
}

// Of a struct that hides something the field that sounds like the content is the caller's; of another one the collection may change whatever it
// likes, so that the values of callers could not be told from each other.
func TestFieldsOf_GivesCallersTheFieldThatSoundsLikeTheContent(t *testing.T) {
	c := check(t, "example.com/p", `package p; import "sync"
type Entry struct{ mu sync.Mutex; hits int; value int }
type Keyed struct{ mu sync.Mutex; on bool; key string }
type Named struct{ mu sync.Mutex; on bool; size int }
type Open struct{ mu sync.Mutex; value int; Size int }`)
	k := &coder{pkg: c.pkg, known: map[place]answer{}}
	for name, want := range map[string]string{
		"Entry": "value",
		"Keyed": "key",
		"Named": "size", // which has more than two values
		"Open":  "Size", // what is exported is the caller's, and then nothing else
	} {
		e, why := k.value(types.NewPointer(c.pkg.Scope().Lookup(name).Type()), 0)
		if e == nil {
			t.Fatalf("%s: %s", name, why)
		}
		if parts := e.Elem.Parts; len(parts) != 1 || parts[0].Name != want {
			t.Errorf("%s: callers set %v, want %s", name, parts, want)
		}
	}
}
