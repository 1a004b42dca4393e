package explore

// tally is what one worker has done. It publishes to the search now and then.
type tally struct {
	states      uint64
	transitions uint64
	depth       int

	quota int // states until the next publication
	sent  struct {
		states, transitions uint64
		bytes               int64
	}
}

// batch returns how many states a worker counts between publications.
func (s *search) batch() int {
	const batch = 1024
	return int(min(batch, s.progressEvery()))
}

func (s *search) progressEvery() uint64 {
	if s.opt.ProgressEvery == 0 {
		return 1 << 20
	}
	return s.opt.ProgressEvery
}

// count counts a new state and reports whether it is within the limit.
func (t *tally) count(w *worker, depth int) bool {
	s := w.search
	if s.maxStates > 0 && s.claimed.Add(1) > s.maxStates {
		s.stop(LimitStates)
		return false
	}
	t.states++
	t.depth = max(t.depth, depth)
	if t.quota--; t.quota == 0 {
		t.quota = s.batch()
		t.publish(w)
	}
	return true
}

// publish adds what is new to the sums of the search, looks at the limit on memory and
// reports progress.
func (t *tally) publish(w *worker) {
	s := w.search
	if bytes := t.add(w); s.opt.MaxBytes > 0 && bytes > s.opt.MaxBytes {
		s.stop(LimitBytes)
	}
}

// add returns the memory that the whole search takes.
func (t *tally) add(w *worker) int64 {
	s := w.search
	bytes := w.bytes()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.States += t.states - t.sent.states
	s.sum.Transitions += t.transitions - t.sent.transitions
	s.sum.Depth = max(s.sum.Depth, t.depth)
	s.sum.Bytes += bytes - t.sent.bytes
	t.sent.states, t.sent.transitions, t.sent.bytes = t.states, t.transitions, bytes

	now := s.sum
	now.Bytes += s.states.Bytes() + s.front.bytes()
	if s.opt.Held != nil {
		now.Bytes += s.opt.Held()
	}
	s.peak = max(s.peak, now.Bytes)
	if every := s.progressEvery(); s.opt.Progress != nil && now.States/every > s.reported/every {
		s.reported = now.States
		s.opt.Progress(now)
	}
	return now.Bytes
}
