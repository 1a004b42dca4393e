// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"sync"

	"pangolin/internal/vm"
)

// texts are those that executions of a subject have made, for people who read a verdict: a result that is a text is a hash of it there.
type texts struct {
	mu   sync.Mutex
	made []func() []string // one for each image
}

// Image is the subject's program ready to be executed. The texts that its executions make can be found.
func (s *Subject) Image() (*vm.Image, error) {
	img, err := vm.NewImage(s.Prog)
	if err == nil {
		s.texts.add(img)
	}
	return img, err
}

func (t *texts) add(img *vm.Image) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made = append(t.made, img.Strings.All)
}

// find is a collection.Texts.
func (t *texts) find(is func(text string) bool) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, all := range t.made {
		for _, s := range all() {
			if is(s) {
				return s, true
			}
		}
	}
	return "", false
}
