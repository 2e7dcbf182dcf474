"""Costs of incidents, from the user's own figures only. There is no default amount."""

from __future__ import annotations

import math

import msgspec

from hotato.canonical import decode_json
from hotato.errors import Refusal
from hotato.find.wording import TITLES

_CURRENCY_CHARS = 8
_REMEDY = 'write it like {"currency": "USD", "per_incident": {"dead-air": 3.0}}'


class CostConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one incident of each kind costs.

    Attributes:
        currency: short text shown beside the amounts.
        per_incident: amount for each kind (`dead-air`, `barge-in`, ...); a kind without one has no cost.
    """

    currency: str
    per_incident: dict[str, float]


def cost_config(data: str | bytes) -> CostConfig:
    """Read a cost configuration (JSON).

    Raises:
        Refusal: `bad_cost_config`: not such JSON, an unknown kind, an amount that is negative or not finite,
            or a currency that is not a short text.
    """
    try:
        costs: CostConfig = decode_json(data, "the cost config", CostConfig)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise _refusal(str(error)) from error
    except RecursionError:
        raise _refusal("its brackets are nested too deeply") from None
    for kind, amount in costs.per_incident.items():
        if kind not in TITLES:
            raise _refusal(f"'{kind[:40]}' is no kind of incident; the kinds are {', '.join(TITLES)}")
        if not math.isfinite(amount) or amount < 0:
            raise _refusal(f"the amount for '{kind}' must be a finite number of 0 or more")
    if not 0 < len(costs.currency.strip()) <= _CURRENCY_CHARS or not costs.currency.isprintable():
        raise _refusal(f"the currency must be a text of 1 to {_CURRENCY_CHARS} characters")
    return costs


def _refusal(reason: str) -> Refusal:
    return Refusal("bad_cost_config", f"the cost config cannot be used: {reason}", _REMEDY)
