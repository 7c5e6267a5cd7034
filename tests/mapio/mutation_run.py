"""Read thousands of damaged maps. Each must give a result or one AasError, within 5 s and 1 GB.

In one of four files, every map is compiled too, each within 20 s, and the result must meet the list of requirements.

``python -m tests.mapio.mutation_run --cases 20000 --seed 1`` makes the cases from samples/*.bsp and *.map, and from
archives of them. A case depends only on the seed and its number; ``--only N --keep FILE`` repeats a case and keeps its
file. Each worker is a process with a memory limit and an alarm. The parent detects workers that die or hang.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.mapio.mutate import mutate

if TYPE_CHECKING:
    from aascompile.model.understood import Understood
    from aascompile.report import Report

ROOT = Path(__file__).parent.parent.parent
MEMORY = 1 << 30
"""Bytes of address space of a worker, including its libraries."""
SECONDS = 5
"""Limit in processor time, so that a busy machine finds the same faults as an idle one."""
COMPILE_SECONDS = 20
"""The same limit for compiling one map."""
COMPILED = 4
"""One file in this many is compiled, by default."""
HANG = 6 * COMPILE_SECONDS
"""Seconds after which the parent kills a worker whose own alarm failed."""
BATCH = 50


class TooSlow(BaseException):
    """The alarm fired. It is a BaseException so that no handler of ordinary errors swallows it."""


@dataclass
class Sample:
    """A file to damage."""

    name: str
    suffix: str
    data: bytes


class Message(NamedTuple):
    """A worker's report on a case."""

    case: int
    kind: str
    """"start", "result", "error" or "fault"."""
    text: str = ""
    seconds: float = 0.0
    megabytes: int = 0
    """The worker's peak resident memory so far."""


@dataclass
class Outcome:
    """Results of all cases."""

    results: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """AasErrors, by message without numbers and names."""
    faults: dict[int, str] = field(default_factory=dict)
    """Case → what went wrong."""
    slowest: tuple[float, int] = (0.0, -1)
    megabytes: int = 0
    """Peak resident memory of any worker."""

    def note(self, message: Message) -> None:
        self.slowest = max(self.slowest, (message.seconds, message.case))
        self.megabytes = max(self.megabytes, message.megabytes)
        if message.kind == "result":
            self.results += 1
        elif message.kind == "error":
            self.errors[message.text] += 1
        else:
            self.faults[message.case] = message.text


def read_samples(folder: Path) -> list[Sample]:
    """The hand-made maps, and archives of them."""
    paths = sorted([*folder.glob("*.bsp"), *folder.glob("*.map")])
    samples = [Sample(path.name, path.suffix, path.read_bytes()) for path in paths]
    for start in range(0, len(paths), 8):
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in paths[start : start + 8]:
                info = zipfile.ZipInfo(f"maps/{path.name}")
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, path.read_bytes())
        samples.append(Sample(f"pak{start // 8}.pk3", ".pk3", packed.getvalue()))
    return samples


def make_case(samples: list[Sample], seed: int, case: int) -> tuple[str, bytes]:
    """Name and bytes of a damaged file."""
    rng = Random(f"{seed}:{case}")
    suffix = rng.choice((".bsp", ".bsp", ".map", ".pk3"))
    alike = [sample for sample in samples if sample.suffix == suffix]
    chosen = rng.choice(alike)
    others = [rng.choice(alike).data for _ in range(2)]
    return chosen.name, mutate(suffix, chosen.data, others, rng)


def examine(path: str, compiled: bool) -> None:
    """Do what ``aas info`` does for every map of a file, or what ``aascompile`` does except for writing.

    In an archive, an error in one map does not stop the others.
    """
    from aascompile.cli.info import text_lines
    from aascompile.cli.json_types import json_text
    from aascompile.cli.summary import summarise
    from aascompile.errors import AasError
    from aascompile.mapio.load import expand_inputs
    from aascompile.pipeline import understand
    from aascompile.report import Report

    error: AasError | None = None
    for name in expand_inputs([path]):
        report = Report(name, lambda stage: None)
        try:
            understood = understand(name, report)
            summary = summarise(understood, report)
            if compiled:
                compile_whole(understood, report)
        except AasError as reason:
            error = reason
            continue
        list(text_lines(summary))
        json_text(summary)
    if error is not None:
        raise error


def compile_whole(understood: Understood, report: Report) -> None:
    """Compile a map to areas, links and clusters, and check them."""
    from aascompile.checks.check_compiled import failures
    from aascompile.pipeline import choose_clusters, gather, link_areas, make_areas
    from aascompile.settings import QUAKE3

    signal.setitimer(signal.ITIMER_PROF, COMPILE_SECONDS)
    divided = make_areas(understood, QUAKE3, report, allow_leak=True)
    linked = link_areas(understood, divided.areas, QUAKE3, report)
    clusters = choose_clusters(understood, divided.areas, linked, report)
    whole = gather(understood, divided, linked, clusters, QUAKE3, report)
    wrong = [failure.sentence() for failure in failures(whole)]
    if wrong:
        raise AssertionError("; ".join(wrong))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def run_case(path: Path, compiled: bool) -> tuple[str, str]:
    """Run a case. Return ("result", ""), ("error", its message) or ("fault", what went wrong)."""
    from aascompile.errors import AasError

    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        examine(str(path), compiled)
    except AasError as error:
        text = str(error)
        if "\n" in text or not text:
            return "fault", f"an empty or multi-line error message: {text!r}"
        return "error", "".join("#" if c.isdigit() else c for c in getattr(error, "what", text))[:60]
    except TooSlow:
        return "fault", f"too slow\n{shown_traceback()}"
    except BaseException:
        return "fault", shown_traceback()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "result", ""


def shown_traceback() -> str:
    """End of the current exception's traceback, with long lines cut."""
    return "\n".join(line[:300] for line in traceback.format_exc(limit=-5).splitlines())


def work(pipe: Connection, seed: int, folder_of_samples: Path, compiled: int) -> None:
    """Worker process: run the batches of cases it receives, and report before and after each case."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, ring)
    warnings.simplefilter("error")
    samples = read_samples(folder_of_samples)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        warm = Path(folder) / "warm.bsp"
        warm.write_bytes(samples[0].data)
        examine(str(warm), True)  # triggers lazy imports before memory is limited
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        while (batch := pipe.recv()) is not None:
            for case in batch:
                pipe.send(Message(case, "start"))
                name, data = make_case(samples, seed, case)
                path = Path(folder) / name
                path.write_bytes(data)
                began = time.process_time()
                kind, text = run_case(path, case % compiled == 0)
                seconds = time.process_time() - began
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
                pipe.send(Message(case, kind, text, seconds, memory))
                path.unlink()


@dataclass
class Worker:
    """A worker as seen by the parent."""

    process: Any
    pipe: Connection
    todo: list[int] = field(default_factory=list)
    """Cases sent to the worker and not finished yet."""
    heard: float = 0.0


def start_worker(seed: int, samples: Path, compiled: int) -> Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, seed, samples, compiled), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours, heard=time.monotonic())


def run(
    cases: list[int],
    seed: int,
    jobs: int,
    *,
    samples: Path = ROOT / "samples",
    compiled: int = COMPILED,
    progress: bool = False,
) -> Outcome:
    """Run all cases on ``jobs`` workers. One in ``compiled`` files is compiled."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread would reserve address space
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))  # workers import this module by name
    outcome = Outcome()
    batches = [cases[start : start + BATCH] for start in range(0, len(cases), BATCH)][::-1]
    workers = [start_worker(seed, samples, compiled) for _ in range(min(jobs, len(batches)))]
    done = 0
    while batches or any(worker.todo for worker in workers):
        for row, worker in enumerate(workers):
            if not worker.todo and batches:
                worker.todo = batches.pop()
                worker.heard = time.monotonic()
                worker.pipe.send(worker.todo)
            elif worker.todo and time.monotonic() - worker.heard > HANG:
                worker.process.kill()
                outcome.faults[worker.todo[0]] = f"hangs: no message for {HANG} s"
                workers[row] = replace_worker(worker, batches, seed, samples, compiled)
        for pipe in wait([worker.pipe for worker in workers], timeout=1):
            row = next(row for row, worker in enumerate(workers) if worker.pipe is pipe)
            worker = workers[row]
            try:
                message: Message = worker.pipe.recv()
            except (EOFError, ConnectionError):
                worker.process.join()
                if not worker.todo:
                    raise RuntimeError(f"a worker could not start (exit code {worker.process.exitcode})") from None
                outcome.faults[worker.todo[0]] = f"kills its process (exit code {worker.process.exitcode})"
                workers[row] = replace_worker(worker, batches, seed, samples, compiled)
                continue
            worker.heard = time.monotonic()
            if message.kind == "start":
                continue
            worker.todo = [case for case in worker.todo if case != message.case]
            done += 1
            outcome.note(message)
            if progress and done % 1000 == 0:
                print(f"{done:,} cases, {len(outcome.faults)} faults", flush=True)
    for worker in workers:
        worker.pipe.send(None)
        worker.process.join()
    return outcome


def replace_worker(worker: Worker, batches: list[list[int]], seed: int, samples: Path, compiled: int) -> Worker:
    """Start a new worker in place of a dead one, and requeue the cases after the fatal one."""
    if worker.todo[1:]:
        batches.append(worker.todo[1:])
    return start_worker(seed, samples, compiled)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Read damaged maps; report cases that give neither a result nor one error."
    )
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--samples", type=Path, default=ROOT / "samples", help="folder with the maps to damage")
    parser.add_argument("--compiled", type=int, default=COMPILED, metavar="N", help="compile one file in N")
    parser.add_argument("--only", type=int, help="run only this case")
    parser.add_argument("--keep", type=Path, help="with --only: write the damaged file here, with its own suffix")
    options = parser.parse_args()
    if options.only is not None and options.keep:
        name, data = make_case(read_samples(options.samples), options.seed, options.only)
        kept = options.keep.with_suffix(Path(name).suffix)
        kept.write_bytes(data)
        print(f"case {options.only}: {name} damaged, {len(data):,} bytes in {kept}")
    cases = list(range(options.cases)) if options.only is None else [options.only]
    began = time.monotonic()
    outcome = run(cases, options.seed, options.jobs, samples=options.samples, compiled=options.compiled, progress=True)
    for case, fault in sorted(outcome.faults.items()):
        print(
            f"\nFAULT in case {case}: python -m tests.mapio.mutation_run --seed {options.seed} "
            f"--compiled {options.compiled} --only {case}\n{fault}"
        )
    errors, seconds = outcome.errors.total(), time.monotonic() - began
    print(
        f"\n{len(cases):,} cases in {seconds:.0f} s: {outcome.results:,} results, {errors:,} errors of "
        f"{len(outcome.errors)} kinds, {len(outcome.faults)} faults; slowest {outcome.slowest[0]:.2f} s "
        f"(case {outcome.slowest[1]}), largest worker {outcome.megabytes} MB"
    )
    for text, count in outcome.errors.most_common(12):
        print(f"{count:7,}  {text}")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
