package state

import "pangolin/internal/ir"

// MakeIface makes an interface value of the words of a value.
func (m *State) MakeIface(t *ir.Type, w []uint64) (typ, data uint64) {
	switch t.Size {
	case 0:
	case 1:
		data = w[0]
	default:
		flat, n := t.Flatten()
		data = Pointer(m.Alloc(flat, n), 0)
		if m.Failure != nil {
			return 0, 0
		}
		copy(m.Words(data, t.Size), w)
	}
	return ir.TypeWord(t), data
}

// Printed shows a state's memory to package format.
type Printed struct{ State *State }

func (p Printed) Text(w uint64) string                          { return p.State.Text(w) }
func (p Printed) At(q uint64, n int) []uint64                   { return p.State.Words(q, n) }
func (p Printed) Dynamic(word uint64) *ir.Type                  { return p.State.Dynamic(word) }
func (p Printed) Entries(q uint64) int                          { return int(p.State.Objs[q>>32].Count) }
func (p Printed) Box(t *ir.Type, w []uint64) (typ, data uint64) { return p.State.MakeIface(t, w) }
func (p Printed) Address(q uint64) uint64                       { return p.State.Address(q) }
func (p Printed) Unsupported(message string)                    { p.State.Fail(FaultUnsupported, message) }
func (p Printed) Failed() bool                                  { return p.State.Failure != nil }
