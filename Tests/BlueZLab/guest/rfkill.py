# SPDX-License-Identifier: Apache-2.0
"""Blocks or unblocks all radios, as the switch of a notebook does: rfkill.py block|unblock"""
import struct
import sys

CHANGE_ALL, BLUETOOTH = 3, 2

with open('/dev/rfkill', 'wb', buffering=0) as switch:
    switch.write(struct.pack('<IBBBB', 0, BLUETOOTH, CHANGE_ALL, sys.argv[1] == 'block', 0))
