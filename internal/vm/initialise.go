package vm

// initQuota bounds the instructions of package initialisation.
const initQuota = 500_000_000

// initialise runs the package initialisers once, for all executions. If that needs
// a decision, starts threads, blocks, prints, panics or fails, it is left to the first
// thread of every execution instead, whatever that calls first (see Machine.enter).
func (img *Image) initialise() error {
	img.base = []object{{}}
	for _, g := range img.Prog.Globals {
		n, count := g.Type.Flatten()
		info := img.types[n.ID]
		words := count * n.Size
		img.base = append(img.base, object{at: len(img.baseMem), count: int32(count), info: info, flags: isShared | isKnown})
		img.baseMem = append(img.baseMem, make([]uint64, words)...)
	}
	if img.Prog.Init == nil {
		return nil
	}
	m := img.NewMachine(Options{NoSymmetry: true})
	m.tracking = false
	img.initInState = !m.initialises()
	if !img.initInState {
		img.keep(m)
	}
	return nil
}

// undecided is a chooser that notes whether it was asked.
type undecided struct{ asked bool }

func (u *undecided) Choose(int) int {
	u.asked = true
	return 0
}

// initialises runs the initialisers and says whether that needed nothing but
// memory.
func (m *Machine) initialises() bool {
	m.Spawn()
	t := m.threads[0]
	m.push(t, m.img.codes[m.img.Prog.Init.ID], nil, frameBottom)
	ch := &undecided{}
	m.chooser, m.fuel, m.quota = ch, plenty, initQuota
	m.exec(t)
	return t.idle() && t.panicked == 0 && len(m.threads) == 1 && !ch.asked && m.fault == nil &&
		m.end.Kind == Running && m.out.Stdout == 0 && m.out.Stderr == 0
}

// keep makes the heap of a machine the heap that every execution begins with.
func (img *Image) keep(m *Machine) {
	m.retireThreads(0)
	m.collect()
	img.base = append([]object(nil), m.objs...)
	img.baseMem = append([]uint64(nil), m.mem...)
	for i := range img.base {
		o := &img.base[i]
		if o.info == nil {
			o.info = img.types[img.own.word.ID]
		}
		o.flags = o.flags&isChan | isShared | isKnown
		if o.flags&isChan == 0 {
			o.aux = 0
		}
	}
}
