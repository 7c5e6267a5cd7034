"""Which requests to ``aas view --web`` are answered."""

from __future__ import annotations

import socket

import pytest

from aascompile.viewer.guard import CALLS, LONGEST_CALL, MOST_PENDING, Guard, _Unchunkers, are_sizes_sane

PORT = 8123


def asks(guard: Guard, path: str | None = None, host: str = f"127.0.0.1:{PORT}", origin: str | None = None) -> bool:
    return guard.allows(f"/{guard.token}/" if path is None else path, host, origin, PORT)


def test_every_page_has_a_token_of_its_own():
    tokens = {Guard().token for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 32
    guard = Guard()
    assert guard.address(PORT) == f"http://127.0.0.1:{PORT}/{guard.token}/"


def test_path_needs_the_token():
    guard = Guard()
    assert asks(guard)
    assert asks(guard, f"/{guard.token}/assets/x.js")
    for path in ("/", "/ws", "/index.html", f"/{guard.token[:-1]}/", f"/x/{guard.token}/", f"/{guard.token}x/", "/ü/"):
        assert not asks(guard, path), path


def test_host_must_be_this_server():
    guard = Guard()
    for host in (f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}"):
        assert asks(guard, host=host), host
    for host in ("", "127.0.0.1", f"127.0.0.1:{PORT + 1}", f"evil.example:{PORT}", f"127.0.0.1.evil.example:{PORT}",
                 f"127.0.0.1:{PORT}@evil.example", f"10.0.0.1:{PORT}", "127.0.0.1:x", "[::1",
                 f"[::1]:{PORT}"):  # fmt: skip
        assert not asks(guard, host=host), host


def test_origin_must_be_this_page():
    guard = Guard()
    assert asks(guard, origin=f"http://127.0.0.1:{PORT}")
    for origin in ("null", "", "http://evil.example", f"https://127.0.0.1:{PORT}", f"http://127.0.0.1:{PORT + 1}",
                   f"http://localhost:{PORT}", f"http://127.0.0.1:{PORT}.evil.example"):  # fmt: skip
        assert not asks(guard, origin=origin), origin


def test_a_chosen_address_is_allowed_too():
    assert asks(Guard("10.1.2.3"), host=f"10.1.2.3:{PORT}")
    assert not asks(Guard("10.1.2.3"), host=f"10.1.2.4:{PORT}")
    everywhere = Guard("0.0.0.0")
    for host in (f"10.1.2.3:{PORT}", f"[fe80::1]:{PORT}", f"{socket.gethostname()}:{PORT}"):
        assert asks(everywhere, host=host), host
    assert not asks(everywhere, host=f"evil.example:{PORT}")
    assert Guard("::1").address(PORT).startswith(f"http://[::1]:{PORT}/")


@pytest.mark.parametrize("word", ["exit", "file", "export", "eval", "state.update"])
def test_no_call_touches_files_or_ends_the_server(word):
    assert not [call for call in CALLS if word in call]


@pytest.mark.parametrize(
    ("name", "given", "sane"),
    [
        ("viewport.image.push", ({"view": 1, "size": [3840, 2160], "ratio": 1},), True),
        ("viewport.image.push", ({"view": 1},), True),
        ("viewport.image.push", ({"view": 1, "size": [100_000, 100]},), False),
        ("viewport.image.push", ({"view": 1, "size": [100, -1]},), False),
        ("viewport.image.push", ({"view": 1, "ratio": 50},), False),
        ("viewport.image.push.original.size", (1, 800, 600), True),
        ("viewport.image.push.original.size", (1, 800, 1e9), False),
        ("viewport.image.push.original.size", (1, float("nan"), 600), False),
        ("viewport.image.push.quality", (1, 92, 0.5), True),
        ("viewport.image.push.quality", (1, 92, 1e9), False),
        ("viewport.image.push.quality", (1, 92, 0), False),
        ("trame.state.get", (), True),
    ],
)
def test_pictures_have_the_size_of_a_screen(name, given, sane):
    assert are_sizes_sane(name, given) == sane


def test_a_call_in_pieces_is_bounded_before_there_is_room_for_it():
    """The first piece of a call says how long the whole is."""
    chunking = pytest.importorskip("wslink.chunking")
    joiners = _Unchunkers()
    joiners["page"] = chunking.UnChunker()
    joiner = joiners["page"]
    joiner.set_max_message_size(1 << 32)  # what wslink allows once a client has said its name
    assert joiner.process_chunk(next(iter(chunking.generate_chunks(b"\x01", 0)))) == 1

    def piece(number: int, size: int) -> bytes:
        return number.to_bytes(4, "little") + bytes(4) + size.to_bytes(4, "little") + b"x"

    with pytest.raises(ValueError, match="exceeds"):
        joiner.process_chunk(piece(0, LONGEST_CALL + 1))
    with pytest.raises(ValueError, match="too many"):  # noqa: PT012
        for number in range(MOST_PENDING + 2):
            joiner.process_chunk(piece(number, LONGEST_CALL))
    assert joiner.pending_messages == {}
