# SPDX-License-Identifier: Apache-2.0
"""The SDK's Core Bluetooth beside bleak, by turns in one guest: how long from the first advertisement to the decoded record, and in
how much memory. Fails when the SDK is later in nearly all pairs of readings or takes half of the memory: the medians of the times are
printed and not judged: beside other guests they say little."""
import asyncio
import os
import statistics
import subprocess
import sys

from bluez import Remote

ROUNDS = 8
LATE_ROUNDS = 7
CLIENTS = {
    'CoreBluetooth': [os.environ['SANTORIO_SMALL'] + '/BlueZLabReader'],
    'bleak': [sys.executable, os.path.join(os.path.dirname(__file__), 'bleak_reader.py')],
}


def forget():
    """bluetoothd shall know nothing of the device beforehand."""
    device = '/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5'
    subprocess.run(['busctl', '--system', 'call', 'org.bluez', '/org/bluez/hci0', 'org.bluez.Adapter1', 'RemoveDevice', 'o', device],
                   capture_output=True)


async def measure(command, cuff):
    """The milliseconds and the KiB of one reading; nothing if the client failed."""
    await cuff.ask('silent')
    await cuff.ask('reset')
    forget()
    client = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    try:
        async with asyncio.timeout(30):
            assert await client.stdout.readline() == b'scanning\n'
            await cuff.ask('advertise')
            words = (await client.stdout.readline()).split()
            await client.wait()
    except (TimeoutError, AssertionError):
        client.kill()
        return None
    if client.returncode or not words:
        return None
    events = (await cuff.ask('log'))['events']
    started = [each['at'] for each in events if each['event'] == 'advertising']
    began = max(at for at in started if at < float(words[1]))
    return (float(words[1]) - began) * 1000, int(words[2])


async def main():
    cuff = Remote('cuff')
    results = {name: [] for name in CLIENTS}
    for _ in range(ROUNDS):
        for name, command in CLIENTS.items():
            # bleak now and then takes the device for lost that it has just connected.
            result = await measure(command, cuff) or await measure(command, cuff)
            if result is None:
                sys.exit(f'{name} failed twice')
            results[name].append(result)
            print(f'{name:14} {result[0]:6.0f} ms  {result[1]} KiB', flush=True)
    median = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}
    for name, (time, memory) in median.items():
        print(f'{name:14} median {time:.0f} ms, {memory / 1024:.1f} MiB')
    (our_time, our_memory), (their_time, their_memory) = median.values()
    late = sum(ours[0] > theirs[0] for ours, theirs in zip(*results.values()))
    print(f'time {our_time / their_time:.2f} of bleak\'s, later in {late} of {ROUNDS}; memory {our_memory / their_memory:.3f}')
    sys.exit(late >= LATE_ROUNDS or our_memory >= their_memory / 2)

asyncio.run(main())
