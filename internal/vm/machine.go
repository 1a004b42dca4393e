package vm

import (
	"fmt"

	"pangolin/internal/ir"
)

// Chooser decides what Go leaves open: it returns a number in [0, n).
type Chooser interface{ Choose(n int) int }

// Machine executes one program. It is used by one goroutine at a time; several
// machines may share an image.
type Machine struct {
	img     *Image
	threads []*thread
	spare   []*thread // retired threads, kept for their buffers
	objs    []object  // by number; object 0 is not used
	mem     []uint64
	free    []int32   // numbers of objects that the collector freed
	dirty   []int32   // base objects that may differ from their first contents
	woken   []*thread // threads that the running step let go on, or started

	chooser                          Chooser
	fuel                             int      // visible accesses that the running thread may still make
	quota                            int      // instructions that the running step may still execute
	executed                         int      // instructions of the running step
	roots                            []uint64 // pointers that an engine keeps
	tracking                         bool     // keep isShared up to date: needed iff accesses are scheduling points
	limits                           limits
	collectAt                        int // words of memory at which the collector runs next
	tieNumber                        func(perm []int) uint64
	guards                           *Guards // nil: none
	frozen                           Frozen  // nil: none
	breached                         int
	follows                          bool // who holds locks, and what has ever been shared
	items                            bool // see items.go
	numbers                          bool // see numbers.go
	watching, inspected, miscompared bool // see items.go, keys.go
	misnumbered                      bool // see numbers.go
	hash                             Hash
	hashes                           uint64 // the values chosen so far, see hash.go
	region                           bool   // the running thread is inside an atomic region
	regionFuel                       int

	end       End
	fault     *Fault
	out       Output
	nextID    int   // number of the next thread
	created   int   // threads created in the machine's life
	places    []int // of each thread: where it stood when the state was loaded
	nextPlace int
	ran       []Ran
	chances   []Chance // see offers.go
	decisions int      // made since the state was loaded
	meetings  []Meeting
	fusing    bool // steps go on to the next visible access

	program  bool // thread 0 is main: when it returns, the program ends
	symmetry bool // sort threads when a state is saved
	forLife  bool // threads keep their places, see places.go
	settled  int  // places that there were before the running step
	vacant   int  // those of them without a thread
	moved    bool // the collector has moved base objects

	enc         encoder
	bcall       call // scratch of callBuiltin, with the next two
	bargs, bout []uint64
	asked       call // scratch of builtinAt, with the next
	askedArgs   []uint64
	yielded     bool // the running step gave way
	// uninitialised says that package initialisation is part of the run and has not begun.
	uninitialised bool
	args          []uint64 // scratch
	words         []uint64 // scratch
	touched       []access // scratch
	maps          map[int]*mapIndex
	lounge        lounge
	memory        memory
	traces        map[uint64][]uint64 // by panic: where it began, see keepTrace
}

// limits bound what a program may use.
type limits struct {
	heapWords int
	frames    int
	local     int // instructions between two visible accesses
	threads   int
	output    int // bytes
	strings   int64
}

// Options configure a machine.
type Options struct {
	// HeapBytes bounds the program's memory; default 1 GiB.
	HeapBytes int
	// Frames bounds a thread's call depth; default 1,000,000.
	Frames int
	// LocalSteps bounds the instructions that a thread executes between two
	// visible accesses; default 50 million. Only Step heeds it.
	LocalSteps int
	// Items renames the words of items in saved states; see items.go.
	Items bool
	// Numbers renames the numbers of threads in saved states; see numbers.go.
	Numbers bool
	// Watch records what the code does with the words of items and keys; see Looked.
	Watch bool
	// Hash is the model of hash functions; the zero value is the identity.
	Hash Hash
	// Tie, if not nil, gives a number to each order of the threads, as Permutation
	// lists it: of several orders that give the same canonical words, Save chooses one
	// with the least number. It speaks for what an engine holds about the threads.
	Tie func(perm []int) uint64
	// Guards are the guards of classes; nil: accesses under a lock are visible.
	Guards *Guards
	// Frozen are the classes assumed to be frozen; nil: none. See Breached.
	Frozen Frozen
	// NoFusing makes every access to memory visible, and every release of a lock.
	NoFusing bool
	// NoSymmetry keeps the threads in the order in which they were created.
	NoSymmetry bool
	// Places gives every thread a place for life, see places.go; only with NoSymmetry.
	Places bool
	// Threads bounds the threads that exist at a time; default 100,000.
	Threads int
	// OutputBytes bounds what a program may print to each file, unless it is
	// streamed; default 64 KiB.
	OutputBytes int
	// StringBytes bounds the memory of all strings that machines of the image have made,
	// garbage included; default 1 GiB.
	StringBytes int
	// Stream, if not nil, gets the program's output as it is written (file is 1
	// or 2); otherwise the output is part of the state.
	Stream func(file int, text string)
}

// NewMachine returns a machine in the program's initial state, without threads.
func (img *Image) NewMachine(opt Options) *Machine {
	m := &Machine{img: img, tracking: true}
	m.limits = limits{
		heapWords: orDefault(opt.HeapBytes, 1<<30) / 8,
		frames:    orDefault(opt.Frames, 1_000_000),
		local:     orDefault(opt.LocalSteps, 50_000_000),
		threads:   orDefault(opt.Threads, 100_000),
		output:    orDefault(opt.OutputBytes, 64<<10),
		strings:   int64(orDefault(opt.StringBytes, 1<<30)),
	}
	m.out.stream = opt.Stream
	m.frozen, m.breached = opt.Frozen, -1
	m.tieNumber, m.hash, m.items = opt.Tie, opt.Hash, opt.Items
	m.guards = opt.Guards
	m.follows = opt.Guards != nil || opt.Frozen != nil
	m.numbers = opt.Numbers && img.usesThreadIDs
	m.watching = opt.Items || opt.Watch || m.numbers
	m.symmetry, m.fusing, m.forLife = !opt.NoSymmetry, !opt.NoFusing, opt.Places
	m.Reset()
	return m
}

func orDefault(v, d int) int {
	if v == 0 {
		return d
	}
	return v
}

// baseCount is the number of base objects; they have the numbers 1 to baseCount.
func (img *Image) baseCount() int { return len(img.base) - 1 }

// Reset brings the machine into the program's initial state, without threads.
func (m *Machine) Reset() {
	m.retireThreads(0)
	m.mem = append(m.mem[:0], m.img.baseMem...)
	m.objs = append(m.objs[:0], m.img.base...)
	m.free, m.dirty = m.free[:0], m.dirty[:0]
	m.end, m.fault = End{}, nil
	m.roots, m.ran, m.hashes = m.roots[:0], m.ran[:0], 0
	m.decisions, m.meetings = 0, m.meetings[:0]
	m.out.reset()
	m.nextID = 0
	m.uninitialised = m.img.initInState && m.img.Prog.Init != nil
	m.maps = nil
	m.collectAt = collectFirst
	m.woken, m.region = m.woken[:0], false
}

// Start begins the program: its first thread will initialise the packages, if that
// is part of the run, and call f, the program's main.
func (m *Machine) Start(f *ir.Func) {
	m.program = true
	m.Spawn()
	m.enter(m.threads[0], f, nil)
}

// enter makes a thread that has nothing to execute begin a function; the first one in an
// execution initialises the packages before, if that is part of the run.
func (m *Machine) enter(t *thread, f *ir.Func, args []uint64) {
	m.push(t, m.img.codes[f.ID], args, frameBottom)
	if m.uninitialised {
		m.uninitialised = false
		t.top().flags |= frameStart
		m.push(t, m.img.codes[m.img.Prog.Init.ID], nil, 0)
	}
}

// Spawn adds a thread that has nothing to execute and stays until the end, and
// returns its index.
func (m *Machine) Spawn() int {
	m.newThread().keep = true
	return len(m.threads) - 1
}

// End says how an execution came to its end.
type End struct {
	Kind EndKind
	Code int    // Exited
	Text uint64 // Panicked, Fatal: the message, a String word
	Pos  uint64 // Panicked, Fatal: function ID<<32 | instruction
}

// EndKind is a way to end.
type EndKind uint8

const (
	Running  EndKind = iota
	Exited           // main returned, or os.Exit
	Panicked         // a panic that nothing recovered
	Fatal            // a fatal error of the runtime, e.g. unlock of an unlocked mutex
)

// Ended returns how the program ended; Running if it did not.
func (m *Machine) Ended() End { return m.end }

// Text returns the string of a String word.
func (m *Machine) Text(w uint64) string { return m.img.Strings.Text(w) }

// Output is what a program has printed.
type Output struct {
	Stdout, Stderr uint64 // String words
	stream         func(file int, text string)
}

func (o *Output) reset() { o.Stdout, o.Stderr = 0, 0 }

// Printed returns what has been printed to standard output and standard error.
func (m *Machine) Printed() (stdout, stderr string) {
	return m.Text(m.out.Stdout), m.Text(m.out.Stderr)
}

func (m *Machine) print(file int, text string) {
	switch {
	case text == "":
	case m.out.stream != nil:
		m.out.stream(file, text)
	case file == 1:
		m.out.Stdout = m.printed(m.out.Stdout, text)
	default:
		m.out.Stderr = m.printed(m.out.Stderr, text)
	}
}

// printed appends to what has been printed.
func (m *Machine) printed(before uint64, text string) uint64 {
	all := m.Text(before) + text
	if len(all) > m.limits.output {
		m.fail(FaultMemory, fmt.Sprintf("output without end: the program has printed more than %d KiB", m.limits.output>>10))
		return before
	}
	return m.join(all, "")
}
