// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// What package runtime tells about memory, and lets a program do with it. Only a
// machine that follows one execution collects garbage, counts objects and runs
// finalizers: in an exploration none of that may make two states differ, so
// there the counts are 0 and a finalizer never runs, which Go allows.

var memoryBuiltins = map[string]*builtin{
	"runtime.GC": {run: func(c *call) control {
		if !c.m.Tracking {
			c.m.collect()
		}
		return yield(c)
	}},
	"runtime.ReadMemStats": {visible: ifTouched, run: readMemStats,
		plainly: func(c *call, dst []access) []access { return writes(dst, c.args[0], c.fn.Params[0].Elem.Size) }},
	"runtime.SetFinalizer":          {run: setFinalizer},
	"runtime.KeepAlive":             simple(func(*call) {}),
	"runtime/debug.SetGCPercent":    simple(func(c *call) { c.out[0] = 100 }),
	"runtime/debug.FreeOSMemory":    simple(func(*call) {}),
	"runtime/debug.SetMaxStack":     simple(func(c *call) { c.out[0] = 1 << 30 }),
	"runtime/debug.SetPanicOnFault": simple(func(*call) {}),
}

// memory is what a machine that follows one execution knows of its memory.
type memory struct {
	freed       int // objects that the collector freed
	collections int
	peak        int      // words of memory ever seen in use
	spare       []uint64 // what the next collection moves objects to
	finalizers  []finalizer
	due         []finalizer // of objects found unreachable
}

// finalizer is a function to call with an object that nothing else refers to.
type finalizer struct {
	object uint64 // the pointer
	typ    uint64 // the pointer's type word
	fn     uint64 // a Func word
}

func readMemStats(c *call) control {
	if c.m.Tracking {
		return ctlNext
	}
	m, t := c.m, c.fn.Params[0].Elem
	bytes, live := uint64(len(m.Mem))*8, uint64(len(m.Objs)-len(m.Free))
	m.memory.peak = max(m.memory.peak, cap(m.Mem))
	total := live + uint64(m.memory.freed)
	for name, v := range map[string]uint64{
		"Alloc": bytes, "HeapAlloc": bytes, "HeapInuse": bytes, "TotalAlloc": bytes + uint64(m.memory.freed)*8,
		"Sys": uint64(m.memory.peak) * 8, "HeapSys": uint64(cap(m.Mem)) * 8, "HeapObjects": live,
		"Mallocs": total, "Frees": uint64(m.memory.freed), "NumGC": uint64(m.memory.collections),
	} {
		c.set(0, fieldOffset(t, name), v)
	}
	return ctlNext
}

// finalizes says that a function which is not the library's sets finalizers. These may let goroutines go on that wait for what nobody else can
// reach.
func finalizes(prog *ir.Program, f *ir.Func) bool {
	return !f.Library() && slices.ContainsFunc(f.Code, func(in ir.Instr) bool {
		if in.Op != ir.OpCall || in.X < 0 {
			return false
		}
		c := prog.Calls[in.X]
		return c.Kind == ir.CallStatic && c.Func.Name == "runtime.SetFinalizer"
	})
}

// setFinalizer takes a pointer and a function, both in interfaces.
func setFinalizer(c *call) control {
	t, f := c.m.Dynamic(c.args[0]), c.m.Dynamic(c.args[2])
	switch {
	case t == nil:
		return c.m.fatal(c.t, "runtime.SetFinalizer: first argument is nil")
	case t.Class != ir.PointerClass:
		return c.m.fatal(c.t, "runtime.SetFinalizer: first argument is "+t.Name+", not pointer")
	case f != nil && f.Class != ir.FuncClass:
		return c.m.fatal(c.t, "runtime.SetFinalizer: second argument is "+f.Name+", not a function")
	case c.m.Tracking:
		return ctlNext
	}
	c.m.dropFinalizer(c.args[1])
	if f != nil {
		c.m.memory.finalizers = append(c.m.memory.finalizers, finalizer{object: c.args[1], typ: c.args[0], fn: c.args[3]})
	}
	return ctlNext
}

func (m *Machine) dropFinalizer(object uint64) {
	kept := m.memory.finalizers[:0]
	for _, f := range m.memory.finalizers {
		if f.object != object {
			kept = append(kept, f)
		}
	}
	m.memory.finalizers = kept
}

// finalizerReferences appends what finalizers keep alive: their functions, but not
// their objects.
func (m *Machine) finalizerReferences(dst []uint32) []uint32 {
	for _, f := range m.memory.finalizers {
		if f.fn&ir.FuncTag == 0 {
			dst = append(dst, uint32(f.fn>>32))
		}
	}
	return dst
}

// findDue moves the finalizers of unmarked objects to due and appends the objects,
// which live on for the call.
func (m *Machine) findDue(dst []uint32) []uint32 {
	kept := m.memory.finalizers[:0]
	for _, f := range m.memory.finalizers {
		if m.Objs[f.object>>32].Flags&state.IsMarked != 0 {
			kept = append(kept, f)
			continue
		}
		m.memory.due = append(m.memory.due, f)
		dst = append(dst, uint32(f.object>>32))
	}
	m.memory.finalizers = kept
	return dst
}

// runDue starts a thread for each finalizer that is due.
func (m *Machine) runDue() {
	for _, f := range m.memory.due {
		args := []uint64{f.object}
		if m.takesIface(f.fn) {
			args = []uint64{f.typ, f.object}
		}
		to, args := m.closure(f.fn, args)
		m.Push(m.NewThread(), to, args, state.FrameBottom)
	}
	m.memory.due = m.memory.due[:0]
}

// takesIface says whether a function's parameter is an interface.
func (m *Machine) takesIface(fn uint64) bool {
	to, _ := m.closure(fn, nil)
	return to.Func.Params[0].IsInterface()
}
