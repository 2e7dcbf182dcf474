"""`hotato completion`: the code that teaches a shell to complete hotato's commands and flags."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from hotato.cli.terminal import emit
from hotato.errors import UsageError

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print completion code for a shell.

    \b
    bash, at the end of ~/.bashrc:
      eval "$(hotato completion bash)"

    \b
    zsh, at the end of ~/.zshrc, after compinit:
      eval "$(hotato completion zsh)"

    \b
    fish, at the end of ~/.config/fish/config.fish:
      hotato completion fish | source
    """
    from hotato.cli.app import COMPLETION_VARIABLE, PROGRAM

    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"there is no completion for '{shell}'", f"choose one of: {', '.join(SHELLS)}")
    emit(kind(ctx.find_root().command, {}, PROGRAM, COMPLETION_VARIABLE).source())
