// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"pangolin/history"
	"pangolin/oracle"
)

// NewRecorder makes a monitor that judges nothing. Its states are the histories
// themselves: a search that carries one in its states merges no two histories, and so
// meets all that there are. Recorded gives them back.
func NewRecorder(a *oracle.Automaton, threads int) (*HistoryMonitor, error) {
	return newMonitor(a, recorder{auto: a, threads: threads}, threads)
}

// Recorded is the history that a recorder's state stands for, without the names of the
// methods, and the oracle's state before it. It panics for other monitors and for Rejected.
func (m *HistoryMonitor) Recorded(id ID) (start oracle.State, h history.History) {
	r := m.judge.(recorder)
	s := r.read(m.states.words(id))
	return m.auto.State(s.start), r.history(s.events)
}

// recorder is the judge that accepts every history.
type recorder struct {
	auto    *oracle.Automaton
	threads int
}

type recording struct {
	start  oracle.StateID
	events []event
}

// event is the number of a call or of a result, and where it happened.
type event struct {
	phase  history.Phase
	thread int
	number uint16
}

func (r recorder) initial(s oracle.StateID) []byte { return r.write(recording{start: s}) }

func (r recorder) write(s recording) []byte {
	w := &writer{buf: make([]byte, 0, 4+4*len(s.events))}
	w.u32(uint32(s.start))
	for _, e := range s.events {
		w.u16(uint16(e.phase)<<8 | uint16(e.thread))
		w.u16(e.number)
	}
	return w.buf
}

func (r recorder) read(words string) recording {
	in := &reader{words}
	s := recording{start: oracle.StateID(in.u32())}
	for len(in.rest) > 0 {
		at := in.u16()
		s.events = append(s.events, event{history.Phase(at >> 8), int(at & 0xff), in.u16()})
	}
	return s
}

func (r recorder) invoke(words string, thread int, c oracle.CallID) []byte {
	return r.and(words, event{history.Invoke, thread, uint16(c)})
}

func (r recorder) respond(words string, thread int, result oracle.ResultID) []byte {
	return r.and(words, event{history.Respond, thread, uint16(result)})
}

func (r recorder) and(words string, e event) []byte {
	s := r.read(words)
	s.events = append(s.events, e)
	return r.write(s)
}

func (recorder) complete(string) bool { return true }

func (recorder) blocked(string, ThreadSet) int { return -1 }

func (r recorder) busy(words string) ThreadSet {
	var s ThreadSet
	for _, e := range r.read(words).events {
		if e.phase == history.Invoke {
			s = s.With(e.thread)
		} else {
			s = s.Without(e.thread)
		}
	}
	return s
}

// history returns events as a history, with their calls and results.
func (r recorder) history(events []event) history.History {
	h := history.History{Threads: r.threads}
	r.each(events, func(e event, c oracle.CallID) {
		call := r.auto.Call(c)
		out := history.Event{Phase: e.phase, Thread: e.thread, Method: call.Op, Args: call.Args}
		if e.phase == history.Respond {
			out.Result = r.auto.Result(oracle.ResultID(e.number))
		}
		h.Events = append(h.Events, out)
	})
	return h
}

// each calls visit with each event and the call that begins or ends there.
func (r recorder) each(events []event, visit func(e event, c oracle.CallID)) {
	var open [MaxThreads]oracle.CallID
	for _, e := range events {
		if e.phase == history.Invoke {
			open[e.thread] = oracle.CallID(e.number)
		}
		visit(e, open[e.thread])
	}
}

func (r recorder) permute(words string, p Perm) []byte {
	s := r.read(words)
	for i := range s.events {
		s.events[i].thread = p.To(s.events[i].thread)
	}
	return r.write(s)
}

func (r recorder) rename(words string, names oracle.RenamingID) []byte {
	s := r.read(words)
	out := recording{start: r.auto.RenameState(s.start, names)}
	r.each(s.events, func(e event, c oracle.CallID) {
		if e.phase == history.Invoke {
			e.number = uint16(r.auto.RenameCall(c, names))
		} else {
			e.number = uint16(r.auto.RenameResult(c, oracle.ResultID(e.number), names))
		}
		out.events = append(out.events, e)
	})
	return r.write(out)
}

func (r recorder) names(words string, n *oracle.Names) {
	s := r.read(words)
	r.auto.StateNames(s.start, n)
	r.each(s.events, func(e event, c oracle.CallID) {
		if e.phase == history.Invoke {
			r.auto.CallNames(c, n)
		} else {
			r.auto.ResultNames(c, oracle.ResultID(e.number), n)
		}
	})
}

// describe: to a thread, an event is its own or another one's.
func (r recorder) describe(words string, signatures []uint64) (content uint64) {
	s := r.read(words)
	content = r.auto.StateHash(s.start)
	for t := range signatures {
		signatures[t] = content
	}
	for _, e := range s.events {
		h := mix(r.hash(e), uint64(e.phase))
		content = mix(content, mix(h, uint64(e.thread)))
		for t := range signatures {
			if e.thread == t {
				signatures[t] = mix(signatures[t], mix(h, 1))
			} else {
				signatures[t] = mix(signatures[t], h)
			}
		}
	}
	return content
}

func (r recorder) hash(e event) uint64 {
	if e.phase == history.Invoke {
		return r.auto.CallHash(oracle.CallID(e.number))
	}
	return r.auto.ResultHash(oracle.ResultID(e.number))
}
