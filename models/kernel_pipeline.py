"""Compilation of inner kernels, without machine code of their own.

By itself numba optimises an inner kernel to the end and emits machine code that nobody calls. A kernel that
calls it takes in the optimised one, optimises all of it once more, and emits it again. Without the first
round, the kernels of all back-ends take 135 s of processor time to compile instead of 199 s, and the first
evaluation on a machine takes 18 s instead of 29 s (``continuum-statics``) or 35 s instead of 39 s
(``hybrid-cable-robot``). Results are the same to the bit.

numba has no option for it. What is used here belongs to the versions in :data:`KNOWN`; others compile inner
kernels in their own way.
"""

from typing import Any, Literal

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

KNOWN = ("0.68.",)


class _InnerLibrary(JITCodeLibrary):
    """LLVM's code of an inner kernel, for other kernels to take in."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel that takes it in."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """numba's last pass, without machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> Literal[True]:
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # numba knows a compiled kernel by the function that Python would call; this one refuses each call.
        refuse = [].index
        state.targetctx.insert_user_function(refuse, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=refuse)
        return True


class _InnerCompiler(CompilerBase):
    """numba's own passes but for the last."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_InnerLowering if step is NativeLowering else step, description)
            for step, description in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


INNER: dict[str, Any] = {"pipeline_class": _InnerCompiler} if numba.__version__.startswith(KNOWN) else {}
"""Options of ``numba.njit`` for an inner kernel."""
