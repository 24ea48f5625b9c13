# SPDX-License-Identifier: Apache-2.0
"""What stands in for commands that `Scripts/check-commands` cannot run as they are, and what each of them checks instead.

  usage: command_stand_ins.py NAME [ARGUMENT...]      within a check only

Folders of the system are folders below a temporary one, ROOT: the commands' texts and files name those. The command line is the one
that was built, on the simulated radio. What keeps running is started, waited for, and stopped at the end."""
import functools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

# MARK: - The tables

# Commands that nothing can check but their syntax: document and text, and why. One that no document has any more is a fault.
ONLY_PARSED = {
    ("Documentation/server.md", "sudo systemctl restart nginx"): "`Scripts/check nginx` runs nginx with the example's configuration",
}
# What a reader puts in the place of a text: that of a document. What is in braces is found out when it is needed.
PLACEHOLDERS = {"<this repository>": "this-repository", "TOKEN": "{token}", "USER": "{user}", "http://127.0.0.1:8080": "{server}"}
# Folders of the system that are below ROOT in a check.
SYSTEM_FOLDERS = r"(?<![\w.$}/-])/(?=(?:etc/(?:santorio|systemd/system|credstore\.encrypted)|usr/local/bin|var/lib/santorio[\w-]*|run/santorio[\w-]*|srv)(?![\w-]))"
# What has to be there before the commands of a document, in words of a shell.
PREPARATIONS = {
    "Documentation/gateway.md": [
        "santorio serve --data /var/lib/santorio-server",  # it is for the readers of server.md
        "santorio user add bed-1 --organization clinic --scope write --data /var/lib/santorio-server",
        "santorio user add bed-2 --organization clinic --scope write --data /var/lib/santorio-server",
    ],
    "Documentation/displays.md": [
        "draw-display photo.jpg 118 78 70", "mkdir photos && cp photo.jpg photos",
        """echo '{"file": "photo.jpg", "category": "cuff", "truth": ["118", "78", "70"], "labels": ["sys", "dia", "pulse"], "display_quad": null, "split": "dev"}' >photos.jsonl""",
    ],
}
# What has to be there before a command, by its beginning.
PREPARED_COMMANDS = {
    # The monitor and the scale of the example have been paired by then.
    "santorio-gateway devices --data": ["santorio-gateway pair BM54 --data /var/lib/santorio/hub", "santorio-gateway pair MI_SCALE --data /var/lib/santorio/hub"],
}
# What has to be true after the commands of a document.
UPLOADED = ("found=; for attempt in $(seq 100); do santorio user show $(santorio user list --organization clinic --data {0} | awk '$3 == \"{1}\" {{print $1}}') "
            "--organization clinic --data {0} | grep -E '^records +[1-9]' && found=1 && break; sleep 0.1; done; test $found")
CONCLUSIONS = {
    "README.md": [UPLOADED.format("data/server", "bed-1")],
    "Documentation/gateway.md": [UPLOADED.format("/var/lib/santorio-server", user) for user in ("ward-7-bed-2", "bed-1", "bed-2")],
}
# The status of commands that end with another one than 0, and whose output is compared with the messages in sources, since the machine
# decides which of them come.
MESSAGES = {"santorio doctor": ({0, 1}, ("Sources/Programs/GatewayDiagnosis", "Sources/Programs/santorio/Doctor"))}
# By what a program that keeps running is known to run.
READY = {"serve": "listening on", "demo": r"(?s)live page.*\d mmHg", "hub": "reading for", "read": "waiting for devices|no device is enrolled"}
READY_TIME, END_TIME = 60, 20

STAND_INS = {}


class Fault(Exception):
    pass


def stand_in(name, reason):
    def register(function):
        STAND_INS[name] = (reason, function)
        return function
    return register


# MARK: - The check that this belongs to

@functools.cache
def root():
    return pathlib.Path(os.environ["CHECK_COMMANDS_ROOT"])


@functools.cache
def setting(name):
    return json.loads((root() / "settings.json").read_text())[name]


def mapped(text):
    """The text with the system's folders below ROOT."""
    return re.sub(SYSTEM_FOLDERS, f"{root()}/", text)


def replaced(text):
    """The text with what a reader puts in the places of others."""
    for place, value in PLACEHOLDERS.items():
        found = re.compile(rf"(?<!\w){re.escape(place)}(?!\w)")
        if found.search(text):
            value = server() if value == "{server}" else list(users().values())[-1][value[1:-1]] if value.startswith("{") else value
            text = found.sub(value, text)
    return text


def note(name, reason):
    with open(root() / "calls.jsonl", "a") as calls:
        calls.write(json.dumps({"name": name, "reason": reason}) + "\n")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], **more)


def output(*command):
    """What a real program prints, without the stand-ins."""
    path = os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if not folder.startswith(str(root())))
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, PATH=path), stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Fault(f"{shlex.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


# MARK: - The command line

@stand_in("santorio", "no Bluetooth adapter: the simulated radio; what keeps running runs until the end of the document")
def santorio(arguments):
    command, changed = arguments[:1], False
    command = command[0] if command else ""
    more = []
    if command in ("scan", "pair", "read", "simulate") and "--list" not in arguments and "--help" not in arguments:
        if "--radio" in arguments:
            place = arguments.index("--radio") + 1
            changed = not arguments[place].startswith("simulated")
            arguments[place] = "simulated" if changed else arguments[place]
        else:
            more += ["--radio", "simulated"]
    if command == "scan" and "--seconds" not in arguments:
        more += ["--seconds", "3"]
    if command == "serve" and not {"--port", "--address"} & set(arguments):
        more += ["--port", "0"]
    verb = next((word for word in arguments[1:] if not word.startswith("-")), "run")
    if command == "hub" and "--config" not in arguments:
        more += ["--config", f"{root()}/etc/santorio/hub.json"]
    keeps_running = "--help" not in arguments and (
        command == "serve" or command in ("demo", "read") and "--once" not in arguments or command == "hub" and verb == "run")
    if more or changed or keeps_running:
        note("santorio", " ".join(more + ["in the background"] * keeps_running))
    words = [setting("binary"), *arguments, *more]
    if keeps_running:
        return start(words, READY[command], data_of(arguments))
    done = run(*words, stdout=subprocess.PIPE if command == "user" else None, text=True)
    if command == "user":
        print(done.stdout, end="")
        remember_user(done.stdout)
    return done.returncode


def data_of(arguments):
    return os.path.abspath(arguments[arguments.index("--data") + 1]) if "--data" in arguments else ""


def remember_user(printed):
    found = dict(re.findall(r"^(user|uid|token) +(\S+)$", printed, re.M))
    if len(found) == 3:
        users = json.loads((root() / "users.json").read_text())
        users[found["uid"]] = found
        (root() / "users.json").write_text(json.dumps(users))


def users():
    return json.loads((root() / "users.json").read_text())


# MARK: - What keeps running

def running():
    path = root() / "running.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def start(words, ready, data="", unit="", environment=None):
    """Starts a program, and returns once its output says that it runs; shows what it has printed."""
    unit = unit or os.environ.get("CHECK_COMMANDS_UNIT", "")
    # Of two programs that serve one folder the reader has ended the first.
    if data:
        stop(lambda program: program["data"] == data and program["words"][1] == words[1])
    log = root() / f"output-{len(running())}"
    with open(log, "wb") as file:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True,
                                   env=environment or os.environ)
    with open(root() / "running.jsonl", "a") as file:
        file.write(json.dumps({"pid": process.pid, "words": words, "data": data, "unit": unit, "log": str(log)}) + "\n")
    end = time.monotonic() + READY_TIME
    while time.monotonic() < end and not re.search(ready, log.read_text()):
        if process.poll() is not None:
            print(log.read_text(), end="")
            raise Fault(f"it ended with status {process.returncode}")
        time.sleep(0.05)
    print(log.read_text(), end="")
    if not re.search(ready, log.read_text()):
        raise Fault(f"after {READY_TIME} s it has not printed what shows that it runs: {ready}")
    return 0


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def stop(which, by=signal.SIGTERM):
    """Ends programs, and fails if one does not end, or did before."""
    kept, faults = [], []
    for program in running():
        if not which(program):
            kept.append(program)
            continue
        if not alive(program["pid"]):
            faults.append(f"{shlex.join(program['words'][1:])} has ended by itself:\n{pathlib.Path(program['log']).read_text()}")
            continue
        os.kill(program["pid"], by)
        end = time.monotonic() + END_TIME
        while alive(program["pid"]):
            if time.monotonic() > end:
                os.kill(program["pid"], signal.SIGKILL)
                faults.append(f"{shlex.join(program['words'][1:])} did not end within {END_TIME} s")
                break
            time.sleep(0.05)
    (root() / "running.jsonl").write_text("".join(json.dumps(program) + "\n" for program in kept))
    if faults:
        raise Fault("\n".join(faults))


# MARK: - Building

@stand_in("git", "a copy of this checkout instead of a clone")
def git(arguments):
    if arguments[:2] != ["clone", PLACEHOLDERS["<this repository>"]]:
        raise Fault("only a clone of this repository has a stand-in")
    return run("cp", "-al", setting("checkout"), arguments[2]).returncode


@stand_in("make", "`make -n`; the command line that a target runs is then run")
def make(arguments):
    check_make(arguments, pathlib.Path.cwd())
    lines = run("make", "-n", *arguments, capture_output=True, text=True, env=dict(os.environ, PATH=os.environ["CHECK_COMMANDS_PATH"]))
    if lines.returncode:
        raise Fault(lines.stderr.strip())
    if "--product santorio" in lines.stdout or "--build-tests" in lines.stdout:
        provide_build("debug")
    for program in re.findall(r'/santorio" (.*)', lines.stdout):
        santorio(shlex.split(program))
    return 0


@stand_in("swift", "options, products and traits are checked; `swift run santorio` runs what was built")
def swift(arguments):
    if arguments[:2] == ["package", "init"]:  # it takes a second
        return run("swift", *arguments, env=dict(os.environ, PATH=os.environ["CHECK_COMMANDS_PATH"])).returncode
    check_swift(arguments)
    if arguments[:1] == ["build"]:
        provide_build("release" if "release" in arguments else "debug")
    if arguments[:1] == ["run"] and "santorio" in arguments:
        return santorio(arguments[arguments.index("santorio") + 1:])
    return 0


def provide_build(configuration):
    folder = pathlib.Path(".build") / configuration
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "santorio").unlink(missing_ok=True)
    run("cp", root() / "bin/santorio", folder / "santorio")


# Scripts in the copy of the checkout; the name is that of the script.
def script(name, arguments):
    note(f"Scripts/{name}", "minutes, or a build: name, options and steps are checked")
    check_script([f"Scripts/{name}", *arguments])
    return 0


# MARK: - The system

@stand_in("sudo", "no root is asked for: the system's folders are below a temporary one")
def sudo(arguments):
    if arguments[:1] == ["-u"]:
        if not any(unit_value(unit, "User") == arguments[1] for unit in units()):
            raise Fault(f"no unit runs as the user {arguments[1]}")
        arguments = arguments[2:]
    os.execvp(arguments[0], arguments)


@stand_in("apt-get", "`apt-get install --simulate` of the same packages")
def apt_get(arguments):
    if arguments[:1] == ["install"]:
        output("apt-get", "install", "--simulate", *arguments[1:])
    return 0


@stand_in("sudoedit", "sets what the reader would set: the addresses and users of this check")
def sudoedit(arguments):
    path = pathlib.Path(arguments[0])
    if path.name == "gateway.conf":
        text = re.sub(r"^SERVER=.*", f"SERVER={server()}", path.read_text(), flags=re.M)
        text = re.sub(r"^SUBJECT=.*", f"SUBJECT={list(users().values())[-1]['user']}", text, flags=re.M)
        path.write_text(text)
        return 0
    hub = json.loads(mapped(path.read_text()))
    # No broker, no authority of its own, one device instead of those that the simulated radio does not have.
    del hub["mqtt"], hub["ca"]
    hub.update(server=server(), radio="simulated:20", metrics={"listen": "127.0.0.1:0"})
    for patient in hub["patients"]:
        patient["user"] = users()[patient["alias"]]["user"]
        patient["devices"] = []
        patient.get("health_exports", {}).update(folder=f"{root()}/srv")
        if "file" in patient["token"]:
            token = pathlib.Path(patient["token"]["file"])
            token.touch(0o600)
            token.write_text(users()[patient["alias"]]["token"])
    path.write_text(json.dumps(hub))
    return 0


def server():
    for program in running():
        if program["words"][1] == "serve":
            return "http://" + re.search(r"listening on (127\.0\.0\.1:\d+)", pathlib.Path(program["log"]).read_text())[1]
    raise Fault("no server runs")


@stand_in("systemd-creds", "the credential is written without being encrypted; its name is checked")
def systemd_creds(arguments):
    options = [word for word in arguments if word.startswith("--")]
    verb, source, target = [word for word in arguments if not word.startswith("--")]
    known = output("systemd-creds", "--help")
    for option in options:
        if option.split("=")[0] not in known:
            raise Fault(f"systemd-creds has no option {option}")
    name = pathlib.Path(target).name
    if verb != "encrypt" or source != "-" or f"--name={name}" not in options:
        raise Fault("the name in the credential is not that of its file")
    typed = sys.stdin.read() if not sys.stdin.isatty() else ""
    if not typed:
        patient = name.removesuffix(".token")
        typed = (users().get(patient) or list(users().values())[-1])["token"]
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(typed)
    return 0


@stand_in("useradd", "options are checked, and the account's name, home and groups against the units")
def useradd(arguments):
    known = output("useradd", "--help")
    for option in arguments:
        if option.startswith("-") and option not in known:
            raise Fault(f"useradd has no option {option}")
    unit = next((unit for unit in units() if unit_value(unit, "User") == arguments[-1]), None)
    if not unit:
        raise Fault(f"no unit runs as the user {arguments[-1]}")
    home = f"{root()}/var/lib/{unit_value(unit, 'StateDirectory')}"
    groups = unit_value(unit, "SupplementaryGroups")
    for option, expected in (("--home-dir", home), ("--groups", groups)):
        if (arguments[arguments.index(option) + 1] if option in arguments else None) not in (expected, None):
            raise Fault(f"{option} is not what {unit.name} has: {expected}")
    return 0


@stand_in("adduser", "the group is checked against the units")
def adduser(arguments):
    if not any(unit_value(unit, "Group") == arguments[1] for unit in units()):
        raise Fault(f"no unit has the group {arguments[1]}")
    return 0


def units():
    return sorted(pathlib.Path(setting("checkout")).glob("Examples/*/*.service"))


def unit_value(unit, key):
    found = re.search(rf"^{key}=(.*)$", unit.read_text(), re.M)
    return found and found[1]


@stand_in("systemctl", "`systemd-analyze verify` of the installed unit; its command is then run with its environment and credentials")
def systemctl(arguments):
    verb, *names = [word for word in arguments if not word.startswith("--")]
    if verb == "daemon-reload":
        return 0
    if verb not in ("enable", "disable", "start", "stop", "restart", "reload"):
        raise Fault(f"systemctl {verb} has no stand-in")
    for name in names:
        name = name.removesuffix(".service")
        if not (root() / f"etc/systemd/system/{name}.service").exists():
            raise Fault(f"no command before this one has installed {name}.service")
        mine = [program for program in running() if program["unit"] == name]
        if verb == "reload":
            if not mine:
                raise Fault(f"{name} does not run")
            for program in mine:
                os.kill(program["pid"], signal.SIGHUP)
        if verb in ("stop", "restart") or verb == "disable" and "--now" in arguments:
            if not mine:
                raise Fault(f"{name} does not run")
            stop(lambda program: program["unit"] == name)
        if verb in ("start", "restart") or verb == "enable" and "--now" in arguments:
            start_unit(name)
    return 0


def start_unit(name):
    installed = root() / f"etc/systemd/system/{name}.service"
    unit = root() / f"units/{name}.service"
    unit.parent.mkdir(exist_ok=True)
    unit.write_text(mapped(installed.read_text()))
    verified = run("systemd-analyze", "verify", "--recursive-errors=no", unit, capture_output=True, text=True)
    if verified.returncode or unit.name in verified.stderr:
        raise Fault("systemd-analyze verify: " + verified.stderr.strip())
    environment = dict(os.environ, CHECK_COMMANDS_UNIT=name)
    for key, folder in (("StateDirectory", "var/lib"), ("RuntimeDirectory", "run")):
        if unit_value(unit, key):
            (root() / folder / unit_value(unit, key)).mkdir(mode=0o700, parents=True, exist_ok=True)
    if unit_value(unit, "EnvironmentFile"):
        for line in pathlib.Path(unit_value(unit, "EnvironmentFile")).read_text().splitlines():
            if "=" in line and not line.startswith("#"):
                key, value = line.split("=", 1)
                environment[key] = mapped(value)
    environment["CREDENTIALS_DIRECTORY"] = credentials(re.findall(r"^LoadCredential(?:Encrypted)?=(\S+)$", unit.read_text(), re.M))
    words = []
    for word in shlex.split(unit_value(unit, "ExecStart").replace("%S", f"{root()}/var/lib")):
        whole = re.fullmatch(r"\$(\w+)", word)
        words += environment[whole[1]].split() if whole else [re.sub(r"\$\{(\w+)\}", lambda found: environment[found[1]], word)]
    done = run(*words, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise Fault(f"the unit's command fails: {done.stdout}{done.stderr}")


def credentials(entries):
    """A folder with those credentials, each of which has been put where the unit looks for it."""
    folder = root() / f"credentials-{time.monotonic_ns()}"
    folder.mkdir(mode=0o700)
    for entry in entries:
        name, path = entry.split(":", 1)
        if not pathlib.Path(path).exists():
            raise Fault(f"the credential {name} is not in {path}, where the unit looks for it")
        run("install", "--mode", "0400", path, folder / name, check=True)
    return str(folder)


@stand_in("systemd-run", "the program is run with the credentials that are named")
def systemd_run(arguments):
    place = next(place for place, word in enumerate(arguments) if not word.startswith("--"))
    found = [mapped(word.split("=", 2)[2]) for word in arguments[:place] if word.startswith("--property=LoadCredential")]
    environment = dict(os.environ, CREDENTIALS_DIRECTORY=credentials(found))
    return run(mapped(arguments[place]), *arguments[place + 1:], env=environment).returncode


@stand_in("lab", "within the guest of the Bluetooth lab only: the function is looked for")
def lab(arguments):
    said = (pathlib.Path(setting("checkout")) / "Tests/BlueZLab/guest/lab").read_text()
    documented = re.search(rf"^#   lab {re.escape(arguments[0])}\b(.*)$", said, re.M)
    if not documented:
        raise Fault(f"the lab has no function {arguments[0]}")
    choices = re.match(r" ([a-z]+(?:\|[a-z]+)+)", documented[1])
    if choices and arguments[1] not in choices[1].split("|"):
        raise Fault(f"lab {arguments[0]} is one of {choices[1]}")
    return 0


@stand_in("draw-display", "a photo for a document that reads one")
def draw_display(arguments):
    import command_photo
    command_photo.draw(arguments[0], arguments[1:])
    return 0


# MARK: - Names and options, also of commands in running text

def check_make(arguments, folder):
    makefile = (folder / "Makefile").read_text()
    for word in arguments:
        name, _, value = word.partition("=")
        if value:
            if not re.search(rf"\b{name}\b", makefile):
                raise Fault(f"the Makefile knows no {name}")
        elif not word.startswith("-") and not re.search(rf"^{re.escape(word)}:", makefile, re.M):
            raise Fault(f"the Makefile has no target {word}")


@functools.cache
def swift_help(verb):
    return output("swift", verb, "--help")


def check_swift(arguments):
    verb, *rest = arguments
    if verb not in ("build", "run", "test", "package"):
        raise Fault(f"swift {verb} is not checked")
    manifests = [path.read_text() for path in [pathlib.Path(setting("checkout")) / "Package.swift", *pathlib.Path(setting("checkout")).glob("*/Package.swift"),
                                               *pathlib.Path(setting("checkout")).glob("Examples/*/Package.swift")]]
    place = 0
    while place < len(rest):
        word = rest[place]
        place += 1
        if not word.startswith("-"):
            if verb == "run":
                if not any(f'"{word}"' in manifest for manifest in manifests):
                    raise Fault(f"no manifest has the program {word}")
                return check_santorio(rest[place:]) if word == "santorio" else None
            if verb == "package" and not re.search(rf"^  {re.escape(word)} ", swift_help("package"), re.M):
                raise Fault(f"swift package has no command {word}")
            continue
        option = word.split("=")[0]
        found = re.search(rf"(?:^|[\s,|/]){re.escape(option)}(?=[\s,|/]|$)( <[^>]+>)?", swift_help(verb))
        if not found and option not in ("-Xcc", "-Xswiftc", "-Xlinker"):
            raise Fault(f"swift {verb} has no option {option}")
        takes = option.startswith("-X") or "=" not in word and found[1]
        if takes and place < len(rest):
            value, place = rest[place], place + 1
            if option in ("--product", "--target", "--traits") and not any(f'"{value}"' in manifest for manifest in manifests):
                raise Fault(f"no manifest has {value}")


def check_script(arguments):
    name, *rest = arguments
    path = pathlib.Path(setting("scripts")).parent / name
    if not path.exists():
        raise Fault(f"there is no {name}")
    if path.is_dir():
        return
    if name.split(".")[-1] not in ("json", "py", "swift", "ndjson") and not os.access(path, os.X_OK):
        raise Fault(f"{name} cannot be executed")
    if name == "Scripts/test":  # its arguments are those of "swift test"
        return check_swift(["test", *rest])
    text = path.read_text()
    for word in rest:
        option = word.split("=")[0]
        if word.startswith("--"):
            if not re.search(rf"{re.escape(option)}\b", text):
                raise Fault(f"{name} has no option {option}")
        elif name == "Scripts/check" and not re.search(rf"^step_{re.escape(word)}\(\)", text, re.M):
            raise Fault(f"{name} has no step {word}")
        elif name == "Scripts/bluez-lab" and re.fullmatch("[a-z/-]+", word):
            scenarios = path.parent.parent / "Tests/BlueZLab/scenarios"
            if not (scenarios / f"{word}.sh").exists():
                raise Fault(f"the lab has no scenario {word}")
        elif re.fullmatch("[a-z]+", word) and not re.search(rf"\b{word}\b", text):
            raise Fault(f"{name} knows no {word}")


@functools.cache
def santorio_help(command):
    return output(setting("binary"), "help", *([command] if command else []))


def check_santorio(arguments):
    """Checks command, verb and options against the help texts."""
    if not arguments or arguments[0].startswith("-"):
        return
    command, *rest = arguments
    if command == "help":
        return check_santorio(rest)
    if not re.search(rf"^  {re.escape(command)}  ", santorio_help(""), re.M):
        raise Fault(f"santorio has no command {command}")
    text = santorio_help(command)
    usage = text[text.index("usage:"):text.index("options:")]
    if rest and re.fullmatch("[a-z][a-z0-9-]+", rest[0]) and not re.search(rf"(?<![\w-]){re.escape(rest[0])}(?![\w-])", text):
        raise Fault(f"santorio {command} knows no {rest[0]}")
    place = 0
    while place < len(rest):
        word = rest[place]
        place += 1
        if not word.startswith("--"):
            continue
        found = re.search(rf"^  {re.escape(word)}( \[?[A-Z][^ ]*)?(?:  |$)", text, re.M)
        if not found and not re.search(rf"{re.escape(word)}\b", usage):
            raise Fault(f"santorio {command} has no option {word}")
        if found and found[1]:
            if place < len(rest) and rest[place].startswith("--"):
                raise Fault(f"{word} of santorio {command} needs a value")
            place += 1


def check_unit(words):
    """systemctl and journalctl: the unit is one of the examples."""
    known = {unit.stem for unit in units()} | {"nginx"}
    for word in words:
        if word.startswith("santorio") and word.removesuffix(".service") not in known:
            raise Fault(f"there is no unit {word}")


def check_inline(words):
    """Whether a code span is a command of ours; fails if it is one that does not exist."""
    first, *rest = (word for word in words if word != "…")
    if "…" in first:
        return False
    if first == "make":
        check_make(rest, pathlib.Path(setting("scripts")).parent)
    elif first.startswith("Scripts/"):
        check_script(words)
    elif first == "swift" and rest[:1] and rest[0] in ("build", "run", "test", "package"):
        check_swift(rest)
    elif first in ("santorio", "santorio-gateway"):
        check_santorio(rest)
    elif first == "hub" and len(words) > 1:
        check_santorio(words)
    elif first in ("systemctl", "journalctl"):
        check_unit(rest)
    elif first == "lab" and len(words) > 1:
        lab(rest)
    else:
        return False
    return True


def main():
    name, arguments = sys.argv[1], sys.argv[2:]
    try:
        if name.startswith("Scripts/"):
            return script(name.removeprefix("Scripts/"), arguments)
        reason, function = STAND_INS[name]
        if name not in ("santorio", "draw-display"):
            note(name, reason)
        return function(arguments)
    except (Fault, OSError, LookupError, ValueError) as fault:
        print(f"{name}: {fault}", file=sys.stderr)
        return 97


if __name__ == "__main__":
    sys.exit(main())
