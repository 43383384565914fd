"""`devices`: what can run a kernel here."""

from __future__ import annotations

import click

from workbench.cli.output import print_json
from workbench.plugin_manager import PluginManager
from workbench.settings import load_settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def devices(as_json: bool) -> None:
    """List the devices, usable or with the reason why not."""
    manager = PluginManager(load_settings().plugins)
    found = manager.devices()
    if as_json:
        print_json(
            {"devices": found, "broken_plugins": [{"id": plugin.manifest.id, "error": plugin.error} for plugin in manager.broken]}
        )
        return
    for device in found:
        click.echo(f"{device.id:12} {device.title}" if device.available else f"{device.id:12} not usable: {device.reason}")
        if device.remark is not None:
            click.echo(f"{'':12} {device.remark}")
    for plugin in manager.broken:
        click.echo(f"The plugin {plugin.manifest.id} is broken:\n{plugin.error}", err=True)
