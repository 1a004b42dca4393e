// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"sync"

	"pangolin/internal/vm"
)

// texts finds strings that executions of a subject have made. A verdict contains only a hash of a returned string, and shows the string
// itself to readers.
type texts struct {
	mu   sync.Mutex
	made []func() []string // one for each image
}

// Image compiles the subject's program for execution, and registers it so that its strings can be found.
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

// find implements collection.Texts.
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
