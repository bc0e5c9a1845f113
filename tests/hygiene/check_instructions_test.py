#!/usr/bin/env python3
"""Tests that check_instructions.py finds each kind of problem, and none in correct code.

usage: check_instructions_test.py OBJDUMP FUSED_OBJECT
FUSED_OBJECT is compiled with contraction on, which the project forbids (tests/hygiene/fused_sample.c).
"""
import sys
import unittest

import check_instructions

X86 = "a.o:     file format elf64-x86-64\n\n0000000000000000 <f>:\n"
ARM = "a.o:     file format elf64-littleaarch64\n\n0000000000000000 <f>:\n"
GOOD_X86 = ["mulss  %xmm1,%xmm0", "addps  %xmm1,%xmm0", "vsqrtps %ymm0,%ymm0", "sqrtss %xmm0,%xmm0",
            "fldcw  0x2(%rsp)", "fnstcw (%rsp)", "fldt   (%rsp)", "divss  %xmm1,%xmm0", "ret"]
BAD_X86 = ["vfmadd213ss %xmm2,%xmm1,%xmm0", "vfnmsub231pd %ymm2,%ymm1,%ymm0",
           "vfmaddsub132ps %ymm2,%ymm1,%ymm0", "vfmaddps %xmm2,%xmm1,%xmm0,%xmm3",
           "rsqrtps %xmm0,%xmm0", "vrsqrtss %xmm0,%xmm0,%xmm0", "rcpss  %xmm0,%xmm0",
           "vrcp14ps %ymm0,%ymm0", "faddp  %st,%st(1)", "fmull  (%rsp)", "fsqrt", "fsin"]
GOOD_ARM = ["fmul\ts0, s0, s1", "fadd\tv0.4s, v0.4s, v1.4s", "fsqrt\ts0, s0", "fdiv\td0, d0, d1",
            "madd\tx0, x1, x2, x3", "mla\tv0.4s, v1.4s, v2.4s", "fnmul\ts0, s1, s2", "ret"]
BAD_ARM = ["fmadd\ts0, s1, s2, s3", "fnmsub\td0, d1, d2, d3", "fmla\tv0.4s, v1.4s, v2.4s",
           "fmls\tv0.4s, v1.4s, v2.s[0]", "frsqrte\tv0.4s, v1.4s", "frecps\ts0, s1, s2",
           "frecpx\ts0, s1", "ursqrte\tv0.4s, v1.4s"]


def problems(header, instruction):
    count, found = check_instructions.find_problems(f"{header}   4:\t{instruction}\n")
    assert count == 1, instruction
    return found


class Instructions(unittest.TestCase):
    def test_finds_each_banned_instruction(self):
        for header, instructions in ((X86, BAD_X86), (ARM, BAD_ARM)):
            for instruction in instructions:
                self.assertEqual(len(problems(header, instruction)), 1, instruction)

    def test_accepts_other_instructions(self):
        for header, instructions in ((X86, GOOD_X86), (ARM, GOOD_ARM)):
            for instruction in instructions:
                self.assertEqual(problems(header, instruction), [], instruction)

    def test_finds_calls_of_inexact_libm_functions(self):
        symbols = "0000000000000000         *UND*\t0000000000000000 {}\n"
        for name, count in (("sinf", 1), ("fma", 1), ("pow", 1), ("sqrtf", 0), ("sincos_of", 0)):
            found = check_instructions.find_problems(X86 + symbols.format(name))[1]
            self.assertEqual(len(found), count, name)

    def test_finds_a_fused_multiply_add_in_compiled_code(self):
        count, found = check_instructions.check(OBJDUMP, FUSED_OBJECT)
        self.assertGreater(count, 0)
        self.assertTrue(any("fused multiply-add" in line for line in found), found)


if __name__ == "__main__":
    FUSED_OBJECT, OBJDUMP = sys.argv.pop(), sys.argv.pop()
    unittest.main()
