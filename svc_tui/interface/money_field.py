"""The type of fields with an amount of money. What is done with amounts is in `money`, which loads no records."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import PlainSerializer

#: A decimal amount. JSON has binary numbers only: the shortest text of a number is the intended amount.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
