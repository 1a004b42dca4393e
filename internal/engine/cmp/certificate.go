// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// The table of a proof is written as a certificate, which package certificate/pairs checks.

// certify gives the table as a certificate, without lemmas.
func (s *search) certify() *pairs.Certificate {
	m := s.model
	c := &pairs.Certificate{Head: pairs.Head{Head: file.NewHead(pairs.Method, m.subject.Source, m.subject.Prog),
		Items: m.items, Values: m.values, Races: !s.limits.noRaces, Progress: s.limits.progress, Frozen: s.assumed.Frozen, Guards: s.assumed.Guards.Known(), Owned: s.words.of.list()}}
	for i := range m.calls {
		c.Head.Calls = append(c.Head.Calls, m.calls[i].text)
		if role := m.role(i); role > 0 {
			if c.Head.Roles == nil {
				c.Head.Roles = map[string]int{}
			}
			c.Head.Roles[m.subject.Operations[m.calls[i].step.Op].Name] = role
		}
	}
	for _, text := range m.img.Strings.All()[m.img.Constants():] {
		c.Head.Strings = append(c.Head.Strings, strconv.QuoteToASCII(text))
	}
	number := map[oracle.StateID]int{}
	for i, q := range m.order {
		number[q] = i
		c.Head.Contents = append(c.Head.Contents, append([]int{}, m.paths[q]...))
	}
	for _, x := range s.t.common {
		c.Memories = append(c.Memories, pairs.Memory{Content: number[x.content], Front: x.head, Objects: x.objects})
	}
	for i := range s.t.views {
		c.Views = append(c.Views, s.written(int32(i)))
	}
	return c
}

// written gives view v as a certificate lists it: the ghost (which call, and its right results) is taken out of the
// words of the thread.
func (s *search) written(v int32) pairs.View {
	words, p := s.t.state(v)
	out := pairs.View{Memory: int(s.t.views[v].common), Acts: s.t.views[v].acts, Rank: s.rankOf(v),
		Thread: slices.Clone(words[p.Thread:p.Objects]), Own: slices.Clone(words[p.Own:])}
	g := ghost(out.Thread[tagWord])
	out.Thread[tagWord] = 0
	if !g.busy() {
		return out
	}
	out.Call = g.call() + 1
	call := &s.model.calls[g.call()]
	if r, done := g.result(); done {
		must := call.texts[r]
		out.Done = &must
		return out
	}
	for mask := g.justified(); mask != 0; mask &= mask - 1 {
		out.Right = append(out.Right, call.texts[call.pure[bits.TrailingZeros64(mask)]])
	}
	slices.Sort(out.Right)
	return out
}

// tagWord is the index of the tag among a thread's words in a saved state.
const tagWord = 1

// certificateOf is the text of the certificate of a proof. needed are its lemmas; nil if none were looked for.
func certificateOf(s *search, needed *written) ([]byte, error) {
	var text bytes.Buffer
	c := s.certify()
	if needed != nil {
		needed.certify(c)
	}
	err := c.Write(&text)
	return text.Bytes(), err
}

// check checks the text of a certificate for a collection: package pairs checks the table, and the lemmas are checked
// by a proof in which only they restrain other threads. If draw is not nil the views are written there for people. An
// error says why nothing could be checked; that the certificate does not hold is in the result.
func check(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	x, err := pairs.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	began := time.Now()
	out := &verdict.Checked{Views: len(x.Views)}
	c, err := pairs.New(s, x)
	if err == nil {
		out.Limits, out.Races, out.Progress = c.Bounds().Scope().Limits, x.Head.Races, x.Head.Progress
		if draw != nil {
			if err := c.Draw(draw); err != nil {
				return nil, err
			}
		}
		if err = c.Check(ctx); err == nil && len(x.Lemmas) > 0 {
			out.Lemmas, err = holdLemmas(ctx, s, x)
		}
	}
	out.Seconds = time.Since(began).Seconds()
	return file.Conclude(out, err)
}
