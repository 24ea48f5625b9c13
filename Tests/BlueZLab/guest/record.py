# SPDX-License-Identifier: Apache-2.0
"""Records everything between the kernel, its controllers and bluetoothd in the file named, for `tshark -r`.

btmon 5.66 could do it but for a fault: attribute protocol traffic makes it crash.
"""
import ctypes
import os
import socket
import struct
import sys
import time

BLUETOOTH, HCI, MONITOR, NO_DEVICE = 31, 1, 2, 0xFFFF
SINCE_YEAR_0 = 0x00DCDDB30F2F8000   # microseconds to 1970

recorder = socket.socket(BLUETOOTH, socket.SOCK_RAW, HCI)
# Python's own bind knows no channels.
libc = ctypes.CDLL(None, use_errno=True)
address = struct.pack('<HHH', BLUETOOTH, NO_DEVICE, MONITOR)
if libc.bind(recorder.fileno(), address, len(address)):
    sys.exit(os.strerror(ctypes.get_errno()))

with open(sys.argv[1], 'wb', buffering=0) as trace:
    trace.write(b'btsnoop\0' + struct.pack('>II', 1, 2001))
    while True:
        packet = recorder.recv(65536)
        kind, device, size = struct.unpack_from('<HHH', packet)
        stamp = time.time_ns() // 1000 + SINCE_YEAR_0
        trace.write(struct.pack('>IIIIQ', size, size, device << 16 | kind, 0, stamp) + packet[6:6 + size])
