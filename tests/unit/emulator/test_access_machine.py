"""The compiler's own list of accesses, and when a line agrees with it."""

from __future__ import annotations

from plugins.emulator.access.exact import Key, LineUse, SiteUse, why_not_exact
from plugins.emulator.access.machine import Machine
from plugins.emulator.access.ptx import MachineAccess, entries, read_ptx
from plugins.emulator.access.sass import read_sass
from workbench.plugin_api import Message

PTX = """
.visible .entry scale(
	.param .u64 scale_param_0
)
{
	.loc	1 3 5
	ld.param.u64 	%rd1, [scale_param_0];
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd4];
$L__BB0_2:
	.loc	2 90 3, function_name $L__info_string0, inlined_at 1 5 9
	@%p1 ld.shared.u8 	%rs1, [%r2];
	st.global.b16 	[%rd5], %rs1;
	{ // callseq 0, 0
	call.uni (retval0),
	helper,
	(
	param0
	);
	}
	@%p2 bra 	$L__BB0_2;
	.loc	1 8 1
	atom.global.add.u32 	%r5, [%rd7], 1;
	ret;
}
.func  (.param .b32 func_retval0) helper(
	.param .b64 helper_param_0
)
{
	.loc	1 12 1
	ld.f32 	%f5, [%rd9];
	ret;
}
.visible .entry other()
{
	.loc	1 30 1
	st.shared.f64 	[%r1], %fd1;
}
	.file	1 "/somewhere/kernel.cu"
	.file	2 "/usr/include/helper.h"
"""

SASS = """
	.section	.text.scale,"ax",@progbits
.text.scale:
	//## File "/somewhere/kernel.cu", line 3
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
.L_x_1:
	//## File "/usr/include/helper.h", line 90 inlined at "/somewhere/kernel.cu", line 5
	//## File "/somewhere/kernel.cu", line 5
        /*0010*/              @!P0 LDS.U8 R5, [R7] ;
        /*0020*/              @P1  BRA `(.L_x_1) ;
	//## File "/somewhere/kernel.cu", line 8
        /*0030*/                   REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7 ;
	.section	.text.other,"ax",@progbits
        /*0000*/                   STS.64 [R1], R2 ;
"""


def test_ptx_gives_line_space_kind_width_and_loops_also_of_called_functions() -> None:
    assert read_ptx(PTX, "scale", "kernel.cu") == [
        MachineAccess(3, "global", "read", 16, 0),
        MachineAccess(5, "shared", "read", 1, 1),
        MachineAccess(5, "global", "write", 2, 1),
        MachineAccess(8, "global", "atomic", 4, 0),
        MachineAccess(12, None, "read", 4, 0),
    ]
    assert entries(PTX) == ["scale", "other"]


def test_sass_gives_the_same_and_the_innermost_line_of_the_source() -> None:
    assert read_sass(SASS, "scale", "kernel.cu") == [
        MachineAccess(3, "global", "read", 16, 0),
        MachineAccess(5, "shared", "read", 1, 1),
        MachineAccess(8, "global", "atomic", 4, 0),
    ]


KEY: Key = (5, "global", "read")


def _read(width: int = 4, depth: int = 0, line: int = 5) -> MachineAccess:
    return MachineAccess(line, "global", "read", width, depth)


def _why(ptx: list[MachineAccess], sites: list[SiteUse], most: int, sass: list[MachineAccess] | None = None) -> str:
    machine = Machine("a list", tuple(ptx), tuple(ptx if sass is None else sass))
    reason: Message | None = why_not_exact(KEY, LineUse(sites, {site.width: most for site in sites}), machine)
    return "" if reason is None else str(reason)


def test_one_access_on_both_sides_is_exact() -> None:
    assert _why([_read()], [SiteUse(4, 100, True, ())], 1) == ""


def test_a_fully_unrolled_loop_is_exact_where_the_numbers_agree() -> None:
    assert _why([_read()] * 9, [SiteUse(4, 100, True, (1.0,))], 9) == ""
    assert "A thread makes 9 accesses of this width here and the compiler's code has 4" in _why(
        [_read()] * 4, [SiteUse(4, 100, True, (1.0,))], 9
    )


def test_a_load_that_the_compiler_moved_out_of_its_loop_is_not_exact() -> None:
    assert _why([_read(depth=0)], [SiteUse(4, 100, True, (1.0,))], 16) != ""
    assert _why([_read(depth=1)], [SiteUse(4, 100, True, (16.0, 1.0))], 64) != ""


def test_a_partly_unrolled_loop_is_exact_only_where_lanes_stay_together() -> None:
    assert _why([_read(depth=1)] * 5, [SiteUse(4, 100, True, (1.0,))], 9) == ""
    assert "unrolled" in _why([_read(depth=1)] * 5, [SiteUse(4, 100, False, (1.0,))], 9)


def test_an_inner_loop_that_is_gone_is_counted_by_its_turns() -> None:
    assert _why([_read(depth=1)] * 8, [SiteUse(4, 100, True, (8.0, 1.0))], 32) == ""


def test_other_widths_are_not_exact() -> None:
    assert "16 bytes at a time here and the source 4" in _why([_read(16)], [SiteUse(4, 100, True, ())], 4)


def test_what_only_the_assembler_changed_is_said() -> None:
    reason = _why([_read()] * 2, [SiteUse(4, 100, True, ())], 2, sass=[_read(8)])
    assert (
        reason
        == "The assembler changed the accesses of this line: PTX has 2 × 32 bit, SASS 1 × 64 bit. Other versions of it may not."
    )


def test_an_access_that_the_compiler_does_not_have_is_said() -> None:
    assert "has no such access at this line" in _why([], [SiteUse(4, 100, True, ())], 1)
