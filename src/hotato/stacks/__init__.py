"""The vendors: what hotato knows about each platform. A vendor's name appears nowhere else."""

from hotato.stacks.channels import STACK_NAMES, UNMAPPED_STACKS, ChannelMap, channel_map
from hotato.stacks.projects import CARRIERS, PROJECTS, Project, stack_of_package

__all__ = [
    "CARRIERS",
    "PROJECTS",
    "STACK_NAMES",
    "UNMAPPED_STACKS",
    "ChannelMap",
    "Project",
    "channel_map",
    "stack_of_package",
]
