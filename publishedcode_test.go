// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// publishedType is a type of a version of a module, with its verdict; doc/published-code.md has them all.
type publishedType struct {
	module, version string // "": the standard library
	pkg             string // behind the module's path
	typ, flags      string
	status          verdict.Status
	class           string // of the violation
	note            string
	long            bool // more than two seconds: for the page, and with -level more
}

const (
	uber    = "go.uber.org/atomic"
	xsync   = "github.com/puzpuzpuz/xsync"
	workiva = "github.com/Workiva/go-datastructures"
	cmap    = "github.com/orcaman/concurrent-map/v2"
	ants    = "github.com/panjf2000/ants/v2"
)

// publishedTypes are in the order of the page. A defect that one version has and the next one has not
// stands in rows that follow each other.
func publishedTypes() []publishedType {
	const v, x = verdict.Verified, verdict.Violated
	var out []publishedType
	for _, typ := range []string{"Bool", "Duration", "Float32", "Float64", "Int32", "Int64", "Pointer", "Uint32", "Uint64", "Uintptr", "Value"} {
		out = append(out, publishedType{module: uber, version: "v1.12.0", typ: typ, status: v})
	}
	empty := "of a nil or empty value CompareAndSwap may fail though nobody changes it: not in its documentation"
	full := "-threads 2..2 -per-thread 1 -roles Dispose:1 -prefix it.Put(1);it.Put(2);it.Put(3);it.Put(4)"
	clearing := "-threads 2..2 -steps 2..2 -preadds 0..0 -roles Size:1,Clear:1"
	resized := "-threads 2..2 -steps 2..2 -preadds 0..0 -values 1 -roles Load:1,Store:1,LoadAndDelete:1,Delete:1,Size:1,Clear:1 -prefix " +
		`it.table = unsafe.Pointer(newMapTable(1)); (*mapTable)(it.table).seed = 1; it.Store("a", 1); it.Store("b", 1); it.Store("c", 1)`
	slots := "a refusal while another call is in progress, which the documentation leaves open"
	onePlace := "a ring of one place takes two items ([found.md](found.md#ring-one)); with two places it is verified"
	return append(out,
		publishedType{module: uber, version: "v1.5.0", typ: "Bool", status: x, class: "history", note: "CAS does not know a value that Toggle has left, by one thread: known, mended in 1.5.1"},
		publishedType{module: uber, version: "v1.5.1", typ: "Bool", status: v},
		publishedType{module: uber, version: "v1.12.0", typ: "String", flags: "-ops Load,Store,Swap", status: v},
		publishedType{module: uber, version: "v1.12.0", typ: "String", status: x, class: "history", note: empty},
		publishedType{module: uber, version: "v1.12.0", typ: "Error", status: x, class: "history", note: empty},
		publishedType{module: uber, version: "v1.10.0", typ: "String", flags: "-threads 1..1", status: x, class: "panic", note: "Swap of what holds nothing: known, mended in 1.11.0"},
		publishedType{module: uber, version: "v1.11.0", typ: "String", flags: "-threads 1..1", status: v},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "Map", flags: "-steps 1..2 -ops Load,Store,LoadOrStore,Delete", status: v},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "Map", flags: "-ops Load,Store,Size", status: x, class: "history", note: "Size adds counters that Store changes last: its comment does not say so"},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "SPSCQueue", flags: "-roles TryEnqueue:1,TryDequeue:2", status: v},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "MPMCQueue", flags: "-roles TryEnqueue:1,TryDequeue:2", status: v},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "MPMCQueue", status: x, class: "history", note: slots},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "UMPSCQueue", flags: "-roles Dequeue:1", status: v, long: true},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "Counter", status: x, class: "history", note: "Value reads its stripes one after the other: documented"},
		publishedType{module: xsync + "/v4", version: "v4.5.0", typ: "RBMutex", status: v, long: true},
		publishedType{module: xsync + "/v3", version: "v3.5.1", typ: "MPMCQueueOf", flags: "-roles Enqueue:1,TryEnqueue:1,Dequeue:2,TryDequeue:2", status: v},
		publishedType{module: xsync + "/v3", version: "v3.5.1", typ: "MPMCQueueOf", status: x, class: "history", note: slots},
		publishedType{module: xsync + "/v3", version: "v3.0.0", typ: "Map", flags: resized, status: x, class: "history", long: true,
			note: "who has decided to resize copies a table that another call has replaced: an update is lost, known, mended in 3.0.1"},
		publishedType{module: xsync + "/v3", version: "v3.0.1", typ: "Map", flags: resized, status: v, long: true},
		publishedType{module: xsync, version: "v1.0.0", typ: "Map", flags: "-config D -prefix it.Delete(\"\")", status: x, class: "deadlock", note: "a lock is not released: known, mended in 1.0.1"},
		publishedType{module: xsync, version: "v1.0.1", typ: "Map", flags: "-config D -prefix it.Delete(\"\")", status: x, class: "race", note: "a value is read behind the lock: known, mended in 1.0.2"},
		publishedType{module: xsync, version: "v1.0.2", typ: "Map", flags: "-config D -prefix it.Delete(\"\")", status: v, long: true},
		publishedType{module: xsync, version: "v1.0.2", typ: "Map", flags: "-ops LoadOrStore,Load", status: x, class: "history", note: "LoadOrStore that stores returns nil, not the value given: by one thread, contrary to its comment"},
		publishedType{module: workiva, version: "v1.0.1", pkg: "/queue", typ: "Queue", flags: "-steps 1..2", status: x, class: "deadlock", note: "Put waits for a Poll whose time is up: known, mended in 1.1.7"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/queue", typ: "Queue", flags: "-steps 1..2", status: v},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/queue", typ: "Queue", status: x, class: "race", note: "Dispose beside Poll, which the race detector confirms: not in its documentation"},
		publishedType{module: workiva, version: "v1.0.0", pkg: "/batcher", typ: "basicBatcher", flags: full, status: x, class: "deadlock", note: "who adds to a full queue holds the lock: known, mended in 1.0.1"},
		publishedType{module: workiva, version: "v1.0.1", pkg: "/batcher", typ: "basicBatcher", flags: full, status: v, note: "Dispose by one thread, once"},
		publishedType{module: workiva, version: "v1.0.1", pkg: "/batcher", typ: "basicBatcher", status: x, class: "deadlock", note: "the second Dispose waits for ever, as the first one does nothing: by one thread, not in its documentation"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/queue", typ: "RingBuffer", status: x, class: "history", note: slots},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/queue", typ: "RingBuffer", flags: "-ops Put,Get -oracle self", status: x, class: "race", note: onePlace},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/queue", typ: "PriorityQueue", status: v, note: "without Put, whose argument is an interface that the package does not implement"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/set", typ: "Set", flags: "-ops Add,Remove,Exists,Len,Clear", status: v},
		publishedType{module: workiva, version: "v1.0.1", pkg: "/trie/ctrie", typ: "Ctrie", flags: clearing, status: x, class: "race", note: "whether a snapshot was made is written plainly by who helps: mended in 1.1.7"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/trie/ctrie", typ: "Ctrie", flags: clearing, status: v, note: "without snapshots and iterators"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/trie/ctrie", typ: "Ctrie", flags: "-steps 1..2 -roles Size:1,Clear:1", status: v, note: "without snapshots and iterators"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/trie/ctrie", typ: "Ctrie", flags: "-steps 1..2", status: x, class: "nontermination", note: "a snapshot that another call has completed for it counts as failed, and is tried again: not in its documentation"},
		publishedType{module: workiva, version: "v1.1.7", pkg: "/futures", typ: "Selectable", status: v, long: true},
		publishedType{module: cmap, version: "v2.0.1", typ: "ConcurrentMap", flags: "-ops Get,Set,SetIfAbsent,Pop,Remove,Has", status: v, long: true},
		publishedType{module: ants, version: "v2.12.1", pkg: "/pkg/sync", typ: "spinLock", status: v},
		publishedType{pkg: "sync", typ: "Once", status: v},
		publishedType{pkg: "sync", typ: "Mutex", status: v},
		publishedType{pkg: "sync", typ: "RWMutex", status: v},
		publishedType{pkg: "sync", typ: "poolDequeue", flags: "-new &poolDequeue{vals:make([]eface,2)} -roles pushHead:1,popHead:1 -protocol bounded(2)", status: v},
		publishedType{pkg: "sync", typ: "poolChain", flags: "-roles pushHead:1,popHead:1", status: v},
		publishedType{pkg: "internal/sync", typ: "HashTrieMap", flags: "-steps 1..2 -ops Load,LoadOrStore,CompareAndDelete", status: v, long: true},
	)
}

// words are the flags and their values; a prefix comes last, and may have spaces.
func (p *publishedType) words() []string {
	flags, prefix, ok := strings.Cut(p.flags, "-prefix ")
	words := strings.Fields(flags)
	if ok {
		words = append(words, "-prefix", prefix)
	}
	return words
}

// request is what the row asks: configuration D unless its flags say otherwise.
func (p *publishedType) request(t *testing.T, dir string) pangolin.Request {
	r := pangolin.Request{Dir: dir, Packages: []string{p.module + p.pkg}, Type: p.typ}
	r.Search.MaxMemory = 1 << 30
	words := p.words()
	for i := 0; i+1 < len(words); i += 2 {
		if err := r.Set(strings.TrimPrefix(words[i], "-"), words[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if r.Scope == (pangolin.Scope{}) {
		r.Scope.Config = "D"
	}
	return r
}

// sampled is how many types there are for one that is verified without -level more.
const sampled = 24

// Every type has the verdict that the page says. With -level more and with PANGOLIN_PUBLISHED=update
// all of them are verified, or those that -run names, and with the latter the page is written.
func TestVerify_PublishedCode(t *testing.T) {
	level.SkipShort(t, "takes some seconds where the modules are in the module cache")
	update := os.Getenv("PANGOLIN_PUBLISHED") == "update"
	var page strings.Builder
	page.WriteString(publishedHead())
	old, err := os.ReadFile("doc/published-code.md")
	if err != nil {
		t.Fatal(err)
	}
	if !update && !strings.HasPrefix(string(old), publishedHead()) {
		t.Error("doc/published-code.md does not begin as it would be written")
	}
	for i, p := range publishedTypes() {
		name := strings.Trim(p.module+p.pkg+"@"+p.version, "@/") + " " + p.typ + " " + p.flags
		ran := false
		t.Run(strings.ReplaceAll(name, "/", "."), func(t *testing.T) {
			if !update && !level.More() && (p.long || i%sampled != 0) {
				t.Skipf("every %dth will do, if it takes less than two seconds; -level more tries all", sampled)
			}
			dir := ""
			if p.module != "" {
				dir = scratch(t, []string{p.module + p.pkg}, p.module+" "+p.version+"\n")
			}
			list, err := pangolin.Verify(repository, p.request(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			v := hasVerdict(t, list, p.status, p.class)
			p.row(&page, &v)
			ran = true
		})
		for line := range strings.Lines(string(old)) {
			if !ran && strings.HasPrefix(line, p.head()) {
				page.WriteString(line)
			}
		}
	}
	if update && !t.Failed() {
		if err := os.WriteFile("doc/published-code.md", []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// plain are the flags that every user needs: for the scope, for who calls what, and for a state to begin in.
var plain = []string{"-config", "-threads", "-steps", "-preadds", "-per-thread", "-values", "-roles", "-prefix"}

// plainTypes counts the types that have a row with no other flags.
func plainTypes() int {
	types := map[string]bool{}
	for _, p := range publishedTypes() {
		words := p.words()
		others := false
		for i := 0; i < len(words); i += 2 {
			others = others || !slices.Contains(plain, words[i])
		}
		if !others {
			types[p.module+p.pkg+"."+p.typ] = true
		}
	}
	return len(types)
}

func publishedHead() string {
	return fmt.Sprintf(publishedText, plainTypes())
}

const publishedText = "# Pangolin on published code\n\n" +
	"Generated by `PANGOLIN_PUBLISHED=update go test . -run TestVerify_PublishedCode`, which gets the verdicts anew from the module\n" +
	"cache (`go mod download` fills it). Types are verified as they are, in configuration D unless the flags say otherwise; *oracle* is what judges:\n" +
	"self is the same code run sequentially. Seconds are those of the search, on a machine that others were using. What is\n" +
	"behind a violation is told in [published.md](published.md), and what could not be decided. %d types have a row with no flags but\n" +
	"those for the scope, for roles and a prefix.\n\n" +
	"| module | type, flags | operations | oracle | verdict | states | seconds | |\n|---|---|---|---|---|--:|--:|---|\n"

// head is how a row begins.
func (p *publishedType) head() string {
	module := strings.TrimPrefix(p.module+p.pkg, "github.com/") + " " + p.version
	return fmt.Sprintf("| %s | `%s` | ", strings.TrimSpace(module), strings.TrimSpace(p.typ+" "+p.flags))
}

// row adds the row of a verdict to the page.
func (p *publishedType) row(page *strings.Builder, v *verdict.Verdict) {
	verdictText := string(v.Status)
	note := p.note
	if v.Violation != nil {
		verdictText = "**" + verdictText + "**: " + v.Violation.Class
		note = "`" + strings.ReplaceAll(v.Violation.Client, "|", "‖") + "`: " + note
	}
	fmt.Fprintf(page, "%s%s | %s | %s | %d | %.2f | %s |\n", p.head(), strings.Join(v.Operations, ", "), v.Oracle,
		verdictText, v.States, v.Seconds, note)
}
