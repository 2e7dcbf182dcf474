"""Costs come from the user's own figures, or not at all."""

from __future__ import annotations

import pytest

from hotato.errors import Refusal
from hotato.find import autopsy_json, cost_config, stored_envelope

GOOD = b'{"currency": "USD", "per_incident": {"barge-in": 2.0, "dead-air": 3}}'


def test_incidents_with_a_figure_are_priced_and_added_up(open_call) -> None:
    opened = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0, costs=cost_config(GOOD))
    assert opened.currency == "USD" and opened.incidents[0].cost == 2.0
    assert ("est. cost", "2.00 USD (barge-in)") in opened.incidents[0].facts
    record = autopsy_json(opened, report_path="a.html", envelope_path="a.json")
    assert record["cost"] == {"currency": "USD", "estimated_total": 2.0, "priced_incidents": 1}


def test_the_stored_envelope_never_holds_a_cost(open_call) -> None:
    priced = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0, costs=cost_config(GOOD))
    plain = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0)
    assert stored_envelope(priced) == stored_envelope(plain)
    assert plain.incidents[0].cost is None and plain.currency is None


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"currency": "USD"}',
        b'{"currency": "USD", "per_incident": {}, "extra": 1}',
        b'{"currency": "USD", "per_incident": {"barge_in": 1.0}}',
        b'{"currency": "USD", "per_incident": {"barge-in": -1.0}}',
        b'{"currency": "USD", "per_incident": {"barge-in": NaN}}',
        b'{"currency": "USD", "per_incident": {"barge-in": 1e999}}',
        b'{"currency": "USD", "per_incident": {"barge-in": "2"}}',
        b'{"currency": "USD", "per_incident": {"barge-in": true}}',
        b'{"currency": 3, "per_incident": {}}',
        b'{"currency": "", "per_incident": {}}',
        b'{"currency": "a very long text", "per_incident": {}}',
        b'{"currency": "U\\nD", "per_incident": {}}',
    ],
)
def test_a_config_that_cannot_be_meant_is_refused_in_one_line(bad) -> None:
    with pytest.raises(Refusal) as caught:
        cost_config(bad)
    assert caught.value.code == "bad_cost_config"
    assert caught.value.remedy and "\n" not in str(caught.value)
