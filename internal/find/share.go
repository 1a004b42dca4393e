// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"

	"pangolin/internal/front"
)

// Answers are answers of the go command, shared by all queries within their contexts. The files and
// imports of packages must not change meanwhile.
type Answers struct{ shared context.Context }

// NewAnswers makes an empty set of answers.
func NewAnswers() *Answers { return &Answers{front.Share(context.Background())} }

// Within returns ctx with the answers.
func (a *Answers) Within(ctx context.Context) context.Context { return answering{ctx, a.shared} }

// answering is a context with the values of two contexts.
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
