"""Claude's memory tool over a vault, for Python programs that use the ``anthropic`` SDK (the extra ``anthropic``).

    with VaultMemoryTool("~/Vault") as memory:
        client.beta.messages.run_tools(model=..., messages=..., tools=[memory]).until_done()

A daemon that serves the vault is used; otherwise the vault is opened in this process.
"""

import base64
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

from sidecar.cli.session import Session, session
from sidecar.services.caller import Audience
from sidecar.tools.reply import Picture

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaFunctionToolResultType
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

__all__ = ["VaultMemoryTool"]


class VaultMemoryTool(BetaAbstractMemoryTool):
    """Carries out the commands as the MCP tool ``memory`` does; ``/memories`` is the vault's folder of memories."""

    def __init__(self, vault: str | Path, **options: Any) -> None:  # noqa: ANN401 - the SDK's own
        """Take the folder of a vault; ``options`` are those of the SDK's class."""
        super().__init__(**options)
        self._vault = Path(vault).expanduser()
        self._opened = ExitStack()
        self._session: Session | None = None
        # A thread of its own: the vault may be asked from inside a running event loop.
        self._thread = ThreadPoolExecutor(1, "memory tool")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the vault."""
        self._thread.submit(self._opened.close).result()
        self._thread.shutdown()

    def view(self, command: "BetaMemoryTool20250818ViewCommand") -> "BetaFunctionToolResultType":
        """Show a file with line numbers, a picture, or a directory."""
        return self._run(command)

    def create(self, command: "BetaMemoryTool20250818CreateCommand") -> "BetaFunctionToolResultType":
        """Create a file."""
        return self._run(command)

    def str_replace(self, command: "BetaMemoryTool20250818StrReplaceCommand") -> "BetaFunctionToolResultType":
        """Replace a unique text in a file."""
        return self._run(command)

    def insert(self, command: "BetaMemoryTool20250818InsertCommand") -> "BetaFunctionToolResultType":
        """Put text behind a line."""
        return self._run(command)

    def delete(self, command: "BetaMemoryTool20250818DeleteCommand") -> "BetaFunctionToolResultType":
        """Delete a file or directory."""
        return self._run(command)

    def rename(self, command: "BetaMemoryTool20250818RenameCommand") -> "BetaFunctionToolResultType":
        """Move a file or directory; links to it follow."""
        return self._run(command)

    def _run(self, command: Any) -> "BetaFunctionToolResultType":  # noqa: ANN401 - any of the commands
        return self._thread.submit(self._call, command.model_dump(exclude_none=True)).result()

    def _call(self, arguments: dict[str, Any]) -> "BetaFunctionToolResultType":
        if self._session is None:
            self._session = self._opened.enter_context(session(self._vault, Audience.AGENT))
        reply = self._session.call("memory", arguments)
        text = "\n".join(reply.blocks)
        if reply.is_error:
            raise ToolError(text)
        if not reply.pictures:
            return text
        return [{"type": "text", "text": text}, *map(_image, reply.pictures)]


def _image(picture: Picture) -> Any:  # noqa: ANN401 - a block of the SDK's own shape
    data = base64.b64encode(picture.data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": picture.content_type, "data": data}}
