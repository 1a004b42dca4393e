// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"strings"

	"pangolin/verdict"
)

// want is a step of the schedule, as package zz_forced takes it.
type want struct {
	thread     int
	does, file string
	line       int
}

// call is a call of the library in progress: the copy asks once before it, and once behind it if
// it waits there.
type call struct {
	caller, last int // the frame that calls, and the index of its last step so far
	function     string
	back         int  // the index of the want for coming back, or -1
	asks         bool // the copy asks before it
}

// plan turns the steps into wants. Files of a module that is not the current one are named by its path in the witness, and by their
// place in the module here.
func (f *forcer) plan(module string) error {
	f.loop = -1
	for i := range f.w.Steps {
		if f.w.Loop == i+1 {
			f.loop = len(f.wants)
			clear(f.inside)
		}
		if x, ok := f.want(i); ok {
			x.file = strings.TrimPrefix(x.file, module+"/")
			f.wants = append(f.wants, x)
		}
	}
	if f.w.Unseen() {
		return cannot("the calls repeat for ever what others see nothing of, so there is no access that could wait for its turn")
	}
	return nil
}

// want is what step i wants; false if nothing can be forced there.
func (f *forcer) want(i int) (want, bool) {
	s := &f.w.Steps[i]
	caller, function := 0, ""
	if s.Phase == "" {
		caller, function = f.libraryCall(s)
	}
	if function != "" {
		return f.called(i, caller, function)
	}
	f.leave(s, s.Frame, 0)
	switch s.Phase {
	case verdict.Invoke:
		return want{thread: s.Thread, does: "invoke"}, true
	case verdict.Respond:
		return want{thread: s.Thread, does: "return"}, true
	case verdict.Announce:
		return want{}, false
	}
	x := want{thread: s.Thread, file: s.File, line: s.Line}
	switch k := s.Access.Kind; {
	case s.Access.Atomic:
		x.does = "atomic"
	case k == verdict.Read:
		x.does = "read"
	case k == verdict.Write:
		x.does = "write"
	case strings.HasPrefix(string(k), "map "):
		x.does = "map"
	case k == verdict.LibraryCall:
		x.does, x.line = "sync", lineOf(s.Access.Function, s.Line)
	default:
		x.does = "channel"
	}
	return x, s.File != ""
}

// lineOf is the line of a call; a deferred one is made at the line of the return.
func lineOf(function string, line int) int {
	if strings.HasSuffix(function, "Unlock") || strings.HasSuffix(function, "Done") {
		return 0
	}
	return line
}

// libraryCall is the function of the library that the user's code has called in a step, and
// the frame that called it; "" if the step is the user's own.
func (f *forcer) libraryCall(s *verdict.Step) (caller int, function string) {
	frame := s.Frame
	for frame > 0 && (f.w.Frames[frame-1].Library || f.w.Frames[frame-1].Model) {
		function, frame = f.w.Frames[frame-1].Function, f.w.Frames[frame-1].Caller
	}
	return frame, function
}

// leave forgets the calls of the library that a thread has left, being at a step in a frame: all but that of the given caller, and those that
// have called what the thread is in now.
func (f *forcer) leave(s *verdict.Step, frame, caller int) {
	list := f.inside[s.Thread]
	for len(list) > 0 {
		at := list[len(list)-1].caller
		if s.Phase == "" && (at == caller || f.above(frame, at)) {
			break
		}
		list = list[:len(list)-1]
	}
	f.inside[s.Thread] = list
}

// above reports whether a frame is among the callers of another.
func (f *forcer) above(frame, caller int) bool {
	for frame > 0 {
		if frame = f.w.Frames[frame-1].Caller; frame == caller {
			return frame > 0
		}
	}
	return false
}

// called is what step i wants inside a call of the library: its turn, if it is the first that
// synchronises, and to come back behind it if other threads had theirs meanwhile.
func (f *forcer) called(i, caller int, function string) (want, bool) {
	s := &f.w.Steps[i]
	f.leave(s, caller, caller)
	list := f.inside[s.Thread]
	if n := len(list) - 1; n >= 0 && list[n].caller == caller && list[n].function != function {
		list = list[:n] // calls that are deferred are made at one place
	}
	if len(list) == 0 || list[len(list)-1].caller != caller {
		list = append(list, &call{caller: caller, function: function, back: -1, last: i})
		f.inside[s.Thread] = list
	}
	c := list[len(list)-1]
	interrupted := c.asks && c.last != i-1
	c.last = i
	switch {
	case s.File == "" || s.Access.Kind != verdict.LibraryCall && !s.Access.Atomic:
		return want{}, false
	case !c.asks:
		c.asks = true
		return want{thread: s.Thread, file: s.File, line: lineOf(function, s.Line)}, true
	case interrupted && c.back < 0:
		c.back = len(f.wants)
		return want{thread: s.Thread, does: "back", file: s.File, line: s.Line}, true
	}
	return want{}, false
}
