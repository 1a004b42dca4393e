#include "textflag.h"

// func add(a, b int) int
TEXT ·add(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	ADDQ b+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET

// func addTo(a *int, b int) int
TEXT ·addTo(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), BX
	MOVQ b+8(FP), AX
	LOCK
	XADDQ AX, (BX)
	MOVQ AX, ret+16(FP)
	RET
