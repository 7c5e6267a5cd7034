"""Damages files of every kind and does everything with them. Each case must give a result or one error.

``make fuzz SEED=1 CASES=20000`` (or ``MINUTES=10``) runs on bounds-checked kernels, with ``SANITIZE=1`` on a build with
address and undefined-behaviour sanitizers. A case depends only on the seed and its number: ``--only N`` repeats it,
``--keep FOLDER`` keeps its file, ``--minimise`` makes that as small as the fault allows. What was found is kept in
``tests/fuzz/found`` and repeated by ``tests/fuzz/test_fuzz.py``.

Workers are processes with a limit on memory and on processor time for each case. The parent notices those that die or
hang.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from tests.fuzz.inputs import ROOT, SAMPLES, Sample, read_samples
from tests.fuzz.mutate import mutate

MEMORY = 1 << 30
"""Bytes of address space of a worker beyond what it has at the start."""
SECONDS = 5
"""Limit in processor time, so that a busy machine finds the same faults as an idle one."""
WHOLE_SECONDS = 20
"""The same limit for a case that compiles or runs every command."""
WHOLE = 8
"""One case in this many is such a case, by default."""
SLOWER = 6
"""By how much the limits of time are raised for kernels with sanitizers."""
STARVED = 20
"""How much longer than its processor time a case may take, on a machine that is busy with other things."""
HANG = 3600
"""Seconds after which the parent kills a worker whose own alarms failed."""
BATCH = 50

WEIGHTS = {
    "bsp": 20, "raven": 6, "quake2": 7, "map": 20, "pk3": 6, "shader": 4, "cfg": 6, "settings": 6, "game": 5,
    "baseline": 6, "hdf": 9, "aas": 7, "links": 6, "model": 5, "cache": 2, "table": 2,
}  # fmt: skip
"""How often each kind of file is damaged."""


class TooSlow(BaseException):
    """The alarm fired. It is a BaseException so that no handler of ordinary errors swallows it."""


class Message(NamedTuple):
    """A worker's report on a case."""

    case: int
    kind: str
    """Kind of file."""
    ends: str
    """"start", "result", "error" or "fault"."""
    text: str = ""
    seconds: float = 0.0
    megabytes: int = 0
    """The worker's peak resident memory so far."""


@dataclass
class Outcome:
    """Results of all cases."""

    done: Counter[str] = field(default_factory=Counter)
    """Cases by kind of file."""
    results: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """AasErrors, by message without numbers."""
    faults: dict[int, str] = field(default_factory=dict)
    """Case → what went wrong."""
    slowest: tuple[float, int] = (0.0, -1)
    megabytes: int = 0
    """Peak resident memory of any worker."""

    def note(self, message: Message) -> None:
        self.done[message.kind] += 1
        self.slowest = max(self.slowest, (message.seconds, message.case))
        self.megabytes = max(self.megabytes, message.megabytes)
        if message.ends == "result":
            self.results += 1
        elif message.ends == "error":
            self.errors[message.text] += 1
        else:
            self.faults[message.case] = message.text


class Case(NamedTuple):
    """A damaged file."""

    sample: Sample
    data: bytes
    choices: Random
    """Decides what is done with it."""


def make_case(samples: list[Sample], seed: int, case: int) -> Case:
    """A case: the same for the same samples, seed and number."""
    rng = Random(f"{seed}:{case}")
    kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    alike = [sample for sample in samples if sample.kind == kind]
    chosen = rng.choice(alike)
    others = [rng.choice(alike).data for _ in range(2)]
    return Case(chosen, mutate(kind, chosen.data, others, rng), rng)


def run_case(act: Callable[[], None], seconds: float) -> tuple[str, str]:
    """Run a case. Return ("result", ""), ("error", its message) or ("fault", what went wrong)."""
    unheard: list[str] = []
    sys.unraisablehook = lambda report: unheard.append(f"{report.exc_value!r} in {report.object}")
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(60 + STARVED * seconds, exit=True)  # a kernel does not hear the alarm
    try:
        ends = end_of(act)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        sys.unraisablehook = sys.__unraisablehook__
    # A kernel that cannot raise goes on after a wrong index; on optimised kernels that would be damaged memory.
    return ("fault", f"an exception was ignored\n{unheard[0]}") if unheard else ends


def end_of(act: Callable[[], None]) -> tuple[str, str]:
    """How a case ends."""
    from aascompile.errors import AasError, CheckError

    try:
        act()
    except CheckError:
        return "fault", shown_traceback()
    except AasError as error:
        text = str(error)
        if "\n" in text or not text:
            return "fault", f"an empty or multi-line error message: {text!r}"
        return "error", "".join("#" if c.isdigit() else c for c in getattr(error, "what", text))[:60]
    except TooSlow:
        return "fault", f"too slow\n{shown_traceback()}"
    except BaseException:
        return "fault", shown_traceback()
    return "result", ""


def shown_traceback() -> str:
    """End of the current exception's traceback, with long lines cut."""
    return "\n".join(line[:300] for line in traceback.format_exc(limit=-6).splitlines())


class Bench:
    """Where cases are run: a folder of intact files, one for damaged files, and limits on this process."""

    def __init__(self, folder: Path, samples: list[Sample]) -> None:
        self.samples = samples
        self.intact, self.damaged = folder / "intact", folder / "damaged"
        self.intact.mkdir()
        for sample in samples:
            (self.intact / sample.name).write_bytes(sample.data)
        for path in SAMPLES.glob("*.bsp"):  # several formats share a name
            shutil.copy(path, self.intact)
        self.slower = SLOWER if is_sanitized() else 1
        self.memory = resource.RLIM_INFINITY
        """Bytes of address space that this process may have while it uses a damaged file."""

    def try_case(self, seed: int, case: int, whole: bool) -> tuple[str, tuple[str, str]]:
        """Make a case and use its file. Return the kind of file, and how that ended."""
        try:
            sample, data, choices = make_case(self.samples, seed, case)
        except Exception:
            return "unmade", ("fault", f"the file could not be made\n{shown_traceback()}")
        return sample.kind, self.try_file(sample, data, choices, whole)

    def try_file(self, sample: Sample, data: bytes, choices: Random, whole: bool) -> tuple[str, str]:
        """Put a damaged file where its intact one would be, and use it."""
        from tests.fuzz.actions import act

        shutil.rmtree(self.damaged, ignore_errors=True)
        self.damaged.mkdir()
        path = self.damaged / sample.name
        path.write_bytes(data)
        seconds = self.slower * (WHOLE_SECONDS if whole else SECONDS)
        with limited_memory(self.memory):
            return run_case(lambda: act(sample.kind, path, choices, whole, self.intact), seconds)

    def warm_up(self) -> None:
        """Use an intact file of each kind, so that everything is imported before memory is limited."""
        for kind in WEIGHTS:
            sample = next(sample for sample in self.samples if sample.kind == kind)
            ends, text = self.try_file(sample, sample.data, Random(0), True)
            if ends == "fault":
                raise RuntimeError(f"an intact file is at fault, {sample.kind} {sample.name}: {text}")

    def limit(self) -> None:
        """Turn warnings into errors, and limit memory. Sanitizers reserve more address space than there is memory.

        What is imported by now is left out of the collections of garbage that follow each batch.
        """
        gc.collect()
        gc.freeze()
        warnings.simplefilter("error")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGPROF, _ring)
        if not is_sanitized():
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            self.memory = used + MEMORY


@contextmanager
def limited_memory(limit: int) -> Iterator[None]:
    """Limit the address space of this process for a while: making a file may take more than using it."""
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _ring(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def is_sanitized() -> bool:
    """Whether this process has the address sanitizer."""
    return "asan" in os.environ.get("LD_PRELOAD", "")


def work(pipe: Connection, folder: Path, seed: int, folder_of_samples: Path, whole: int) -> None:
    """Worker process: run the batches of cases it receives, and report before and after each case."""
    bench = Bench(folder, read_samples(folder_of_samples))
    signal.signal(signal.SIGPROF, _ring)
    bench.warm_up()
    bench.limit()
    pipe.send("ready")
    while (batch := pipe.recv()) is not None:
        for case in batch:
            pipe.send(Message(case, "", "start"))
            began = time.process_time()
            kind, (ends, text) = bench.try_case(seed, case, case % whole == 0)
            seconds = time.process_time() - began
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            pipe.send(Message(case, kind, ends, text, seconds, memory))
        gc.collect()  # few objects, but exceptions in cycles hold whole maps


@dataclass
class Worker:
    """A worker as seen by the parent."""

    process: Any
    pipe: Connection
    todo: list[int] = field(default_factory=list)
    """Cases sent to the worker and not finished yet."""
    heard: float = 0.0


class Run:
    """A run of many cases on several workers."""

    def __init__(self, seed: int, samples: Path = SAMPLES, whole: int = WHOLE) -> None:
        self.seed, self.samples, self.whole = seed, samples, whole
        self.outcome = Outcome()
        self.cases: Iterator[int] = iter(())
        self.again: list[int] = []
        """Cases that a dead worker left."""
        self.folder = Path()
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread would reserve address space
        if str(ROOT) not in sys.path:
            sys.path.append(str(ROOT))  # workers import this module by name

    def run(self, cases: Iterable[int], jobs: int, minutes: float = 0.0, progress: bool = False) -> Outcome:
        """Run all cases, or as many as fit into the time."""
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:  # of the parent: workers are killed
            self.folder = Path(folder)
            return self.run_all(iter(cases), jobs, minutes, progress)

    def run_all(self, cases: Iterator[int], jobs: int, minutes: float, progress: bool) -> Outcome:
        self.cases = cases
        began, shown = time.monotonic(), 0
        workers = [self.start() for _ in range(jobs)]
        try:
            while True:
                if minutes and time.monotonic() - began > 60 * minutes:
                    self.cases, self.again = iter(()), []
                for row in range(len(workers)):
                    workers[row] = self.feed(workers[row])
                busy = [worker for worker in workers if worker.todo]
                if not busy:
                    return self.outcome
                for pipe in wait([worker.pipe for worker in busy], timeout=1):
                    row = next(row for row, worker in enumerate(workers) if worker.pipe is pipe)
                    workers[row] = self.hear(workers[row])
                if progress and self.outcome.done.total() >= shown + 1000:
                    shown = self.outcome.done.total()
                    print(f"{shown:,} cases, {len(self.outcome.faults)} faults, "
                          f"{time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
        finally:
            for worker in workers:
                worker.process.kill()
                worker.process.join()

    def start(self) -> Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        place = Path(tempfile.mkdtemp(dir=self.folder))
        process = context.Process(target=work, args=(theirs, place, self.seed, self.samples, self.whole), daemon=True)
        process.start()
        theirs.close()
        try:
            ours.recv()
        except EOFError:
            process.join()
            raise RuntimeError(f"a worker could not start (exit code {process.exitcode})") from None
        return Worker(process, ours)

    def feed(self, worker: Worker) -> Worker:
        """Give an idle worker cases; replace one that hangs."""
        if not worker.todo:
            worker.todo = self.again[:BATCH] or list(islice(self.cases, BATCH))
            self.again = self.again[BATCH:]
            if worker.todo:
                worker.heard = time.monotonic()
                worker.pipe.send(worker.todo)
        elif time.monotonic() - worker.heard > HANG:
            return self.replace(worker, f"hangs: no message for {HANG} s")
        return worker

    def hear(self, worker: Worker) -> Worker:
        """Take a message."""
        try:
            message: Message = worker.pipe.recv()
        except (EOFError, ConnectionError):
            worker.process.join()
            return self.replace(worker, f"kills its process (exit code {worker.process.exitcode})")
        worker.heard = time.monotonic()
        if message.ends != "start":
            worker.todo = [case for case in worker.todo if case != message.case]
            self.outcome.note(message)
            if message.ends == "fault":
                print(f"case {message.case} ({message.kind}): {message.text.splitlines()[-1][:200]}", flush=True)
        return worker

    def replace(self, worker: Worker, fault: str) -> Worker:
        """A new worker in place of a bad one, which takes the cases after the fatal one."""
        worker.process.kill()
        worker.process.join()
        self.outcome.done["dead"] += 1
        self.outcome.faults[worker.todo[0]] = fault
        print(f"case {worker.todo[0]}: {fault}", flush=True)
        self.again += worker.todo[1:]
        return self.start()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Use damaged files; report faults.")
    parser.add_argument("--cases", type=int, default=0, help="number of cases (default: 20,000, or what MINUTES allow)")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--samples", type=Path, default=SAMPLES, help="folder with the maps to damage")
    parser.add_argument("--whole", type=int, default=WHOLE, metavar="N", help="compile in one case of N")
    parser.add_argument("--only", type=int, help="run only this case, in this process")
    parser.add_argument("--keep", type=Path, help="with --only: write the damaged file into this folder")
    parser.add_argument(
        "--minimise", action="store_true", help="with --keep: make the file as small as the fault allows"
    )
    options = parser.parse_args()
    if options.only is not None:
        from tests.fuzz.minimise import repeat

        return repeat(options)
    limit = options.cases or (None if options.minutes else 20_000)
    numbers = count(options.first) if limit is None else range(options.first, options.first + limit)
    began = time.monotonic()
    run = Run(options.seed, options.samples, options.whole)
    outcome = run.run(numbers, options.jobs, options.minutes, progress=True)
    report(outcome, options, time.monotonic() - began)
    return 1 if outcome.faults else 0


def report(outcome: Outcome, options: argparse.Namespace, seconds: float) -> None:
    """Print what was found."""
    import aascompile.geometry.polygon_kernel as kernel

    for case, fault in sorted(outcome.faults.items()):
        print(f"\nFAULT: python -m tests.fuzz --seed {options.seed} --whole {options.whole} --only {case}\n{fault}")
    place = Path(kernel.__file__ or "").resolve()
    flavour = next((name for name in ("sanitized", "checked") if f"build/{name}" in place.as_posix()), "optimised")
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in outcome.done.most_common())
    print(
        f"\n{outcome.done.total():,} cases in {seconds:.0f} s on {flavour} kernels: {outcome.results:,} results, "
        f"{outcome.errors.total():,} errors of {len(outcome.errors)} kinds, {len(outcome.faults)} faults; slowest "
        f"{outcome.slowest[0]:.2f} s (case {outcome.slowest[1]}), largest worker {outcome.megabytes} MB\n{kinds}"
    )
