// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Stat is a summary of a directory.
type Stat struct {
	Results int
	Bytes   int64 // bytes of results and conflicts
	// Checkpoints is how many there are, and Saved their bytes.
	Checkpoints int
	Saved       int64
	Oldest      time.Time // the earliest last use of a result; zero if there are no results
	Conflicts   []string  // files with results that differ from the first one under their key, sorted
	Damaged     []string  // files that are no sound results, sorted; only Check looks for them
}

// kept is a file in the directory.
type kept struct {
	path string
	size int64
	used time.Time
}

// Stat counts results, without reading them.
func (d *Dir) Stat() (Stat, error) {
	files, err := d.files()
	return counted(files), err
}

func counted(files []kept) (s Stat) {
	for _, f := range files {
		if strings.HasSuffix(f.path, checkpoint) {
			s.Checkpoints, s.Saved = s.Checkpoints+1, s.Saved+f.size
			continue
		}
		s.Bytes += f.size
		switch {
		case strings.HasSuffix(f.path, conflicts):
			s.Conflicts = append(s.Conflicts, f.path)
		case strings.HasSuffix(f.path, suffix):
			s.Results++
			if s.Oldest.IsZero() || f.used.Before(s.Oldest) {
				s.Oldest = f.used
			}
		}
	}
	slices.Sort(s.Conflicts)
	return s
}

// Check reads every result, and says which files are damaged.
func (d *Dir) Check() (Stat, error) {
	files, err := d.files()
	s := counted(files)
	for _, f := range files {
		var err error
		if key, number, ok := ofCheckpoint(f.path); ok {
			var c *Checkpoint
			if c, err = d.Resume(key, number); err == nil {
				err = c.Close()
			}
		} else if key, ok := strings.CutSuffix(filepath.Base(f.path), suffix); ok {
			_, err = read(f.path, key)
		}
		if err != nil && exists(f.path) {
			s.Damaged = append(s.Damaged, f.path)
		}
	}
	slices.Sort(s.Damaged)
	return s, err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// files lists the files of results, conflicts, checkpoints and notes. What another process removes
// meanwhile is left out.
func (d *Dir) files() (list []kept, err error) {
	err = filepath.WalkDir(d.path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir() && path == filepath.Join(d.path, writing):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains([]string{suffix, conflicts, checkpoint, note}, filepath.Ext(path)):
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			list = append(list, kept{path, info.Size(), info.ModTime()})
		}
		return err
	})
	return list, err
}

// Clean removes all results and checkpoints, conflicts and the log included. The directory stays,
// because another process may use it.
func (d *Dir) Clean() error {
	files, err := d.files()
	for _, f := range files {
		err = errors.Join(err, remove(f.path))
	}
	for _, file := range d.logs() {
		err = errors.Join(err, remove(file))
	}
	return errors.Join(err, d.abandoned(0))
}

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// longestWriting is how old a file may be that some process is still writing.
const longestWriting = time.Hour

// abandoned removes temporary files and signs of life of this age: their processes were killed.
func (d *Dir) abandoned(age time.Duration) (err error) {
	for dir, old := range map[string]time.Duration{writing: age, alive: max(age, longestWriting)} {
		entries, failed := os.ReadDir(filepath.Join(d.path, dir))
		if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		for _, e := range entries {
			if info, failed := e.Info(); failed == nil && time.Since(info.ModTime()) >= old {
				err = errors.Join(err, remove(filepath.Join(d.path, dir, e.Name())))
			}
		}
	}
	return err
}

// Limit is how many bytes the results of a directory may have together before some are removed.
const Limit = 1 << 30

// trimAgain is how long Tidy waits before it looks through the directory again.
const trimAgain = time.Hour

// Tidy is Trim, unless the directory was trimmed within the last hour. It is called after results
// were put.
func (d *Dir) Tidy(limit int64) error {
	mark := filepath.Join(d.path, trimmedAt)
	if info, err := os.Stat(mark); err == nil && time.Since(info.ModTime()) < trimAgain {
		return nil
	}
	if err := os.WriteFile(mark, nil, 0o666); err != nil {
		return err
	}
	return d.Trim(limit)
}

// Trim removes results until all of them together have at most limit bytes: those first that were
// not used for the longest time. Conflicts stay, since somebody has to look at them; Clean removes
// them. Of checkpoints the oldest are removed likewise, beyond CheckpointLimit.
func (d *Dir) Trim(limit int64) error {
	err := d.abandoned(longestWriting)
	files, failed := d.files()
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	now := counted(files)
	total, saved := now.Bytes, now.Saved
	slices.SortFunc(files, func(a, b kept) int { return a.used.Compare(b.used) })
	for _, f := range files {
		of, most := &total, limit
		if strings.HasSuffix(f.path, checkpoint) {
			of, most = &saved, CheckpointLimit
		}
		if *of <= most || strings.HasSuffix(f.path, conflicts) {
			continue
		}
		if err := remove(f.path); err != nil {
			return err
		}
		*of -= f.size
	}
	return nil
}
