"""Three shorter ways through numba: inner kernels without machine code, arrays not counted, calls typed once.

By itself numba optimises an inner kernel to the end and emits machine code that nobody calls. A kernel that
calls it takes in the optimised one, optimises all of it once more, and emits it again. Without the first
round, the kernels of all back-ends take 135 s of processor time to compile instead of 199 s, and the first
evaluation on a machine takes 18 s instead of 29 s (``continuum-statics``) or 35 s instead of 39 s
(``hybrid-cable-robot``). Results are the same to the bit.

numba counts the references to each array in each kernel, and runs LLVM twice to take most of the counting
away again. A kernel that makes no array needs no counts: without them, the first evaluation of
``flexible-arm`` takes 16.8 s of processor time instead of 18.3 s. Results are the same to the bit.

For the type of each ``a * b``, numba tries some dozen of templates, twice. Most of these calls have been
typed before: with their types remembered, the kernels of ``flexible-arm`` take 15 s instead of 18 s.

numba has no options for these. What is used here belongs to the versions in :data:`KNOWN`; others compile
kernels in their own way.
"""

from typing import Any, Literal, cast

import numba
from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import NativeLowering

KNOWN = ("0.68.",)
IS_KNOWN = numba.__version__.startswith(KNOWN)


class _InnerLibrary(JITCodeLibrary):
    """LLVM's code of an inner kernel, for other kernels to take in."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel that takes it in."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """Machine code of an entry that counts no references."""

    def _optimize_final_module(self) -> None:
        """Optimise once: there are no counts to take away in between."""
        manager, builder = self._codegen._module_pass_manager()  # noqa: SLF001 - numba has no other way
        manager.run(self._final_module, builder)


_READING = (
    *("getattr", "getitem", "static_getitem", "getiter", "iternext", "pair_first", "pair_second"),
    *("exhaust_iter", "build_tuple", "cast", "phi"),
)


def _makes_arrays(state: Any) -> bool:
    """True if a kernel allocates arrays, gets them from a call, or returns them."""
    model_of, types_of = state.targetctx.data_model_manager, state.typemap

    def held(variable: ir.Var) -> bool:
        return bool(model_of[types_of[variable.name]].contains_nrt_meminfo())

    lines = [line for block in state.func_ir.blocks.values() for line in block.find_insts(ir.Assign)]
    made = [line for line in lines if isinstance(line.value, ir.Expr) and held(line.target)]
    return model_of[state.return_type].contains_nrt_meminfo() or any(
        line.value.op not in _READING or (line.value.op == "getitem" and held(line.value.index))
        for line in made
    )


def _stop_counting(state: Any) -> bool:
    """Count no references to arrays in a kernel that makes none; True if so."""
    state.flags.nrt = state.targetctx.enable_nrt = _makes_arrays(state)
    return not state.flags.nrt


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    """numba's last pass, without counts of references where there need be none."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> Literal[True]:
        if _stop_counting(state):
            state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        super().run_pass(state)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """numba's last pass, without machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> Literal[True]:
        _stop_counting(state)
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # numba knows a compiled kernel by the function that Python would call; this one refuses each call.
        refuse = [].index
        state.targetctx.insert_user_function(refuse, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=refuse)
        return True


class _EntryCompiler(CompilerBase):
    """numba's own passes but for the last."""

    lowering: type[NativeLowering] = _EntryLowering

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, description)
            for step, description in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


class _InnerCompiler(_EntryCompiler):
    """The same for inner kernels."""

    lowering = _InnerLowering


def options_of(*, inner: bool) -> dict[str, Any]:
    """Options of ``numba.njit`` for an entry or an inner kernel; none with other versions of numba."""
    return {"pipeline_class": _InnerCompiler if inner else _EntryCompiler} if IS_KNOWN else {}


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
    if IS_KNOWN:
        cast("Any", types.Function).get_call_type = _signature
