"""The vendors: what hotato knows about each platform. A vendor's name appears nowhere else."""

from hotato.stacks.channels import STACK_NAMES, UNMAPPED_STACKS, ChannelMap, channel_map

__all__ = ["STACK_NAMES", "UNMAPPED_STACKS", "ChannelMap", "channel_map"]
