"""Runs the examples of docs/ci.md: the shell steps of the workflow, and the hooks in a repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aascompile.nav.baseline import read_baseline
from tests.conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("git", "bash", "nproc"))), reason="the examples need git, bash and nproc"
)


@pytest.fixture
def project(tmp_path, samples) -> Path:
    """Clone of a repository with maps and a baseline, in which `aas` can be called."""
    commands = tmp_path / "bin"
    commands.mkdir()
    aas = commands / "aas"
    aas.write_text(f'#!{sys.executable}\nimport sys\nsys.path.insert(0, "{ROOT}")\n'
                   "from aascompile.cli.main import main\nif __name__ == '__main__':\n    main()\n")  # fmt: skip
    aas.chmod(0o755)
    origin = tmp_path / "origin"
    (origin / "maps").mkdir(parents=True)
    for name in ("box", "doorway"):
        shutil.copy(samples / f"{name}.bsp", origin / "maps" / f"{name}.bsp")
    shell("git init -q -b main && git add maps", origin)
    assert shell("aas regress --baseline maps/counts.json 'maps/*.bsp' --update", origin).returncode == 0
    shell("git add maps && git commit -q -m 'Two maps'", origin)
    shell("git clone -q origin project", tmp_path)
    return tmp_path / "project"


def shell(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script like a step of a workflow, with `aas` on the path and a git identity."""
    above = next(place for place in (folder, *folder.parents) if (place / "bin" / "aas").exists())
    somebody = {
        f"GIT_{role}_{what}": "somebody@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    path = os.pathsep.join((str(above / "bin"), os.environ["PATH"]))
    environment = {**os.environ, **somebody, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull, **more}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def steps() -> dict[str, str]:
    """Shell steps of the workflow by name."""
    text = (EXAMPLES / "navigation.yml").read_text()
    found = {}
    for step in re.split(r"^      - ", text, flags=re.MULTILINE)[1:]:
        name = re.search(r"^name: (.+)$", step, re.MULTILINE)
        script = re.search(r"^        run: (?:\|\n((?:          .*\n|\n)+)|(.+)\n)", step, re.MULTILINE)
        if name and script:
            found[name.group(1)] = script.group(1) or script.group(2)
    return found


def test_the_workflow_passes_and_explains_failures(project, samples, tmp_path):
    install, compare, explain, show = steps().values()
    assert install.startswith("python -m pip install")
    page = {"GITHUB_STEP_SUMMARY": str(tmp_path / "page.md"), "GITHUB_BASE_REF": "main"}
    done = shell(compare, project, **page)
    assert (done.returncode, done.stdout) == (0, "2 maps: all counts as expected\n")
    assert shell(show, project, **page).returncode == 0
    assert (tmp_path / "page.md").read_text().startswith("### Navigation: as expected\n")

    shutil.copy(samples / "door.bsp", project / "maps" / "doorway.bsp")
    done = shell(compare, project, **page)
    assert (done.returncode, done.stderr) == (1, "")
    assert "2 maps: 1 as expected, 1 moved\n" in done.stdout
    assert (project / "counts.xml").read_text().count("<failure ") == 1
    done = shell(explain, project, **page)
    assert (done.returncode, done.stderr) == (0, "")
    assert shell(show, project, **page).returncode == 0
    page = (tmp_path / "page.md").read_text()
    assert "| doorway | areas | 6 | 10 | +4 | +66.7 % |\n" in page
    assert "before.bsp -> maps/doorway.bsp\nareas     6 -> 10" in page


def test_the_hook_checks_staged_files(project, samples):
    hook = project / ".git" / "hooks" / "pre-commit"
    shutil.copy(EXAMPLES / "pre-commit", hook)
    hook.chmod(0o755)
    commit = "git commit -q -m 'A change'"
    (project / "notes.txt").write_text("Nothing to do with maps.")
    assert shell(f"git add notes.txt && {commit}", project).returncode == 0

    shutil.copy(samples / "door.bsp", project / "maps" / "doorway.bsp")
    refused = shell(f"git add maps && {commit}", project)
    assert refused.returncode != 0
    assert "doorway  areas" in refused.stdout + refused.stderr
    accept = re.search(r"To accept the new counts: (.+)", refused.stderr)
    assert accept

    # The working tree matches the baseline again, but the staged files do not.
    shutil.copy(samples / "doorway.bsp", project / "maps" / "doorway.bsp")
    assert shell(commit, project).returncode != 0

    shutil.copy(samples / "door.bsp", project / "maps" / "doorway.bsp")
    assert shell(f"{accept.group(1)} && {commit}", project).returncode == 0
    assert shell("git status --porcelain", project).stdout == ""
    assert read_baseline(str(project / "maps" / "counts.json")).maps["doorway"]["areas"] == 10


def test_the_pre_commit_framework_hook(project, samples):
    text = (EXAMPLES / "pre-commit-config.yaml").read_text()
    entry = re.search(r"^ +entry: (.+)$", text, re.MULTILINE)
    files = re.search(r"^ +files: (.+)$", text, re.MULTILINE)
    assert entry
    assert files
    named = [path for path in ("maps/box.bsp", "maps/counts.json", "other.bsp") if re.search(files.group(1), path)]
    assert named == ["maps/box.bsp"]
    assert shell(f"{entry.group(1)} {named[0]}", project).returncode == 0
    shutil.copy(samples / "gap.bsp", project / "maps" / "box.bsp")
    assert shell(f"{entry.group(1)} {named[0]}", project).returncode == 1


def test_the_hooks_that_other_repositories_name(project, samples):
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    hooks = dict(re.findall(r"^- id: (\S+)\n(?:  .*\n)*?  entry: (.+)$", text, re.MULTILINE))
    assert list(hooks) == ["aas-regress", "aas-gate"]
    shutil.copy(samples / "ledge.bsp", project / "maps" / "ledge.bsp")
    codes = [shell(f"{hooks['aas-regress']} maps/{name}.bsp", project).returncode for name in ("box", "ledge")]
    assert codes == [0, 1], "the baseline has no counts of ledge"
    gate = shell(f"{hooks['aas-gate']} maps/ledge.bsp", project)
    assert (gate.returncode, "trap" in gate.stdout) == (1, True)
    for name in re.findall(r"- id: (aas-\w+)", (ROOT / "docs" / "ci.md").read_text()):
        assert name in hooks


def test_the_action_that_other_repositories_name(project, samples, tmp_path):
    text = (ROOT / ".github" / "actions" / "regress" / "action.yml").read_text()
    install, compare, show = re.findall(r"^      run: (.+)$", text, re.MULTILINE)
    package = re.search(r'"\$GITHUB_ACTION_PATH/(.+)"', install)
    assert package
    assert (ROOT / ".github" / "actions" / "regress" / package.group(1)).resolve() == ROOT
    inputs = dict(re.findall(r"^  (\w+):\n    description: .+\n    default: (.+)$", text, re.MULTILINE))
    given = {name.upper(): value for name, value in inputs.items()} | {"GITHUB_STEP_SUMMARY": str(tmp_path / "page.md")}
    assert shell(compare, project, **given).returncode == 0
    shutil.copy(samples / "door.bsp", project / "maps" / "doorway.bsp")
    assert shell(compare, project, **given).returncode == 1
    assert shell(show, project, **given).returncode == 0
    assert "doorway" in (tmp_path / "page.md").read_text()


def test_the_baseline_on_the_page_is_valid(tmp_path):
    page = (ROOT / "docs" / "ci.md").read_text()
    (block,) = re.findall(r"^```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "counts.json").write_text(block)
    assert read_baseline(str(tmp_path / "counts.json")).maps == {
        name: entry["counts"] for name, entry in json.loads(block)["maps"].items()
    }
    for name in re.findall(r"\]\((examples/[^)]+)\)", page):
        assert (ROOT / "docs" / name).exists()
