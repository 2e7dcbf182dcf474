"""The Failure Record: a result that did not pass, as a document that can be shown and checked by anybody."""

from hotato.failure.check import Checked, check_record, read_record, verify_record
from hotato.failure.project import record_id, record_of, records_of
from hotato.failure.records import LANES, FailureRecord

__all__ = [
    "LANES",
    "Checked",
    "FailureRecord",
    "check_record",
    "read_record",
    "record_id",
    "record_of",
    "records_of",
    "verify_record",
]
