# SPDX-License-Identifier: Apache-2.0
"""Makes an iOS SDK usable by this machine's compiler, on macOS or on Linux."""
import hashlib
import pathlib
import platform
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent


class AppleSDK:
    """The arguments with which the compiler and its tools import the frameworks of an SDK."""

    target = "arm64-apple-ios16.0"

    def __init__(self, path):
        self.path = pathlib.Path(path)
        framework = self.path / "System/Library/Frameworks/Foundation.framework/Headers"
        if not framework.is_dir():
            raise SystemExit(f"{path} is not an iOS SDK: it lacks the headers of Foundation")
        # The compiler's cache of imported modules takes minutes to fill; Git ignores the folder.
        self._work = ROOT / ".build-apple" / hashlib.sha256(str(self.path.resolve()).encode()).hexdigest()[:8]

    @property
    def arguments(self):
        cache = self._work / "module-cache"
        arguments = ["-target", self.target, "-sdk", str(self.path), "-module-cache-path", str(cache)]
        if platform.system() != "Darwin":
            arguments += ["-resource-dir", str(self._resources())]
        return arguments

    def _resources(self):
        """The toolchain's resources without Linux's own Dispatch, Block and Foundation, which an SDK redefines."""
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift"
        resources = self._work / "resources"
        shutil.rmtree(resources, ignore_errors=True)
        notes = resources / "apinotes"
        notes.mkdir(parents=True)
        for part in ("clang", "shims", "FrameworkABIBaseline", "migrator", "host", "pm"):
            if (toolchain / part).exists():
                (resources / part).symlink_to(toolchain / part)
        # API notes that Xcode's toolchain has and Linux's lacks may be among the SDK's headers.
        for note in [*(toolchain / "apinotes").glob("std.apinotes"),
                     *self.path.glob("usr/include/dispatch/*.apinotes")]:
            (notes / note.name).symlink_to(note.resolve())
        return resources
