// SPDX-License-Identifier: BSD-3-Clause

package vm

import "slices"

// The methods of sync/atomic.Value. Its one field is an interface: words 0 and 1.

var valueBuiltins = map[string]*builtin{
	"(*sync/atomic.Value).Load": {visible: ifShared, atomically: reads1, run: func(c *call) control {
		copy(c.out, c.object(0, 2))
		c.notes(AtomicRead)
		return ctlNext
	}},
	"(*sync/atomic.Value).Store": {visible: ifShared, atomically: object1, run: func(c *call) control {
		if ctl, ok := c.checkValue("store of %s value into Value", c.args[1]); !ok {
			return ctl
		}
		c.setIface(c.args[1:3])
		c.notes(AtomicWrite)
		return ctlNext
	}},
	"(*sync/atomic.Value).Swap": {visible: ifShared, atomically: object1, run: func(c *call) control {
		if ctl, ok := c.checkValue("swap of %s value into Value", c.args[1]); !ok {
			return ctl
		}
		copy(c.out, c.object(0, 2))
		c.setIface(c.args[1:3])
		c.notes(AtomicUpdate)
		return ctlNext
	}},
	"(*sync/atomic.Value).CompareAndSwap": {visible: ifShared, atomically: object1, run: compareAndSwapValue},
}

// checkValue panics if a value to be stored is nil or of another type than the one
// that is there.
func (c *call) checkValue(what string, typ uint64) (ctl control, ok bool) {
	old := c.object(0, 1)[0]
	switch {
	case typ == 0:
		return c.m.throwString(c.t, "sync/atomic: "+replace(what, "nil")), false
	case old != 0 && old != typ:
		return c.m.throwString(c.t, "sync/atomic: "+replace(what, "inconsistently typed")), false
	}
	return ctlNext, true
}

func replace(what, kind string) string {
	i := slices.Index([]byte(what), '%')
	return what[:i] + kind + what[i+2:]
}

// setIface stores an interface value in the first argument's object.
func (c *call) setIface(words []uint64) {
	c.m.Write(c.args[0], slices.Clone(words), c.m.img.Types[c.m.img.Own.Iface.ID])
}

func compareAndSwapValue(c *call) control {
	typ := c.args[3]
	if typ == 0 {
		return c.m.throwString(c.t, "sync/atomic: compare and swap of nil value into Value")
	}
	if c.args[1] != 0 && c.args[1] != typ {
		return c.m.throwString(c.t, "sync/atomic: compare and swap of inconsistently typed values")
	}
	now := c.object(0, 2)
	if now[0] != 0 && now[0] != typ {
		return c.m.throwString(c.t, "sync/atomic: compare and swap of inconsistently typed value into Value")
	}
	eq, bad := c.m.equalIface(now, c.args[1:3])
	if bad != nil {
		return c.m.throwError(c.t, "comparing uncomparable type "+bad.Name)
	}
	if eq {
		c.setIface(c.args[3:5])
		c.out[0] = 1
		c.notes(AtomicUpdate)
		return ctlNext
	}
	c.notes(AtomicRead)
	return ctlNext
}
