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
print(answer, end='')
sys.exit(0 if answer and json.loads(answer)['ok'] else 1)
