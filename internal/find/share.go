// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"

	"pangolin/internal/front"
)

// Answers are what the go command has answered to all that ask it within contexts made of them. Nobody may change which
// files and imports packages have meanwhile.
type Answers struct{ shared context.Context }

// NewAnswers gives none yet.
func NewAnswers() *Answers { return &Answers{front.Share(context.Background())} }

// Within is ctx with the answers.
func (a *Answers) Within(ctx context.Context) context.Context { return answering{ctx, a.shared} }

// answering has the values of two contexts.
type answering struct {
	context.Context
	shared context.Context
}

func (a answering) Value(key any) any {
	if v := a.shared.Value(key); v != nil {
		return v
	}
	return a.Context.Value(key)
}
