// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// The machine: a state, and what is known of the step in progress. The second part is empty
// between steps, so that loading a state is all it takes to go on elsewhere. What is
// observed of a step beside the state (what has run, which chances were missed, which
// partners met) is for replays and for fairness, and is forgotten when the next state is
// loaded.

// Chooser decides what Go leaves open: it returns a number in [0, n).
type Chooser interface{ Choose(n int) int }

// allowance is what the running step may still do.
type allowance struct {
	quota     int // instructions that the running step may still execute
	drawn     int // the last random number, and how often it was drawn in a row in the running step
	alike     int
	taken     int      // random numbers drawn in all
	lastBelow repeated // of random numbers below a bound
	// combinations are those of the running step's decisions, up to mostCombinations; 0: nobody counts them, and no step ends because of them
	combinations int
	// maker is how far the first call of an execution is, for drawSeed.
	maker maker
}

// Machine executes one program. It is used by one goroutine at a time; several
// machines may share an image.
type Machine struct {
	state.State
	img *Image

	// The step in progress.
	chooser Chooser
	fuel    int // visible accesses that the running thread may still make
	allowance
	executed   int // instructions of the running step
	meter      *Meter
	local      int             // instructions between two visible accesses, at most
	woken      []*state.Thread // threads that the running step let go on, or started
	ran        []Ran
	chances    []Chance // see offers.go
	decisions  int      // made since the state was loaded
	meetings   []Meeting
	announced  []Announcement // see ghost.go
	silent     bool           // ghost code is executed that has done nothing yet, behind a lock
	region     bool           // the running thread is inside an atomic region
	regionFuel int
	hash       Hash
	// uninitialised says that package initialisation is part of the run and has not begun.
	uninitialised bool

	ordering

	// Following one execution.
	collectAt int // words of memory at which the collector runs next
	lounge    lounge
	memory    memory
	chronicle bool
	raised    []raised // the panics so far, see Raised

	scratch
}

// ordering holds the function that is told of each synchronisation (nil: there is none), and what the atomic step in progress orders, see
// sync.go.
type ordering struct {
	hunt     *Hunt
	telling  *atomic.Bool
	listener Listener
	tracks   int // see Tracks

	regionOrder regionOrder
	regionAt    uint64 // the object of the step
	regionWrote bool   // something has been written before

	// Took lists the locks of readers and writers that the step has taken for writing, where readers are not counted (readers.go).
	Took []uint64
}

// scratch are buffers that are used again and again.
type scratch struct {
	bcall       call // of callBuiltin, with the next two
	bargs, bout []uint64
	asked       call // of builtinAt, with the next
	askedArgs   []uint64
	args        []uint64
	words       []uint64
	touched     []access
	plain       []int // of conflicts
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
	// Items renames the words of items in saved states; see state/items.go.
	Items bool
	// Numbers renames the numbers of threads in saved states; see state/numbers.go.
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
	Guards *state.Guards
	// Frozen are the classes assumed to be frozen; nil: none. See Breached.
	Frozen state.Frozen
	// Chronicle follows, without a reduction that needs it, who holds which locks and where
	// panics begin: for those who describe an execution.
	Chronicle bool
	// Hunt looks for races by what orders accesses; nil: it does not.
	Hunt *Hunt
	// Telling, if not nil, is set when a thread learns something of others without being ordered behind them: by the len of a channel, by a
	// TryLock that fails.
	Telling *atomic.Bool
	// Meter counts what is done; nil: nobody does.
	Meter *Meter
	// NoFusing makes every access to memory visible, and every release of a lock.
	NoFusing bool
	// NoSymmetry keeps the threads in the order in which they were created.
	NoSymmetry bool
	// Places gives every thread a place for life, see state/places.go; only with NoSymmetry.
	Places bool
	// OneOfMany says that a state shows one thread of many: what others may ever have reached
	// stays shared. It needs Frozen, Guards or Chronicle.
	OneOfMany bool
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
	m := &Machine{img: img, hash: opt.Hash, meter: opt.Meter, local: orDefault(opt.LocalSteps, 50_000_000)}
	m.State = state.NewState(&img.Ground, state.Settings{
		Tracking: true, Symmetry: !opt.NoSymmetry, Fusing: !opt.NoFusing, ForLife: opt.Places, Hashing: opt.Hash.Domain > 0, OneOfMany: opt.OneOfMany || opt.Hunt != nil,
		Hunting: opt.Hunt != nil,
		Items:   opt.Items, Numbers: opt.Numbers && img.ThreadIDs, TieNumber: opt.Tie,
		Limits: state.Limits{
			HeapWords:  orDefault(opt.HeapBytes, 1<<30) / 8,
			Frames:     orDefault(opt.Frames, 1_000_000),
			Goroutines: orDefault(opt.Threads, 100_000),
			Output:     orDefault(opt.OutputBytes, 64<<10),
			Strings:    int64(orDefault(opt.StringBytes, 1<<30)),
		},
	})
	m.Out.Stream, m.hunt, m.telling = opt.Stream, opt.Hunt, opt.Telling
	m.Frozen, m.Guards = opt.Frozen, opt.Guards
	m.Follows, m.chronicle = opt.Guards != nil || opt.Frozen != nil || opt.Chronicle || opt.Hunt != nil, opt.Chronicle
	m.Watching = opt.Items || opt.Watch || m.Numbers
	m.Reset()
	return m
}

func orDefault(v, d int) int {
	if v == 0 {
		return d
	}
	return v
}

// Reset brings the machine into the program's initial state, without threads.
func (m *Machine) Reset() {
	m.State.Reset()
	m.rest()
	m.uninitialised = m.img.initInState && m.img.Prog.Init != nil
	m.maker = awaited
	m.collectAt = collectFirst
}

// Load makes a saved state the machine's state.
func (m *Machine) Load(words []uint64) {
	m.State.Load(words)
	m.rest()
}

// rest forgets the step before.
func (m *Machine) rest() {
	m.woken, m.ran, m.region, m.uninitialised = m.woken[:0], m.ran[:0], false, false
	m.chances, m.decisions, m.meetings, m.combinations = m.chances[:0], 0, m.meetings[:0], 0
	m.announced, m.Ghost, m.silent, m.Took = m.announced[:0], false, false, m.Took[:0]
	m.Peered, m.tracks, m.maker = false, -1, other
}

// Start begins the program: its first thread will initialise the packages, if that
// is part of the run, and call f, the program's main.
func (m *Machine) Start(f *ir.Func) {
	m.WholeProgram = true
	m.Spawn()
	m.enter(m.Thread[0], f, nil)
}

// enter makes a thread that has nothing to execute begin a function; the first one in an
// execution initialises the packages before, if that is part of the run.
func (m *Machine) enter(t *state.Thread, f *ir.Func, args []uint64) {
	m.Push(t, m.img.Codes[f.ID], args, state.FrameBottom)
	if m.maker == awaited && !m.WholeProgram {
		m.maker = unseeded
	} else {
		m.maker = other
	}
	if m.uninitialised {
		m.uninitialised = false
		t.Top().Flags |= state.FrameStart
		m.Push(t, m.img.Codes[m.img.Prog.Init.ID], nil, 0)
	}
}

// Spawn adds a thread that has nothing to execute and stays until the end, and
// returns its index.
func (m *Machine) Spawn() int {
	m.NewThread().Keep = true
	return len(m.Thread) - 1
}
