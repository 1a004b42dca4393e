package vm

import "pangolin/internal/ir"

var runtimeBuiltins = map[string]*builtin{
	"runtime.Gosched":      {visible: always, run: yield},
	"runtime.GC":           {visible: never, run: func(*call) control { return ctlNext }},
	"runtime.KeepAlive":    {visible: never, run: func(*call) control { return ctlNext }},
	"runtime.NumCPU":       simple(func(c *call) { c.out[0] = 2 }),
	"runtime.GOMAXPROCS":   simple(func(c *call) { c.out[0] = 2 }),
	"runtime.NumGoroutine": {visible: always, run: func(c *call) control { c.out[0] = uint64(len(c.m.threads)); return ctlNext }},
	"runtime.Goexit":       {run: func(c *call) control { return c.m.throw(c.t, 0, 0, panicExit) }},
	"os.Exit":              {visible: always, run: exit},
	crashName:              {visible: always, run: func(c *call) control { return c.m.crash(c.t) }},
	"pangolin/prelude.output": {visible: always, run: func(c *call) control {
		c.m.print(int(c.args[0]), c.text(1))
		return ctlNext
	}},
}

// yield does nothing, visibly: the other threads may go first.
func yield(c *call) control {
	c.m.yielded = true
	return ctlNext
}

func exit(c *call) control {
	c.m.end = End{Kind: Exited, Code: int(int64(c.args[0])) & 0xff}
	return ctlDone
}

// printOp executes the built-in functions print and println, which write to
// standard error.
func (m *Machine) printOp(t *thread, in *ir.Instr, regs []uint64) control {
	if !m.gate(true) {
		return ctlStop
	}
	text := ""
	for i, a := range m.img.Prog.Lists[in.X] {
		if in.Ok && i > 0 {
			text += " "
		}
		text += m.printText(a.Type, values(regs, m.img.Prog.Consts, a.Reg, a.Type.Size))
	}
	if in.Ok {
		text += "\n"
	}
	m.print(2, text)
	return ctlNext
}
