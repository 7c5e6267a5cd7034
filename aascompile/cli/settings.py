"""``aas settings``: the settings in force, as a file that can be fed back."""

from __future__ import annotations

import click

from aascompile.cli.common import CONTEXT, chosen_settings, emit, settings_options


@click.command(context_settings=CONTEXT)
@settings_options
@click.option("--markdown", is_flag=True, help="The page of all settings (docs/settings.md) instead.")
def settings(settings_file: str | None, preset: str | None, markdown: bool) -> None:
    """Print the settings a compile would use, as a TOML file.

    Every line says what the setting means, its limits and its unit. What is printed can be changed and given to
    `aascompile --settings`; a file may leave out what stays as in the preset.
    """
    from aascompile.settings_file import to_markdown, to_toml

    found = chosen_settings(settings_file, preset)
    emit((to_markdown() if markdown else to_toml(found)).rstrip("\n"))
