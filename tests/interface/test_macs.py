"""MAC addresses are read in the notations of devices, e-mails and other programs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.texts import mac_address, mac_part

KEPT = "00:1b:2c:3d:4e:5f"

#: Addresses that one device can have.
ADDRESSES = st.binary(min_size=6, max_size=6).filter(lambda octets: any(octets) and not octets[0] & 1)


@pytest.mark.parametrize(
    "written",
    [
        "00:1b:2c:3d:4e:5f",
        "00:1B:2C:3D:4E:5F",
        "00-1B-2C-3D-4E-5F",
        "001b.2c3d.4e5f",
        "001b2c3d4e5f",
        "001B2C-3D4E5F",
        "00 1b 2c 3d 4e 5f",
        "001b:2c3d:4e5f",
        "  001B2C3D4E5F\n",
    ],
)
def test_every_common_notation_is_the_same_address(written: str) -> None:
    assert mac_address(written) == KEPT


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "needs 12"),
        ("001b2c3d4e5", "needs 12"),
        ("001b2c3d4e5f6", "needs 12"),
        ("00:1b:2c:3d:4e", "needs 12"),
        ("00:1b:2c:3d:4e:5f:60", "needs 12"),
        ("02-da-f3-c3-af-4", "needs 12"),
        ("0:1b:2c:3d:4e:5f", "needs 12"),
        ("00:1b:2c3d:4e:5f", "needs 12"),
        ("00:1b:2c:3d:4e:5g", "has “g”, which is no hexadecimal digit"),
        ("OO:1b:2c:3d:4e:5f", "has “O”"),
        ("00_1b_2c_3d_4e_5f", "has “_”"),
        ("0x001b2c3d4e5f", "has “x”"),
        ("00:00:00:00:00:00", "all zeros"),
        ("ff:ff:ff:ff:ff:ff", "multicast"),
        ("01:00:5e:00:00:01", "multicast"),
    ],
)
def test_invalid_addresses_are_refused_with_the_reason(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        mac_address(written)


@given(ADDRESSES, st.sampled_from(":-. "), st.sampled_from((2, 4, 6, 12)), st.booleans())
def test_any_grouping_of_any_address_is_read_back(octets: bytes, separator: str, group: int, capitals: bool) -> None:
    digits = octets.hex()
    written = separator.join(digits[at : at + group] for at in range(0, 12, group))
    kept = mac_address(written.upper() if capitals else written)
    assert kept == octets.hex(":")
    assert mac_address(kept) == kept


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_refused_with_a_sentence(text: str) -> None:
    try:
        assert len(mac_address(text)) == 17
    except ValueError as refusal:
        assert str(refusal)


def test_a_part_is_searched_in_any_notation() -> None:
    assert mac_part("2C-3d") == mac_part("2c:3D") == mac_part("2c3d") == "2c3d"
    assert mac_part("desk") == ""
