// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The log: lines that processes append while they use the directory, for people who want to see
// what was computed when. No result depends on it. What a line says is up to the caller.
//
// Append opens the file to append and writes all lines with one call, which no other such write
// gets into. A process that is killed may leave part of a line, so every write begins with a
// newline: at most that line is lost, which a reader notices as it has no proper form. A file that
// is large is renamed, and a new one begins; a process that has the old one open writes into that,
// which is read as well.

const (
	logFile  = "log"
	logLimit = 16 << 20 // Dir.LogLimit of a directory that is opened
	oldLogs  = 3        // number of renamed files that are kept
)

// Append appends lines to the log. A line contains no newline.
func (d *Dir) Append(lines ...[]byte) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(d.path, logFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	text := append([]byte("\n"), bytes.Join(lines, []byte("\n"))...)
	_, err = f.Write(append(text, '\n'))
	info, failed := f.Stat()
	if err = errors.Join(err, failed, f.Close()); err != nil || info.Size() < d.LogLimit {
		return err
	}
	return d.turnLog()
}

// turnLog renames the log, and removes the oldest of those that were renamed. Two processes that do
// it at the same time lose nothing: the second one renames the new file, under another name.
func (d *Dir) turnLog() error {
	name := filepath.Join(d.path, logFile)
	err := os.Rename(name, name+"-"+strconv.FormatInt(time.Now().UnixNano(), 10))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	old := d.logs()
	for len(old) > oldLogs+1 {
		if err := remove(old[0]); err != nil {
			return err
		}
		old = old[1:]
	}
	return nil
}

// logs are the files of the log, oldest first. The last one is the file to append to, which may not
// exist yet.
func (d *Dir) logs() []string {
	old, _ := fs.Glob(os.DirFS(d.path), logFile+"-*") // names with times of equal length
	slices.Sort(old)
	old = append(old, logFile)
	for i := range old {
		old[i] = filepath.Join(d.path, old[i])
	}
	return old
}

// Log reads the log while others append to it.
type Log struct {
	dir    *Dir
	old    []string
	file   os.FileInfo // the directory of the file
	offset int64       // offset in it behind the last whole line
}

// Log begins to read the log.
func (d *Dir) Log() *Log { return &Log{dir: d} }

// Next gives the lines that have come since it was last called, all the first time. If files were
// renamed or removed meanwhile it begins again, and says so. A line may be part of one only.
func (l *Log) Next() (lines [][]byte, again bool, err error) {
	files := l.dir.logs()
	old, name := files[:len(files)-1], files[len(files)-1]
	info, err := os.Stat(name)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return nil, false, err
	case l.file != nil && slices.Equal(old, l.old) && err == nil && os.SameFile(info, l.file) && info.Size() >= l.offset:
	case l.file == nil && l.old == nil && err != nil && len(old) == 0: // there is no log
		return nil, false, nil
	default:
		again, l.old, l.offset, l.file = l.file != nil || l.old != nil, slices.Clone(old), 0, nil
		for _, file := range old {
			more, _, err := linesOf(file, 0)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, false, err
			}
			lines = append(lines, more...)
		}
	}
	if info == nil || info.Size() == l.offset {
		l.file = info
		return lines, again, nil
	}
	more, end, err := linesOf(name, l.offset)
	if errors.Is(err, os.ErrNotExist) { // renamed meanwhile; the next call will find it
		return lines, again, nil
	}
	l.file, l.offset = info, end
	return append(lines, more...), again, err
}

// linesOf returns the whole lines of a file from an offset on, and the offset behind the last one.
func linesOf(name string, from int64) (lines [][]byte, end int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, from, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, from, logLimit*4))
	if err != nil {
		return nil, from, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	for line := range bytes.Lines(text[:whole]) {
		if line = bytes.TrimRight(line, "\n"); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines, from + int64(whole), nil
}

// Notes: small texts under keys that may be overwritten and lost at any time. They hold what is
// cheap to find out again, and are no results.
const note = ".note"

// Note gives the text of a note; "": there is none.
func (d *Dir) Note(key string) string {
	if valid(key) != nil {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(d.path, key[:2], key+note))
	if err != nil {
		return ""
	}
	return string(text)
}

// SetNote writes a note, in place of the one that is there.
func (d *Dir) SetNote(key, text string) error {
	if err := valid(key); err != nil {
		return err
	}
	file := filepath.Join(d.path, key[:2], key+note)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return d.replace(file, []byte(text))
}

// replace writes a file whole, in place of the one that is there.
func (d *Dir) replace(file string, text []byte) error {
	return d.write(text, func(written string) error { return os.Rename(written, file) })
}

// Signs of life: a file for each process that is at work, rewritten again and again. A process that
// has not written for longer than Silent was killed.
const (
	alive  = "running"
	Silent = 10 * time.Second
)

// Sign is the file of a process.
type Sign struct {
	dir  *Dir
	path string
}

// Sign makes a sign of life; nothing is written yet.
func (d *Dir) Sign() *Sign {
	name := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	return &Sign{d, filepath.Join(d.path, alive, name)}
}

// Show writes what the process does.
func (s *Sign) Show(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return err
	}
	return s.dir.replace(s.path, text)
}

// Gone removes the file.
func (s *Sign) Gone() error { return remove(s.path) }

// Running returns what the processes at work have written last, in the order of their files' names.
func (d *Dir) Running() (texts [][]byte, err error) {
	entries, err := os.ReadDir(filepath.Join(d.path, alive))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		info, failed := e.Info()
		if failed != nil || strings.HasPrefix(e.Name(), ".") || time.Since(info.ModTime()) > Silent {
			continue
		}
		if text, failed := os.ReadFile(filepath.Join(d.path, alive, e.Name())); failed == nil {
			texts = append(texts, text)
		}
	}
	return texts, err
}
