"""Keeps the page of ``aas view --web`` to the user who started it.

A browser sends requests of any page to any server of this machine. So the address has a random part that no other page
knows, and requests must name this server as their host and, if they come from a page, as its origin. The wire has only
the calls that the page itself makes: none of them reads files or runs code.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

LOOPBACK: Final = "127.0.0.1"
"""Only this machine can connect."""

HEADERS: Final = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Sent with every answer: no other page may embed this one or learn its address."""

CALLS: Final = frozenset(
    {
        "trame.error.client",
        "trame.lifecycle.update",
        "trame.state.get",
        "trame.trigger",
        "viewport.image.animation.start",
        "viewport.image.animation.stop",
        "viewport.image.push",
        "viewport.image.push.enabled",
        "viewport.image.push.invalidate.cache",
        "viewport.image.push.observer.add",
        "viewport.image.push.observer.remove",
        "viewport.image.push.original.size",
        "viewport.image.push.quality",
        "viewport.mouse.interaction",
        "viewport.mouse.zoom.wheel",
    }
)
"""Calls that the page makes. All others are refused."""


LONGEST_CALL: Final = 1 << 16
"""Bytes of a call. Those of the page have a few hundred."""

MOST_PENDING: Final = 16
"""Calls of a page that arrive in pieces at the same time."""

LARGEST_PICTURE: Final = 8192
"""Pixels of a picture along each side."""

LARGEST_RATIO: Final = 2.0
"""Pixels of a picture for a pixel of the page."""


class Guard:
    """Decides which requests are answered."""

    def __init__(self, host: str = LOOPBACK) -> None:
        self.host = host
        self.token = secrets.token_urlsafe(24)
        """Random part of the address."""

    def address(self, port: int) -> str:
        """Address of the page, for the user."""
        shown = socket.gethostname() if _is_any(self.host) else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/{self.token}/"

    def allows(self, path: str, host: str, origin: str | None, port: int) -> bool:
        """Whether a request may be answered: its path has the token, and its Host and Origin are this server's."""
        first = path.lstrip("/").partition("/")[0]
        if not hmac.compare_digest(first.encode(), self.token.encode()):
            return False
        return self._is_own(host, port) and (origin is None or origin.lower() == f"http://{host.lower()}")

    def _is_own(self, host: str, port: int) -> bool:
        """Whether a Host header names this server. A page of another name cannot lead here by its DNS entry."""
        try:
            parts = urlsplit(f"//{host}")
            name, given = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if given != port or "@" in host:
            return False
        if name in (self.host.lower(), "localhost", LOOPBACK):
            return True
        return _is_any(self.host) and (name == socket.gethostname().lower() or _is_address(name))

    def protect(self, server: Any) -> None:
        """Put a server of wslink behind this guard, before it starts: everything moves below the token."""
        from aiohttp import web

        @web.middleware
        async def check(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
            port = request.transport.get_extra_info("sockname")[1] if request.transport else -1
            if not self.allows(request.path, request.host, request.headers.get("Origin"), port):
                raise web.HTTPForbidden(text="This address is not valid.")
            answer = await handler(request)
            if not answer.prepared:
                answer.headers.update(HEADERS)
            return answer

        inner, outer = server.app, web.Application(middlewares=[check])
        inner.add_routes(getattr(server, "_default_routes", []))  # wslink would add these to the outer application
        server._default_routes = []
        outer.add_subapp(f"/{self.token}", inner)
        server.set_app(outer)
        for wire in server._ws_handlers:
            wire.functionMap = {
                name: (owner, _within_limits(name, call))
                for name, (owner, call) in wire.functionMap.items()
                if name in CALLS
            }
            wire.unchunkers = _Unchunkers()


def _within_limits(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """A call of the page that refuses pictures of a size that no page has: memory for them might not be there."""

    def bounded(owner: Any, *given: Any, **named: Any) -> Any:
        if named:
            raise TypeError("the page names no arguments")
        if not are_sizes_sane(name, given):
            raise ValueError("no page has such a size")
        return call(owner, *given)

    return bounded


def are_sizes_sane(name: str, given: Sequence[Any]) -> bool:
    """Whether the sizes in a call are those of pictures on screens."""
    if name == "viewport.image.push":
        options = given[0] if given and isinstance(given[0], Mapping) else {}
        ratios, sides = [options.get("ratio", 1)], [*options.get("size", ())]
    elif name == "viewport.image.push.original.size":
        ratios, sides = [], [*given[1:]]
    elif name == "viewport.image.push.quality":
        ratios, sides = [*given[2:]], []
    else:
        return True
    return all(0 <= side <= LARGEST_PICTURE for side in sides) and all(0 < ratio <= LARGEST_RATIO for ratio in ratios)


class _Unchunkers(dict[str, Any]):
    """What joins the pieces of calls, by client. wslink's own makes room for whatever size a first piece claims."""

    def __setitem__(self, client: str, given: Any) -> None:
        super().__setitem__(client, _bounded(given))


def _bounded(joiner: Any) -> Any:
    """Let an object that joins pieces refuse calls that are too long or too many, which closes the connection."""
    allow, join = joiner.set_max_message_size, joiner.process_chunk

    def joined(piece: bytes) -> Any:
        if len(joiner.pending_messages) > MOST_PENDING:
            joiner.release_pending_messages()
            raise ValueError("too many calls in pieces")
        return join(piece)

    joiner.set_max_message_size = lambda size: allow(min(size, LONGEST_CALL))
    joiner.process_chunk = joined
    return joiner


def _is_any(host: str) -> bool:
    """Whether a server on this address listens on all of the machine's addresses."""
    return host in ("0.0.0.0", "::", "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
