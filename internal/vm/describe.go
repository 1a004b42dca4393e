package vm

import (
	"fmt"

	"pangolin/internal/ir"
)

// At describes where thread i stands: "file.go:12 in (*Queue).Enqueue".
func (m *Machine) At(i int) string { return m.place(m.threads[i]) }

func (m *Machine) place(t *thread) string {
	if t.idle() {
		return "ended"
	}
	f := t.top()
	return fmt.Sprintf("%s in %s", m.img.Prog.Position(f.code.positionNear(int(f.pc))), f.code.fn.Short)
}

// userPlace is where a thread stands in the program's own code: the innermost call
// outside the models of the standard library.
func (m *Machine) userPlace(t *thread) string {
	for i := len(t.frames) - 1; i >= 0; i-- {
		f := &t.frames[i]
		if !f.code.fn.External && !f.code.fn.Model {
			return fmt.Sprintf("%s in %s", m.img.Prog.Position(f.code.positionNear(int(f.pc))), f.code.fn.Short)
		}
	}
	return m.place(t)
}

// Waiting describes, for each thread that has not ended, what it waits for.
func (m *Machine) Waiting() []string {
	var lines []string
	for i, t := range m.threads {
		if !t.idle() {
			lines = append(lines, fmt.Sprintf("goroutine %d: %s, at %s", i, m.waitsFor(t), m.userPlace(t)))
		}
	}
	return lines
}

// Standing describes where the given threads stand.
func (m *Machine) Standing(threads []int) []string {
	var lines []string
	for _, i := range threads {
		if i < len(m.threads) && !m.threads[i].idle() {
			lines = append(lines, fmt.Sprintf("goroutine %d goes on for ever around %s", i, m.userPlace(m.threads[i])))
		}
	}
	return lines
}

// waitsFor says what a thread that cannot go on waits for.
func (m *Machine) waitsFor(t *thread) string {
	in := t.instr()
	switch in.Op {
	case ir.OpSend, ir.OpRecv:
		what := map[ir.Op]string{ir.OpSend: "send on", ir.OpRecv: "receive from"}[in.Op]
		if value(t.registers(), m.img.Prog.Consts, in.A) == 0 {
			return what + " a nil channel"
		}
		return what + " a channel"
	case ir.OpSelect:
		if len(m.img.Prog.Selects[in.X].Cases) == 0 {
			return "select without cases"
		}
		return "select"
	case ir.OpCall:
		if c := m.builtinAt(t); c != nil && builtins[c.fn.Name] != nil && builtins[c.fn.Name].waits != "" {
			return builtins[c.fn.Name].waits
		}
	}
	return "ready to go on"
}

// DescribeAccess describes one side of a race: "write at file.go:12 in f".
func (m *Machine) DescribeAccess(r Race, side int) string {
	what := "read"
	if r.Write[side] {
		what = "write"
	}
	return fmt.Sprintf("%s at %s in %s", what, m.img.Prog.Position(r.At[side]), r.Functions[side])
}

// Created is the number of threads created so far in this machine's life; only
// differences mean something.
func (m *Machine) Created() int { return m.created }

// Survivors tells, for each thread, the place it had when the state was loaded;
// threads that were created since follow those that were there.
func (m *Machine) Survivors() []int { return m.places }
