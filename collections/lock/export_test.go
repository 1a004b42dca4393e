package lock

// LastTurn identifies the thread that asked last.
func LastTurn(l *FairReentrant) any { return l.last.Load() }

// SPDX-License-Identifier: BSD-3-Clause
