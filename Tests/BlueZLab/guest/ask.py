# SPDX-License-Identifier: Apache-2.0
"""Sends a line to a control socket, prints the line that comes back; fails if the answer is no: ask.py SOCKET WORD…"""
import json
import shlex
import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(60)
    connection.connect(sys.argv[1])
    connection.sendall(shlex.join(sys.argv[2:]).encode() + b'\n')
    answer = connection.makefile().readline()
good = bool(answer) and json.loads(answer)['ok']
print(answer or 'no answer', end='', file=sys.stdout if good else sys.stderr)
sys.exit(0 if good else 1)
