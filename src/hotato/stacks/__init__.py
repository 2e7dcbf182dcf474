"""The vendors: what hotato knows about each platform. A vendor's name appears nowhere else."""

from hotato.stacks.channels import PULLABLE, STACK_NAMES, ChannelMap, channel_map
from hotato.stacks.projects import CARRIERS, PROJECTS, Project, stack_of_package

__all__ = [
    "CARRIERS",
    "PROJECTS",
    "PULLABLE",
    "STACK_NAMES",
    "ChannelMap",
    "Project",
    "channel_map",
    "stack_of_package",
]
