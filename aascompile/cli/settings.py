"""``aas settings``: print the settings in force as a settings file."""

from __future__ import annotations

import click

from aascompile.cli.common import CONTEXT, chosen_settings, emit, settings_options


@click.command(context_settings=CONTEXT)
@settings_options
@click.option("--cfg", is_flag=True, help="Print a cfg file of the C compiler, as far as it can express the settings.")
@click.option("--markdown", is_flag=True, help="Print docs/settings.md instead.")
def settings(settings_file: str | None, preset: str | None, mode: str | None, cfg: bool, markdown: bool) -> None:
    """Print the settings that a compile would use, as a TOML file.

    Each line explains a setting, with its limits and unit. The output can be edited and passed to `aascompile
    --settings`. A settings file may leave out everything that equals the preset.
    """
    from aascompile.settings_cfg import to_cfg
    from aascompile.settings_file import to_markdown, to_toml

    found = chosen_settings(settings_file, preset, mode)
    text = to_markdown() if markdown else to_cfg(found) if cfg else to_toml(found)
    emit(*text.expandtabs(4).splitlines(), fold=False)
