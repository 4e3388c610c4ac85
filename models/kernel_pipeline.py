"""Two shorter ways through numba: inner kernels without machine code of their own, and calls typed once.

By itself numba optimises an inner kernel to the end and emits machine code that nobody calls. A kernel that
calls it takes in the optimised one, optimises all of it once more, and emits it again. Without the first
round, the kernels of all back-ends take 135 s of processor time to compile instead of 199 s, and the first
evaluation on a machine takes 18 s instead of 29 s (``continuum-statics``) or 35 s instead of 39 s
(``hybrid-cable-robot``). Results are the same to the bit.

For the type of each ``a * b``, numba tries some dozen of templates, twice. Most of these calls have been
typed before: with their types remembered, the kernels of ``flexible-arm`` take 15 s instead of 18 s.

numba has no option for these. What is used here belongs to the versions in :data:`KNOWN`; others compile
kernels in their own way.
"""

from typing import Any, Literal, cast

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.targetconfig import ConfigStack
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


_find_signature = types.Function.get_call_type


def _signature(self: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """The signature of a call of an operator or a function of numba, and where its implementation stands."""
    flags = ConfigStack.top_or_none()
    key = context, args, tuple(kws.items()), flags and flags.summary()
    known = vars(self).setdefault("_known_signatures", {})
    if key not in known:
        found = _find_signature(self, context, args, kws)
        known[key] = found, self._impl_keys[found.args]
    found, self._impl_keys[found.args] = known[key]
    return found


def remember_signatures() -> None:
    """Let numba find the signature of a call with the same types only once."""
    if INNER:
        cast("Any", types.Function).get_call_type = _signature
