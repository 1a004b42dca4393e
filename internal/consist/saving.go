// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"pangolin/history"
	"pangolin/internal/saved"
	"pangolin/oracle"
)

// Pass writes the states that the monitor has met and the numbers of its oracle, or reads them into
// a new monitor, with the same numbers. Transitions and outcomes of calls are computed again.
func (m *HistoryMonitor) Pass(c *saved.Codec) {
	c.Mark("oracle")
	states, calls, results := m.auto.Known()
	saved.Extend(c, states, func(c *saved.Codec, s *oracle.State) {
		text := string(*s)
		c.Text(&text)
		*s = oracle.State(text)
	}, func(s oracle.State) { m.auto.StateID(s) })
	saved.Extend(c, calls, func(c *saved.Codec, call *oracle.Call) {
		saved.Int(c, &call.Op)
		PassTuple(c, &call.Args)
	}, func(call oracle.Call) { m.auto.CallID(call) })
	saved.Extend(c, results, PassTuple, func(t history.Tuple) { m.auto.ResultID(t) })
	c.Mark("monitor")
	var there []string
	for id := range m.states.size() {
		there = append(there, m.states.words(ID(id+1)))
	}
	saved.Extend(c, there, (*saved.Codec).Text, func(words string) { m.intern([]byte(words)) })
}

// PassTuple writes or reads a tuple.
func PassTuple(c *saved.Codec, t *history.Tuple) {
	var values [history.MaxArity]history.Value
	for i := range values {
		values[i] = t.At(i)
		saved.Int(c, &values[i].Kind)
		saved.Int(c, &values[i].Int)
	}
	*t = history.Of(values[:]...)
}
