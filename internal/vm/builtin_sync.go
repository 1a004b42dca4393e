package vm

import "pangolin/internal/ir"

// The synchronisation primitives use words of the real structs:
//
//	Mutex      0: 1 while it is locked
//	RWMutex    0: 0, 1 a writer has announced itself, 2 a writer holds it; 4: readers
//	WaitGroup  0: the counter
//
// Which of several threads that wait for a lock gets it is left to the search, as
// Go leaves it open. A writer that has announced itself blocks new readers.

const (
	rwWriter  = 0
	rwReaders = 4

	rwFree      = 0
	rwAnnounced = 1
	rwHeld      = 2
)

var syncBuiltins = map[string]*builtin{
	"(*sync.Mutex).Lock": {visible: ifShared, waits: "sync.Mutex.Lock", enabled: isZero(0),
		run: func(c *call) control { c.set(0, 0, 1); c.m.hold(c.t, c.args[0]); return ctlNext }},
	"(*sync.Mutex).TryLock": {visible: ifShared, run: func(c *call) control {
		if c.object(0, 1)[0] == 0 {
			c.set(0, 0, 1)
			c.m.hold(c.t, c.args[0])
			c.out[0] = 1
		}
		return ctlNext
	}},
	"(*sync.Mutex).Unlock": {visible: ifShared, releases: isSet(0, 1), run: func(c *call) control {
		if c.object(0, 1)[0] == 0 {
			return c.m.fatal(c.t, "sync: unlock of unlocked mutex")
		}
		c.set(0, 0, 0)
		c.m.release(c.t, c.args[0])
		return ctlNext
	}},

	"(*sync.RWMutex).Lock":     {visible: ifShared, waits: "sync.RWMutex.Lock", enabled: mayLockRW, run: lockRW},
	"(*sync.RWMutex).TryLock":  {visible: ifShared, run: tryLockRW},
	"(*sync.RWMutex).Unlock":   {visible: ifShared, releases: isSet(rwWriter, rwHeld), run: unlockRW},
	"(*sync.RWMutex).RLock":    {visible: ifShared, waits: "sync.RWMutex.RLock", enabled: isZero(rwWriter), run: addReader},
	"(*sync.RWMutex).TryRLock": {visible: ifShared, run: tryRLock},
	"(*sync.RWMutex).RUnlock":  {visible: ifShared, run: runlock},

	"(*sync.WaitGroup).Add":  {visible: ifShared, run: func(c *call) control { return addWaitGroup(c, c.args[1]) }},
	"(*sync.WaitGroup).Done": {visible: ifShared, run: func(c *call) control { return addWaitGroup(c, ^uint64(0)) }},
	"(*sync.WaitGroup).Wait": {visible: ifShared, waits: "sync.WaitGroup.Wait", enabled: isZero(0),
		run: func(*call) control { return ctlNext }},

	// What the models in package front's prelude are made of.
	"pangolin/prelude.atomicBegin": {visible: always, run: beginRegion},
	"pangolin/prelude.atomicEnd":   {run: endRegion},
	"pangolin/prelude.await": {visible: ifShared, waits: "sync.Cond.Wait",
		enabled: func(c *call) bool { return c.object(0, 1)[0] != 0 }, run: func(*call) control { return ctlNext }},
	"pangolin/prelude.choose": {run: choose},
	"pangolin/mark.Choose":    {run: choose},
	"pangolin/mark.Thread":    {run: func(c *call) control { c.out[0] = uint64(c.t.id); return ctlNext }},
}

// isZero says that word off of the first argument's object must be zero.
func isZero(off int) func(c *call) bool {
	return func(c *call) bool { return c.object(0, off+1)[off] == 0 }
}

// isSet says that word off of the first argument's object is w.
func isSet(off int, w uint64) func(c *call) bool {
	return func(c *call) bool { return c.object(0, off+1)[off] == w }
}

func mayLockRW(c *call) bool {
	w := c.object(0, rwReaders+1)
	if c.t.phase == phaseAnnounced {
		return w[rwReaders] == 0
	}
	return w[rwWriter] == rwFree
}

// lockRW announces the writer, and takes the lock if there is no reader; otherwise
// the thread stays at the call until the readers have left.
func lockRW(c *call) control {
	if c.object(0, rwReaders+1)[rwReaders] == 0 {
		c.t.phase = phaseNone
		c.set(0, rwWriter, rwHeld)
		c.m.hold(c.t, c.args[0])
		return ctlNext
	}
	c.t.phase = phaseAnnounced
	c.set(0, rwWriter, rwAnnounced)
	return ctlDone
}

func tryLockRW(c *call) control {
	w := c.object(0, rwReaders+1)
	if w[rwWriter] == rwFree && w[rwReaders] == 0 {
		c.set(0, rwWriter, rwHeld)
		c.m.hold(c.t, c.args[0])
		c.out[0] = 1
	}
	return ctlNext
}

func unlockRW(c *call) control {
	if c.object(0, 1)[rwWriter] != rwHeld {
		return c.m.fatal(c.t, "sync: Unlock of unlocked RWMutex")
	}
	c.set(0, rwWriter, rwFree)
	c.m.release(c.t, c.args[0])
	return ctlNext
}

func addReader(c *call) control {
	c.set(0, rwReaders, c.object(0, rwReaders+1)[rwReaders]+1)
	return ctlNext
}

func tryRLock(c *call) control {
	if c.object(0, 1)[rwWriter] == rwFree {
		c.out[0] = 1
		return addReader(c)
	}
	return ctlNext
}

func runlock(c *call) control {
	n := c.object(0, rwReaders+1)[rwReaders]
	if n == 0 {
		return c.m.fatal(c.t, "sync: RUnlock of unlocked RWMutex")
	}
	c.set(0, rwReaders, n-1)
	return ctlNext
}

func addWaitGroup(c *call, delta uint64) control {
	n := c.object(0, 1)[0] + delta
	if int64(n) < 0 {
		return c.m.throwString(c.t, "sync: negative WaitGroup counter")
	}
	c.set(0, 0, n)
	return ctlNext
}

// throwString panics with a string.
func (m *Machine) throwString(t *thread, text string) control {
	typ, data := m.iface(m.img.stringType(), []uint64{m.img.Strings.Word(text)})
	return m.throw(t, typ, data, 0)
}

// stringType is the program's string type, or the machine's own if the program
// has none.
func (img *Image) stringType() *ir.Type {
	for _, t := range img.Prog.Types {
		if t != nil && t.Class == ir.StringClass && t.PkgPath == "" {
			return t
		}
	}
	return img.own.str
}

// Between beginRegion and endRegion the thread runs alone: together they are one
// visible access.
func beginRegion(c *call) control {
	c.m.region, c.m.regionFuel, c.m.fuel = true, c.m.fuel, plenty
	return ctlNext
}

func endRegion(c *call) control {
	c.m.region, c.m.fuel = false, c.m.regionFuel
	return ctlNext
}

// plenty is more than any step uses.
const plenty = 1 << 62

func choose(c *call) control {
	n := int(int64(c.args[0]))
	if n < 1 {
		return c.m.throwString(c.t, "mark.Choose: n must be at least 1")
	}
	c.out[0] = uint64(c.m.choose(n))
	return ctlNext
}
