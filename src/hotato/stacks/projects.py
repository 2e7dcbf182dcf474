"""How a project that builds on a platform looks: the packages it names, and how its recordings are had."""

from __future__ import annotations

import re

import msgspec

PULL = "auto-pull"
"""The platform keeps the recording, and an account key reads it."""

CAPTURE = "capture-in-your-infra"
"""The project's own deployment writes the recording."""


class Project(msgspec.Struct, frozen=True):
    """What a project on a platform has.

    Attributes:
        access: `auto-pull` or `capture-in-your-infra`.
        credentials: the environment variables that hold its account keys; never their values.
        packages: names of its packages, as `normalised` writes them; one that ends with `-` or `/` stands for
            every name that begins so.
        recording: how to have a recording with one party on each channel, in one sentence.
    """

    access: str
    credentials: tuple[str, ...]
    packages: tuple[str, ...]
    recording: str


PROJECTS = {
    "generic": Project(
        CAPTURE, (), (), "Record the call with the caller on the first channel and the agent on the second."
    ),
    "vapi": Project(
        PULL,
        ("VAPI_API_KEY",),
        ("@vapi-ai/", "vapi-server-sdk", "vapi-python"),
        "Download the stereo recording of the call from the call's artifact.",
    ),
    "retell": Project(
        PULL,
        ("RETELL_API_KEY",),
        ("retell-sdk", "retell-client-js-sdk"),
        "Download the multi-channel recording of the call.",
    ),
    "twilio": Project(
        PULL,
        ("TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"),
        ("twilio", "twilio-video", "@twilio/"),
        "Record the call with two channels (RecordingChannels=dual) and download it as WAV.",
    ),
    "livekit": Project(
        CAPTURE,
        (),
        ("livekit", "livekit-", "@livekit/"),
        "Record each participant with a track egress of its own, or with the dual-channel egress.",
    ),
    "pipecat": Project(
        CAPTURE,
        (),
        ("pipecat-ai", "pipecat-", "@pipecat-ai/"),
        "Put an audio buffer processor with two channels into the pipeline and write what it collects.",
    ),
}
"""By stack."""

CARRIERS = frozenset({"twilio"})
"""Stacks that carry the audio of other stacks: beside another one, that other one is meant."""


def normalised(package: str) -> str:
    """A package's name in lower case with single hyphens, as indexes compare names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package.strip().lower())


def stack_of_package(package: str) -> str | None:
    """The stack whose package this is, or None."""
    name = normalised(package)
    for stack, project in PROJECTS.items():
        for known in project.packages:
            if name == known or (known.endswith(("-", "/")) and name.startswith(known)):
                return stack
    return None
