"""The package's build backend: setuptools, with the kernels compiled by Cython's pure-Python mode.

These environment variables control a build:

``AASCOMPILE_CHECKED=1``  compiles with bounds, wraparound and overflow checks, for the second run of the tests.
``AASCOMPILE_SANITIZED=1``  compiles with gcc's address and undefined-behaviour sanitizers, for the fuzzer.
``AASCOMPILE_JOBS=N``     number of compilers run at once (default: the number of cores).
"""

from __future__ import annotations

import os
import shutil
import sysconfig
import warnings
from pathlib import Path
from typing import Any

from setuptools import Extension
from setuptools.build_meta import *  # noqa: F403
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

# The one entry in pyproject.toml tells setuptools that there is something to compile; kernels() finds the rest.
warnings.filterwarnings("ignore", message=".*ext-modules.*experimental.*")

# The same bytes on every machine: no -march=native, no fast-math, no fused multiply-add.
OPTIMISED = ["-O2", "-g0", "-ffp-contract=off", "-fno-math-errno", "-w"]
CHECKED = ["-O1", "-g0", "-ffp-contract=off", "-w"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
SANITIZED = ["-O1", "-g1", "-fno-omit-frame-pointer", "-ffp-contract=off", "-w", *SANITIZERS]
MSVC = ["/O2", "/fp:precise", "/w"]

OLDEST = "0x030B0000"
"""Python 3.11, the oldest version that kernels run on. They use only what every later version keeps (the limited API),
so that a wheel serves all versions. Compiles take the same processor time as with the whole API, within 2 %."""

SHARED = "aascompile.memoryviews"
"""Module with Cython's own code for memoryviews. Without it, every kernel would compile that code again."""


def is_checked() -> bool:
    """Whether this is the build with bounds checks, on which the tests run a second time."""
    return os.environ.get("AASCOMPILE_CHECKED", "") not in ("", "0")


def is_sanitized() -> bool:
    """Whether this is the build with sanitizers. It has no bounds checks: the sanitizer must find what they would."""
    return os.environ.get("AASCOMPILE_SANITIZED", "") not in ("", "0")


def is_limited() -> bool:
    """Whether kernels are built for all versions of Python. Free-threaded versions do not support that yet."""
    return not sysconfig.get_config_var("Py_GIL_DISABLED")


def directives() -> dict[str, object]:
    """Cython's directives for every kernel."""
    checked = is_checked()
    return {
        "language_level": "3",
        "boundscheck": checked,
        "wraparound": False,
        "initializedcheck": checked,
        "cdivision": True,
        "embedsignature": False,
        "binding": True,
        "show_performance_hints": False,
        "freethreading_compatible": True,  # kernels share nothing but what they are given
    }


def require_compiler() -> None:
    """Exit with a one-sentence message if no C compiler can be run."""
    configured = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    command = configured.split()[0]
    if os.name != "nt" and shutil.which(command) is None:
        raise SystemExit(
            f"aascompile: its kernels need a C compiler, and '{command}' was not found: "
            "install gcc or clang (on Debian: apt-get install gcc), or set CC."
        )


def kernels() -> list[Any]:
    """Extension modules: one for every ``*_kernel.py`` of the package."""
    found = sorted(Path("aascompile").rglob("*_kernel.py"))
    found_kernels = [Extension(".".join(path.with_suffix("").parts), [path.as_posix()]) for path in found]
    return [Extension(SHARED, []), *found_kernels]


def shared_code(folder: str) -> str:
    """Write the C file of the shared module, unless this Cython version already has, and return its path."""
    import subprocess
    import sys
    from importlib.metadata import version

    path = Path(folder) / f"memoryviews-{version('cython')}" / "memoryviews.c"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={path}"], check=True)
    return path.as_posix()


class BuildKernels(build_ext):  # type: ignore[misc]  # setuptools' class is untyped
    """Cythonise the kernels into build/, then compile them in parallel."""

    def finalize_options(self) -> None:
        self.distribution.ext_modules = kernels()
        super().finalize_options()
        self.parallel = int(os.environ.get("AASCOMPILE_JOBS") or os.cpu_count() or 1)

    def build_extensions(self) -> None:
        require_compiler()
        from Cython.Build import cythonize

        flavour = "checked" if is_checked() else "sanitized" if is_sanitized() else "optimised"
        folder = os.path.join("build", f"cython-{flavour}")
        compiled = cythonize(  # type: ignore[no-untyped-call]
            [extension for extension in self.extensions if extension.name != SHARED],
            build_dir=folder,
            shared_utility_qualified_name=SHARED,
            nthreads=self.parallel,
            compiler_directives=directives(),
            quiet=True,
            annotate=bool(os.environ.get("AASCOMPILE_ANNOTATE")),
        )
        made = {result.name: result for result in compiled}
        options = {"checked": CHECKED, "sanitized": SANITIZED, "optimised": OPTIMISED}
        for extension in self.extensions:
            if extension.name == SHARED:
                extension.sources = [shared_code(folder)]
            else:
                extension.sources = made[extension.name].sources
                extension.depends = made[extension.name].depends
            extension.extra_compile_args = options[flavour] if os.name != "nt" else MSVC
            extension.extra_link_args = SANITIZERS if flavour == "sanitized" else []
            if is_limited():
                extension.py_limited_api = True
                extension.define_macros = [("Py_LIMITED_API", OLDEST)]
        super().build_extensions()


class BuildWheel(bdist_wheel):  # type: ignore[misc]  # setuptools' class is untyped
    """Name the wheel after the versions of Python that it serves."""

    def finalize_options(self) -> None:
        if is_limited():
            self.py_limited_api = "cp311"
        super().finalize_options()


def remove_stale() -> None:
    """Delete kernels beside their sources that Python would import instead of those to be built.

    Python prefers kernels that were built for its own version, which older builds made.
    """
    own = str(sysconfig.get_config_var("EXT_SUFFIX"))
    for path in Path("aascompile").rglob("*"):
        made = path.suffix in (".so", ".pyd")
        if made and path.name.endswith(own) == is_limited():
            path.unlink()


def main() -> None:
    """Build the kernels beside their sources; with --checked or --sanitized the whole package into build/…"""
    import sys

    from setuptools import setup

    here = os.path.dirname(os.path.abspath(__file__))
    os.chdir(os.path.dirname(os.path.dirname(here)))
    sys.path.insert(0, here)
    command = ["-q", "build_ext", "--inplace", "--build-temp", "build/temp-optimised"]
    for flavour in ("checked", "sanitized"):
        if f"--{flavour}" in sys.argv[1:]:
            os.environ[f"AASCOMPILE_{flavour.upper()}"] = "1"
            command = ["-q", "build", "--build-lib", f"build/{flavour}", "--build-temp", f"build/temp-{flavour}"]
    if "--inplace" in command:
        remove_stale()
    sys.argv = ["kernel_build", *command]
    from Cython.Compiler.Errors import CompileError

    try:
        setup()
    except CompileError as error:
        raise SystemExit(f"aascompile: {error} does not compile") from None


if __name__ == "__main__":
    main()
