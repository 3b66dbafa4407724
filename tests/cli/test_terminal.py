from sidecar.cli.terminal import printable


def test_what_a_terminal_would_obey_is_left_out() -> None:
    assert printable("a\x1b[2Jb\x07\x9b31m\r\n\tc\u202ed é\xa0語 👩‍💻") == "a[2Jb31m\n\tcd é\xa0語 👩‍💻"
