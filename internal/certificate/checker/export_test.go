package checker

// Joined writes down all memories that are found when claimed views meet claimed effects, without
// the alignment, or with what it leaves.
func (c *Checker) Joined(aligned bool) ([]string, error) {
	c.align.off = !aligned
	var out []string
	for _, views := range c.alike {
		for i := range c.effects {
			err := c.meet(views.views[0].g, &c.effects[i], func(g graph, w *write) error {
				s := &state{g: g, frames: []frame{{regs: []word{w.at}}}}
				s.frames[0].regs = append(append(s.frames[0].regs, w.words...), pointers(views.named)...)
				regs := make([]int, len(s.frames[0].regs))
				for r := range regs {
					regs[r] = r
				}
				if w.at == lost {
					regs = regs[1+len(w.words):]
				}
				out = append(out, string(c.encode(s, [][]int{regs})))
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func pointers(list []goal) (out []word) {
	for _, g := range list {
		out = append(out, g.real)
	}
	return out
}
