# SPDX-License-Identifier: Apache-2.0
"""Does with bleak what Tests/BlueZLab/BlueZLabReader does with the SDK's Core Bluetooth, and says the same of it."""
import asyncio
import re
import struct
import time

from bleak import BleakClient, BleakScanner

SERVICE, MEASUREMENT = (f'0000{number}-0000-1000-8000-00805f9b34fb' for number in ('1810', '2a35'))


def resident():
    return int(re.search(r'VmRSS:\s*(\d+)', open('/proc/self/status').read())[1])


async def main():
    found, measured = asyncio.get_running_loop().create_future(), asyncio.Event()

    def came(_, value):
        if not measured.is_set():
            systolic, = struct.unpack_from('<H', value, 1)
            print('record', time.monotonic(), resident(), systolic, flush=True)
            measured.set()
    async with BleakScanner(lambda device, _: found.done() or found.set_result(device), [SERVICE]):
        print('scanning', flush=True)
        device = await found
    async with BleakClient(device) as client:
        await client.start_notify(MEASUREMENT, came)
        await measured.wait()

asyncio.run(main())
