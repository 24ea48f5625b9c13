# SPDX-License-Identifier: Apache-2.0
"""The SDK's Core Bluetooth beside the least that a reading needs (least_reader.c) and beside bleak, by turns in one guest: how long
from the first advertisement to the decoded record, and in how much memory.

  usage: comparison.py FOLDER     the folder has the compiled least_reader

The ratio of two readers is that of each round, and of these the mean of the middle two thirds: what else the machine does makes
single readings longer. That mean still varies by 0.02 from run to run on an idle machine, and is 0.08 higher on a busy one, so the
limits here leave a margin to what is measured (Documentation/measurements.md), and more rounds are made before one that is exceeded counts."""
import asyncio
import os
import statistics
import subprocess
import sys

import reading_trace
from bluez import Remote

ROUNDS, MOST_ROUNDS = 12, 36
LIMIT_OF_TIME = 1.30        # of the least
LIMIT_OF_BLEAK = 1          # of bleak's time
LIMIT_OF_MEMORY = 0.5       # of bleak's
HERE = os.path.dirname(__file__)
OURS, LEAST, BLEAK = 'Core Bluetooth', 'sd-bus in C', 'bleak'
READERS = {
    OURS: [os.environ['SANTORIO_SMALL'] + '/BlueZLabReader'],
    LEAST: [sys.argv[1] + '/least_reader'],
    BLEAK: [sys.executable, os.path.join(HERE, 'bleak_reader.py')],
}
ADAPTER = ('org.bluez', '/org/bluez/hci0')


def busctl(*words):
    return subprocess.run(['busctl', '--system', *words], capture_output=True, text=True).stdout.strip()


def forget():
    """bluetoothd shall know nothing of the device beforehand."""
    busctl('call', *ADAPTER, 'org.bluez.Adapter1', 'RemoveDevice', 'o', '/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5')


async def discovering():
    """A reader may say that it scans before bluetoothd does, which is not part of the reading."""
    while busctl('get-property', *ADAPTER, 'org.bluez.Adapter1', 'Discovering') != 'b true':
        await asyncio.sleep(0.01)


async def read(command, cuff):
    """When the device began to advertise, when the record was there, and the KiB; nothing if the reader failed."""
    await cuff.ask('silent')
    await cuff.ask('reset')
    start = str((await cuff.ask('log', '999999'))['next'])
    forget()
    reader = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    try:
        async with asyncio.timeout(30):
            assert await reader.stdout.readline() == b'scanning\n'
            await discovering()
            await cuff.ask('advertise')
            words = (await reader.stdout.readline()).split()
            await reader.wait()
    except (TimeoutError, AssertionError):
        reader.kill()
        await reader.wait()
        return None
    if reader.returncode or not words:
        return None
    events = (await cuff.ask('log', start))['events']
    ended = float(words[1])
    return max(each['at'] for each in events if each['event'] == 'advertising' and each['at'] < ended), ended, int(words[2])


async def measure(name, cuff):
    """The milliseconds and the KiB of one reading."""
    # bleak now and then takes the device for lost that it has just connected.
    result = await read(READERS[name], cuff) or await read(READERS[name], cuff)
    if result is None:
        sys.exit(f'{name} failed twice')
    began, ended, memory = result
    return (ended - began) * 1000, memory, began, ended


async def make_round(number, cuff):
    """The results of one round; each reader is the first in every third."""
    names = list(READERS)
    order = names[number % 3:] + names[:number % 3]
    results = {name: await measure(name, cuff) for name in order}
    print(f'{number:3}', '   '.join(f'{name} {results[name][0]:4.0f} ms {results[name][1]:6} KiB' for name in names), flush=True)
    return results


def middle(values):
    """The mean of the middle two thirds."""
    values = sorted(values)
    left_out = len(values) // 6
    return statistics.mean(values[left_out:len(values) - left_out])


def ratio(rounds, other, column):
    return middle(each[OURS][column] / each[other][column] for each in rounds)


def judge(rounds):
    """Prints what the rounds say and returns whether all is within the limits."""
    for name in READERS:
        times = [each[name][0] for each in rounds]
        print(f'{name:14} {min(times):.0f} to {max(times):.0f} ms, median {statistics.median(times):.1f}; '
              f'{statistics.median(each[name][1] for each in rounds) / 1024:.1f} MiB')
    of_least, of_bleak, memory = ratio(rounds, LEAST, 0), ratio(rounds, BLEAK, 0), ratio(rounds, BLEAK, 1)
    later = sum(each[OURS][0] >= each[BLEAK][0] for each in rounds)
    print(f'{len(rounds)} rounds: time {of_least:.3f} of the least, {of_bleak:.3f} of bleak\'s, '
          f'later than bleak in {later}; memory {memory:.3f} of bleak\'s', flush=True)
    return of_least <= LIMIT_OF_TIME and of_bleak < LIMIT_OF_BLEAK and memory < LIMIT_OF_MEMORY


def print_phases(rounds):
    """The medians of the phases of a reading, in milliseconds."""
    happened = reading_trace.radio(reading_trace.offset_of_clocks())
    columns = {}
    for name in READERS:
        found = [reading_trace.phases(happened, *each[name][2:]) for each in rounds]
        columns[name] = [statistics.median(column) for column in zip(*filter(None, found))]
    print(' ' * 38, *(f'{name:>16}' for name in READERS))
    for number, phase in enumerate(reading_trace.PHASES):
        print(f'{phase:38}', *(f'{columns[name][number]:16.1f}' for name in READERS), flush=True)


async def trace_each(cuff):
    """One traced reading of each, in the output folder."""
    for name, command in READERS.items():
        stop = await reading_trace.start()
        result = await read(command, cuff)
        await stop()
        if result:
            with open(f'/mnt/out/trace-{name.replace(" ", "-")}.txt', 'w') as file:
                print(*reading_trace.lines(*result[:2]), sep='\n', file=file)


async def main():
    cuff = Remote('cuff')
    await make_round(0, cuff)       # reads the programs from the disk, and does not count
    rounds, is_within = [], False
    while not is_within and len(rounds) < MOST_ROUNDS:
        for _ in range(ROUNDS):
            rounds.append(await make_round(len(rounds) + 1, cuff))
        is_within = judge(rounds)
    print_phases(rounds)
    await trace_each(cuff)
    sys.exit(not is_within)

asyncio.run(main())
