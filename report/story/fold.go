// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"slices"
	"strings"

	"pangolin/verdict"
)

// fold is why a step is not told.
type fold uint8

const (
	told    fold = iota
	reads        // it reads what nobody changes, or nobody else since the thread's last look
	retries      // it belongs to an attempt that came to nothing and was made again
	library      // it is one of several steps inside one call of the library
)

// folds decides about each step.
func folds(w *verdict.Witness) []fold {
	why := make([]fold, len(w.Steps))
	changed, known := changes(w), looks{}
	for i := range w.Steps {
		s := &w.Steps[i]
		a := s.Access
		if a == nil {
			continue
		}
		if readsOnly(a) && i+1 != w.Damage && i+1 != w.Loop && (!changed.has(a) || known.has(s)) {
			why[i] = reads
		}
		known.note(s)
	}
	foldLibrary(w, why)
	foldRetries(w, why)
	return why
}

func readsOnly(a *verdict.Access) bool {
	return a.Kind == verdict.Read || a.Kind == verdict.MapGet || a.Kind == verdict.MapLen
}

// alters says that an access changes memory, or is a step of synchronisation that does.
func alters(a *verdict.Access) bool {
	switch a.Kind {
	case verdict.Read, verdict.MapGet, verdict.MapLen, verdict.Select:
		return false
	case verdict.CompareAndSwap:
		return a.Done
	}
	return true
}

// paths are the places that are changed, by object.
type paths map[string][]string

func changes(w *verdict.Witness) paths {
	p := paths{}
	for i := range w.Steps {
		if a := w.Steps[i].Access; a != nil && alters(a) && !slices.Contains(p[a.Object], a.Field) {
			p[a.Object] = append(p[a.Object], a.Field)
		}
	}
	return p
}

// has says that a place is changed, or a part of it, or what it is a part of.
func (p paths) has(a *verdict.Access) bool {
	for _, field := range p[a.Object] {
		if strings.HasPrefix(field, a.Field) || strings.HasPrefix(a.Field, field) {
			return true
		}
	}
	return false
}

// looks are the places of which a thread has seen or written the present value, by thread.
type looks map[int]map[[2]string]bool

func (l looks) has(s *verdict.Step) bool {
	return !s.Access.Atomic && l[s.Thread][[2]string{s.Access.Object, s.Access.Field}]
}

// note follows a step: who makes it knows the place, and if it alters it, nobody else does.
func (l looks) note(s *verdict.Step) {
	a := s.Access
	if alters(a) {
		for thread, places := range l {
			for place := range places {
				if thread != s.Thread && place[0] == a.Object && (strings.HasPrefix(place[1], a.Field) || strings.HasPrefix(a.Field, place[1])) {
					delete(places, place)
				}
			}
		}
	}
	if l[s.Thread] == nil {
		l[s.Thread] = map[[2]string]bool{}
	}
	l[s.Thread][[2]string{a.Object, a.Field}] = true
}

// foldLibrary leaves one step of each call of the library: the first that changes
// something, else the first.
func foldLibrary(w *verdict.Witness, why []fold) {
	type run struct{ caller, from int }
	open := map[int]run{} // by thread
	kept := map[int]int{} // by thread: the step that is told
	for i := range w.Steps {
		s := &w.Steps[i]
		caller, function := libraryCall(w, s)
		if function == "" {
			delete(open, s.Thread)
			continue
		}
		if caller == 0 && why[i] == told && i+1 != w.Damage { // nobody has called it: the library's own goroutine
			why[i] = library
			continue
		}
		if r, on := open[s.Thread]; !on || r.caller != caller {
			open[s.Thread] = run{caller, i}
			kept[s.Thread] = -1
		}
		if why[i] == reads {
			continue
		}
		k := kept[s.Thread]
		switch {
		case k < 0:
			kept[s.Thread] = i
		case !alters(w.Steps[k].Access) && alters(s.Access) && k+1 != w.Damage:
			why[k], kept[s.Thread] = library, i
		case i+1 != w.Damage:
			why[i] = library
		}
	}
}

// libraryCall is the function of the library that the user's code has called in a step, and
// the frame that called it; "" if the step is the user's own.
func libraryCall(w *verdict.Witness, s *verdict.Step) (caller int, function string) {
	frame := s.Frame
	for frame > 0 && w.Frames[frame-1].Library {
		function, frame = w.Frames[frame-1].Function, w.Frames[frame-1].Caller
	}
	return frame, function
}

// longestRetry is how many steps an attempt may have that is recognised.
const longestRetry = 24

// foldRetries folds attempts that change nothing and are followed by the same again.
func foldRetries(w *verdict.Witness, why []fold) {
	byThread := map[int][]int{}
	threads := 0
	for i := range w.Steps {
		if why[i] == told && (w.Loop == 0 || i+1 < w.Loop) {
			t := w.Steps[i].Thread
			byThread[t] = append(byThread[t], i)
			threads = max(threads, t)
		}
	}
	for t := 1; t <= threads; t++ {
		steps := byThread[t]
		for i := 0; i < len(steps); {
			n := retry(w, steps[i:])
			for _, k := range steps[i : i+n] {
				why[k] = retries
			}
			i += max(1, n)
		}
	}
}

// retry is how many steps at the beginning are an attempt that changes nothing and is
// made again right behind.
func retry(w *verdict.Witness, steps []int) int {
	for n := 1; 2*n <= len(steps) && n <= longestRetry; n++ {
		same := true
		for k := 0; k < n && same; k++ {
			a, b := &w.Steps[steps[k]], &w.Steps[steps[n+k]]
			same = a.Access != nil && b.Access != nil && a.Place == b.Place && a.Access.Kind == b.Access.Kind && steps[k]+1 != w.Damage &&
				(!alters(a.Access) || a.Access.Kind == verdict.LibraryCall)
		}
		if same {
			return n
		}
	}
	return 0
}
