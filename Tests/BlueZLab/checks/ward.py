# SPDX-License-Identifier: Apache-2.0
"""A server, a hub and the devices of its patients in one guest, for the scenarios of `santorio hub`."""
import datetime
import json
import os
import re
import shlex
import signal
import socket
import struct
import subprocess
import time
import urllib.request

PROGRAM = os.environ['PROGRAM']
LOGS = '/mnt/out'
BOUND = 60          # seconds for whatever has to happen; on an emulated processor it may take that long


def say(*words):
    print(f'{time.monotonic():8.2f} ', *words, flush=True)


class Failure(Exception):
    pass


def until(what, probe, seconds=BOUND):
    """What the probe returns once that is true, and a failure if it is not by then."""
    end = time.monotonic() + seconds
    while not (found := probe()):
        if time.monotonic() > end:
            raise Failure(f'{what}: not within {seconds} s')
        time.sleep(0.05)
    return found


def run(*words, expected=0, seconds=3 * BOUND):
    """Runs the program as a person does, and returns what it says."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    text = done.stdout + done.stderr
    if expected is not None and done.returncode != expected:
        raise Failure(f'{shlex.join(words[1:])}: exit status {done.returncode} in place of {expected}: {text}')
    return text


def lab(*words):
    subprocess.run(['lab', *words], check=True, stdout=subprocess.DEVNULL, timeout=2 * BOUND)


def ask(path, line):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2 * BOUND)
        connection.connect(path)
        connection.sendall(line.encode() + b'\n')
        return json.loads(connection.makefile().readline())


class Server:
    """santorio serve."""
    ADDRESS, TOKEN = 'http://127.0.0.1:8080', 'administrator-of-the-lab'

    def __init__(self, folder):
        environment = {**os.environ, 'SANTORIO_ADMIN_TOKEN': self.TOKEN}
        log = open(LOGS + '/serve.log', 'a')
        self.process = subprocess.Popen([PROGRAM, 'serve', '--data', folder], env=environment, stdout=log, stderr=log)
        until('the server answers', self.answers)

    def answers(self):
        try:
            return self.web(self.TOKEN, '/healthz', parse=False)
        except OSError:
            return None

    def web(self, token, path, body=None, parse=True):
        request = urllib.request.Request(self.ADDRESS + path, data=body and json.dumps(body).encode(),
                                         headers={'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'})
        text = urllib.request.urlopen(request, timeout=BOUND).read()
        return json.loads(text) if parse else text

    def user(self, uid):
        """The identifier and the token of a new user."""
        account = self.web(self.TOKEN, '/v1/organizations/lab/users', {'uid': uid})
        return account['id'], account['mobile']['token']

    def records(self, account):
        """All that it has of a user, in the order of arrival."""
        identifier, token = account
        records, after = [], ''
        while True:
            page = self.web(token, f'/v1/organizations/lab/users/{identifier}/records{after}')
            records += page['records']
            if 'next' not in page:
                return records
            after = '?after=' + page['next']

    def stand_still(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)


class Hub:
    """santorio hub run, with its configuration."""
    SOCKET = '/run/santorio/hub.sock'

    def __init__(self, folder, server):
        self.folder, self.file, self.server, self.process = folder + '/hub', folder + '/hub.json', server, None
        self.accounts = {}
        os.makedirs('/run/santorio', mode=0o755, exist_ok=True)

    def add(self, alias):
        """Adds a patient to the file."""
        self.accounts[alias] = self.server.user(alias)
        patients = []
        for name, (user, token) in self.accounts.items():
            path = f'{self.file}.{name}.token'
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as file:
                file.write(token)
            patients.append({'alias': name, 'user': user, 'organization': 'lab', 'token': {'file': path}})
        with open(self.file, 'w') as file:
            json.dump({'name': 'lab', 'folder': self.folder, 'radio': 'bluez:hci0', 'server': Server.ADDRESS, 'patients': patients,
                       'control': {'socket': self.SOCKET, 'uids': []}}, file, indent=1)
        os.chmod(self.file, 0o644)

    def start(self):
        log = open(LOGS + '/hub.log', 'a')
        print(f'==== {time.monotonic():.2f}', file=log, flush=True)
        self.process = subprocess.Popen([PROGRAM, 'hub', 'run', '--config', self.file], stdout=log, stderr=log)

    def is_up(self):
        if self.process.poll() is not None:
            raise Failure(f'the hub has ended: exit status {self.process.returncode}')
        try:
            return self.status()
        except OSError:
            return None

    def restart(self):
        """Starts it, and waits until all sessions are open."""
        began = time.monotonic()
        self.start()
        until('the hub is up', lambda: (status := self.is_up()) and all(each['upload']['works'] for each in status['patients']))
        return time.monotonic() - began

    def kill(self, device=None):
        """Kills it; returns who had listened to a device until then."""
        before = device and device.listeners()
        self.process.kill()
        self.process.wait()
        return before

    def ask_to_end(self):
        """As systemd does."""
        self.asked = time.monotonic()
        self.process.terminate()

    def ended(self):
        """Waits for the end, and returns how long it took since it was asked for."""
        if status := self.process.wait(BOUND):
            raise Failure(f'the hub was to end with 0, and ended with {status}')
        return time.monotonic() - self.asked

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def status(self):
        return ask(self.SOCKET, '{"request": "status"}')['status']

    def patient(self, alias):
        return next((each for each in self.status()['patients'] if each['alias'] == alias), None)

    def device(self, identifier):
        return next((device for patient in self.status()['patients'] for device in patient['devices'] if device['device'] == identifier), None)

    def command(self, *words, expected=0):
        return run(PROGRAM, 'hub', *words, '--socket', self.SOCKET, expected=expected)

    def enroll(self, what, alias, *options, expected=0):
        """Enrols a model or a device with all that it has, and returns the identifier of the device."""
        words = ['enroll', str(what), '--patient', alias, '--yes', '--with-memory', *options]
        try:
            text = self.command(*words, expected=expected)
        except Failure as failure:
            # bluetoothd 5.66 may lose a request that asks for a bond (DELAY in controller.py): a person would try it again.
            if 'ATT error 0xE' not in str(failure):
                raise
            say('once more:', failure)
            text = self.command(*words, expected=expected)
        return expected == 0 and re.search(r'([0-9A-F-]{36})', text).group(1)


class Clock:
    """Each measurement of the ward has a minute of its own, by which it is recognised."""
    number = 0

    @classmethod
    def tick(cls):
        cls.number += 1
        return datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=cls.number)


class Device:
    """A peer of the lab, and what its patient has measured with it. It advertises when it has something to tell."""

    def __init__(self, name, kind, patient, number, *options):
        self.name, self.kind, self.patient, self.identifier = name, kind, patient, None
        self.measured, self.from_event, self.records = [], 0, 20 * number
        lab('peer', name, kind, '--name', f'Lab {name}', '--serial', f'LAB-{number:04}', '--address', f'F0:F1:F2:F3:F4:{number:02X}', '--silent',
            '--timeout', '20', *options)
        self.ask('clear')

    def ask(self, *words):
        answer = ask('/run/lab/' + self.name, shlex.join(map(str, words)))
        if not answer['ok']:
            raise Failure(f'{self.name}: {words}: {answer["error"]}')
        return answer

    def measure(self, count=1, user=None):
        """Takes measurements, and returns their times."""
        times = []
        for _ in range(count):
            at = Clock.tick()
            self.records += 1
            self.ask('measure', self.encode(at, user).hex())
            times.append(at.isoformat())
        self.measured += times
        return times

    def encode(self, at, user):
        date = struct.pack('<HBBBBB', at.year, at.month, at.day, at.hour, at.minute, at.second)
        if self.kind == 'glucose':
            # Sequence number, time, mg/dL as kg/L, and where it was taken.
            return struct.pack('<BH', 2, self.records) + date + struct.pack('<HB', 0xB000 | 80 + self.records % 150, 0x11)
        if self.kind == 'thermometer':
            return struct.pack('<BI', 6, 0xFE000000 | 3600 + self.records % 150) + date + b'\x01'
        flags, person = (0x16, b'') if user is None else (0x1E, bytes([user]))
        pressure = 100 + self.records % 80
        return struct.pack('<BHHH', flags, pressure, pressure - 40, pressure - 20) + date + struct.pack('<H', 60) + person + b'\0\0'

    def is_meter(self):
        """Whether it keeps its records: the others delete what is confirmed, which bluetoothd does as soon as it has it."""
        return self.kind == 'glucose'

    # What it has seen.

    def mark(self):
        self.from_event = self.ask('log', 1 << 30)['next']

    def seen(self, *names):
        """The events of some names since the mark."""
        return [each for each in self.ask('log', self.from_event)['events'] if each['event'] in names]

    def wait(self, what, count=1):
        return until(f'{self.name} sees "{what}" {count} times', lambda: len(seen := self.seen(what)) >= count and seen)

    def listeners(self):
        """The events since the mark by which somebody began or ceased to listen."""
        return self.seen('disconnected', 'subscribed')

    def until_left(self, before):
        """Waits until it may send again, after a kill before which these were its listeners' events.

        As long as bluetoothd has not noticed that, it confirms what it is sent, and nobody gets it."""
        if before and before[-1].get('on') is True:
            until(f'nobody listens to {self.name}', lambda: len(self.listeners()) > len(before))
        else:
            # What the killed one has just asked for may still arrive: the device is tired of it.
            self.ask('drop')
            until(f'{self.name} is left alone', lambda: time.monotonic() > max([each['at'] for each in self.listeners()], default=0) + 0.3)
