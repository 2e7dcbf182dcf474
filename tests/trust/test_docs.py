"""docs/TRUST.md runs, and names every code with the limits that the code has."""

from __future__ import annotations

import re
from pathlib import Path

from hotato.timing import MUSIC
from hotato.timing.health import HealthParams
from hotato.timing.robust import SHORT_RECORDING
from hotato.timing.robust.params import MusicParams
from hotato.trust import TrustParams

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "TRUST.md").read_text()


def test_the_python_example_runs(studio, monkeypatch, capsys):
    studio.heard(studio.call())
    monkeypatch.chdir(studio.file.parent)
    for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(compile(block, "TRUST.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == ["eligible for scan 0", "[]"]


def test_every_code_of_the_room_is_on_the_page_and_no_other():
    sources = [*(ROOT / "src/hotato/trust").glob("causes_*.py"), ROOT / "src/hotato/timing/health.py"]
    text = "".join(path.read_text() for path in sources)
    raised = set(re.findall(r'code="(\w+)"', text)) | set(re.findall(r'Reason\(\s*"(\w+)"', text))
    raised |= {SHORT_RECORDING, MUSIC}
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)) == raised


def test_the_limits_on_the_page_are_those_of_the_code():
    params, health = TrustParams(), HealthParams()
    for code, limit in {
        "possible_swap": f"at least {params.pair.swap_ratio} times",
        "both_parties_on_both_channels": f"at {params.pair.copy.mutual_db:.0f} dB",
        "leakage": f"at {params.pair.copy.flag_db:.0f} dB or more",
        "channel_ends_early": f"for {params.flow.end_min_sec:.0f} s or more",
        "drop_outs": f"within {params.flow.drop_near_sec} s",
        "repeated_blocks": f"to {params.flow.repeat_longest_sec * 1e3:.0f} ms",
        "level_step": f"by {params.flow.gain_step_db:.0f} dB",
        "clipping": f"{params.signal.clipped_fraction:.2%}".replace("%", " %"),
        "low_level": f"below {params.signal.low_level_dbfs:.0f} dBFS",
        "dc_offset": f"{health.dc_limit:.1%}".replace("%", " %"),
        "hum": f"within {health.hum_headroom_db:.0f} dB",
        "low_snr": f"less than {health.snr_limit_db:.0f} dB",
        "low_headroom": f"less than {health.headroom_limit_db:.0f} dB",
        "music": f"less than {MusicParams().over_music_db:.0f} dB",
        "noise_step": f"by {health.step_limit_db:.0f} dB",
        "rate_mislabelled": f"fewer than {params.rate.slow_hz} times",
    }.items():
        (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{code}` |"))
        assert limit in row, code
    assert f"less than {params.min_activity_sec} s of sound" in PAGE
