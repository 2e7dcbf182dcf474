"""Records in, text out: pages, Markdown, terminal text and files for other tools.

Every function here is pure except `write_report`, which scores and writes. The names are loaded on demand,
because a page needs a template engine and a line on a terminal does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotato._names import on_demand

if TYPE_CHECKING:
    from hotato.report.benchmark import ERROR_MARKS, benchmark_markdown, benchmark_page
    from hotato.report.build import build_report_html, build_report_md, write_report
    from hotato.report.card import result_card
    from hotato.report.card_contract import contract_card
    from hotato.report.card_draw import CARD_MARK, card_svg
    from hotato.report.embed import MAX_EMBEDDED_BYTES, embeddable, flac_bytes, wav_bytes
    from hotato.report.events import EventView, event_view
    from hotato.report.junit import JUNIT_MARK, junit_xml
    from hotato.report.markdown_checks import COMMENT_MARK, comment_marker, pr_comment, step_summary
    from hotato.report.markdown_run import run_markdown
    from hotato.report.moments import MomentView, moment_views, promote
    from hotato.report.page_autopsy import autopsy_page
    from hotato.report.page_candidates import candidates_page
    from hotato.report.page_checks import CHECKS_MARK, checks_page
    from hotato.report.page_compare import COMPARE_MARK, VERIFY_MARK, compare_page, verify_page
    from hotato.report.page_run import run_page
    from hotato.report.page_timeline import timeline_page
    from hotato.report.pictures import Canvas
    from hotato.report.record_forms import RECORD_MARKS, record_markdown, record_page, record_svg
    from hotato.report.sarif import SARIF_MARK, sarif_json
    from hotato.report.spans import Moment, moments_of, spans_export
    from hotato.report.text_autopsy import autopsy_text
    from hotato.report.text_benchmark import benchmark_text
    from hotato.report.text_checks import checks_text
    from hotato.report.text_compare import compare_text, verify_text
    from hotato.report.text_investigate import investigation_text, label_commands
    from hotato.report.text_run import doctor_text, refusal_json, refusal_text, run_text
    from hotato.report.text_scan import scan_text
    from hotato.report.text_synth import robustness_text, variants_text
    from hotato.report.text_trust import trust_text

__all__ = [
    "CARD_MARK",
    "CHECKS_MARK",
    "COMMENT_MARK",
    "COMPARE_MARK",
    "ERROR_MARKS",
    "JUNIT_MARK",
    "MAX_EMBEDDED_BYTES",
    "RECORD_MARKS",
    "SARIF_MARK",
    "VERIFY_MARK",
    "Canvas",
    "EventView",
    "Moment",
    "MomentView",
    "autopsy_page",
    "autopsy_text",
    "benchmark_markdown",
    "benchmark_page",
    "benchmark_text",
    "build_report_html",
    "build_report_md",
    "candidates_page",
    "card_svg",
    "checks_page",
    "checks_text",
    "comment_marker",
    "compare_page",
    "compare_text",
    "contract_card",
    "doctor_text",
    "embeddable",
    "event_view",
    "flac_bytes",
    "investigation_text",
    "junit_xml",
    "label_commands",
    "moment_views",
    "moments_of",
    "pr_comment",
    "promote",
    "record_markdown",
    "record_page",
    "record_svg",
    "refusal_json",
    "refusal_text",
    "result_card",
    "robustness_text",
    "run_markdown",
    "run_page",
    "run_text",
    "sarif_json",
    "scan_text",
    "spans_export",
    "step_summary",
    "timeline_page",
    "trust_text",
    "variants_text",
    "verify_page",
    "verify_text",
    "wav_bytes",
    "write_report",
]

__getattr__ = on_demand(
    __name__,
    {
        "benchmark": "ERROR_MARKS benchmark_markdown benchmark_page",
        "moments": "MomentView moment_views promote",
        "page_autopsy": "autopsy_page",
        "page_candidates": "candidates_page",
        "text_autopsy": "autopsy_text",
        "text_benchmark": "benchmark_text",
        "build": "build_report_html build_report_md write_report",
        "card": "result_card",
        "card_contract": "contract_card",
        "card_draw": "CARD_MARK card_svg",
        "embed": "MAX_EMBEDDED_BYTES embeddable flac_bytes wav_bytes",
        "events": "EventView event_view",
        "pictures": "Canvas",
        "junit": "JUNIT_MARK junit_xml",
        "markdown_checks": "COMMENT_MARK comment_marker pr_comment step_summary",
        "markdown_run": "run_markdown",
        "page_checks": "CHECKS_MARK checks_page",
        "page_compare": "COMPARE_MARK VERIFY_MARK compare_page verify_page",
        "page_run": "run_page",
        "page_timeline": "timeline_page",
        "record_forms": "RECORD_MARKS record_markdown record_page record_svg",
        "sarif": "SARIF_MARK sarif_json",
        "text_checks": "checks_text",
        "text_compare": "compare_text verify_text",
        "text_investigate": "investigation_text label_commands",
        "text_run": "doctor_text refusal_json refusal_text run_text",
        "text_scan": "scan_text",
        "text_synth": "robustness_text variants_text",
        "spans": "Moment moments_of spans_export",
        "text_trust": "trust_text",
    },
)
