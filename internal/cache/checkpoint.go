// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// Checkpoints: searches that have been interrupted, or may be, beside the results. A checkpoint
// belongs to a key and has a number; it is replaced by later ones of the same search, and removed
// when the result is there. It is a file with its key, number and a digest of all that inside,
// which Resume checks before anybody reads it. Unlike a result it is forced to the disk, because it
// is large, rarely written and meant for the case that something goes wrong.

// CheckpointLimit is how many bytes all checkpoints of a directory may have together, before those
// that are oldest are removed.
const CheckpointLimit = 4 << 30

const (
	checkpoint      = ".checkpoint"
	checkpointMagic = "pangolin-checkpoint-1"
	trailer         = 24 // bytes behind the content: its length, and a digest of all before
)

// ErrLarge says that a checkpoint would have more than CheckpointLimit bytes.
var ErrLarge = fmt.Errorf("it would have more than %d MiB", CheckpointLimit>>20)

// saved is the name of the file of a checkpoint.
func (d *Dir) saved(key string, number int) string {
	return filepath.Join(d.path, key[:2], fmt.Sprintf("%s-%d%s", key, number, checkpoint))
}

// head is the beginning of the file of a checkpoint.
func head(key string, number int) string {
	return fmt.Sprintf("%s %s %d\n", checkpointMagic, key, number)
}

// bounded is a writer that fails after so many bytes.
type bounded struct {
	w    io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, ErrLarge
	}
	return b.w.Write(p)
}

// Save writes a checkpoint in place of the one that is there, whole or not at all.
func (d *Dir) Save(key string, number int, write func(io.Writer) error) (err error) {
	if err := valid(key); err != nil {
		return err
	}
	file := d.saved(key, number)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(d.path, writing), "")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	h := xxh3.New()
	content := &bounded{io.MultiWriter(f, h), CheckpointLimit}
	start := head(key, number)
	_, err = io.WriteString(content, start)
	if err == nil {
		err = write(content)
	}
	if err == nil {
		end := binary.LittleEndian.AppendUint64(nil, uint64(CheckpointLimit-content.left))
		_, _ = h.Write(end)
		sum := h.Sum128().Bytes()
		_, err = f.Write(append(end, sum[:]...))
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return synced(filepath.Dir(file))
}

// synced forces the names in a directory to the disk.
func synced(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, os.ErrInvalid) { // some file systems cannot
		return err
	}
	return nil
}

// Checkpoint is an open checkpoint, to be read and closed.
type Checkpoint struct {
	*io.SectionReader // the content
	Written           time.Time
	file              *os.File
}

// Close ends reading.
func (c *Checkpoint) Close() error { return c.file.Close() }

// Resume opens a checkpoint; ErrNone if there is none. What is damaged is ErrNone as well, with the
// reason.
func (d *Dir) Resume(key string, number int) (*Checkpoint, error) {
	if err := valid(key); err != nil {
		return nil, err
	}
	f, err := os.Open(d.saved(key, number))
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	c, err := sound(f, head(key, number))
	if err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

// sound checks the whole file of a checkpoint, which must begin with start, and returns its
// content.
func sound(f *os.File, start string) (*Checkpoint, error) {
	damaged := fmt.Errorf("%w: %s is damaged", ErrNone, f.Name())
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	content := info.Size() - trailer
	if content < int64(len(start)) {
		return nil, damaged
	}
	h := xxh3.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, content+8)); err != nil {
		return nil, err
	}
	var end [trailer]byte
	begin := make([]byte, len(start))
	_, err = f.ReadAt(end[:], content)
	_, failed := f.ReadAt(begin, 0)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	sum := h.Sum128().Bytes()
	if string(begin) != start || binary.LittleEndian.Uint64(end[:]) != uint64(content) || string(end[8:]) != string(sum[:]) {
		return nil, damaged
	}
	return &Checkpoint{io.NewSectionReader(f, int64(len(start)), content-int64(len(start))), info.ModTime(), f}, nil
}

// Saved lists the numbers of a key's checkpoints.
func (d *Dir) Saved(key string) (numbers []int) {
	if valid(key) != nil {
		return nil
	}
	files, _ := fs.Glob(os.DirFS(filepath.Join(d.path, key[:2])), key+"-*"+checkpoint)
	for _, file := range files {
		if k, n, ok := ofCheckpoint(file); ok && k == key {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// ofCheckpoint extracts key and number from the name of a checkpoint's file.
func ofCheckpoint(file string) (key string, number int, ok bool) {
	name, ok := strings.CutSuffix(filepath.Base(file), checkpoint)
	if !ok {
		return "", 0, false
	}
	n, err := fmt.Sscanf(strings.ReplaceAll(name, "-", " "), "%s %d", &key, &number)
	return key, number, err == nil && n == 2
}

// Discard removes all checkpoints of a key.
func (d *Dir) Discard(key string) (err error) {
	for _, n := range d.Saved(key) {
		err = errors.Join(err, remove(d.saved(key, n)))
	}
	return err
}
