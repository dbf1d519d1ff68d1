"""Builds the package: the C library by CMake, the extension over its headers by cffi, and the data beside them.

Environment:
    AFTERSTATE_LIBRARY_DIR   a build that has libafterstate.so already; otherwise the library is built here
    AFTERSTATE_PORTABLE=1    build it for any processor of this kind instead of this machine's
    AFTERSTATE_WITH_NETWORK=1  put the bundled network (55 MB) into the package
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent
sys.path.insert(0, str(HERE))

import native  # noqa: E402  (beside this file)


def version() -> str:
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(afterstate VERSION ([0-9.]+)", text).group(1)


def build_library(folder: pathlib.Path) -> pathlib.Path:
    """The folder with libafterstate.so: the one that the environment names, or one that is built here."""
    given = os.environ.get("AFTERSTATE_LIBRARY_DIR")
    if given:
        return pathlib.Path(given).resolve()
    native_build = "OFF" if os.environ.get("AFTERSTATE_PORTABLE") else "ON"
    folder.mkdir(parents=True, exist_ok=True)
    jobs = os.environ.get("JOBS", str(os.cpu_count() or 2))
    configure = ["cmake", "-S", str(SOURCE), "-B", str(folder), f"-DAFTERSTATE_NATIVE={native_build}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "--target", "afterstate", "-j", jobs], check=True)
    return folder


class BuildExtension(build_ext):
    """The library first, then the extension, then the library's file beside it."""

    def run(self):
        base = os.environ.get("AFTERSTATE_BUILD_DIR") or HERE / "build" / "library"
        library = build_library(pathlib.Path(base))
        for extension in self.extensions:
            extension.library_dirs.insert(0, str(library))
            extension.depends += [str(path) for path in sorted((SOURCE / "include/afterstate").glob("*.h"))]
        super().run()
        target = pathlib.Path(self.get_ext_fullpath("afterstate._native")).parent
        soname = os.readlink(library / "libafterstate.so")  # libafterstate.so -> libafterstate.so.1
        # A portable build has another one for AVX2, which the dynamic loader chooses (cmake/levels.cmake).
        for path in [library / soname, *library.glob(f"glibc-hwcaps/*/{soname}")]:
            to = target / path.relative_to(library)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path.resolve(), to)


class BuildPackage(build_py):
    """The modules, and the data that lie elsewhere in the source tree."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return
        target = pathlib.Path(self.build_lib) / "afterstate"
        folders = [("tests/vectors", "vectors", "*.csv"), ("recipes", "recipes", "**/*.ini")]
        if os.environ.get("AFTERSTATE_WITH_NETWORK"):
            folders.append(("nets", "nets", "default.net"))
        for source, name, pattern in folders:
            for path in (SOURCE / source).glob(pattern):
                to = target / name / path.relative_to(SOURCE / source)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, to)


setup(
    version=version(),
    ext_modules=[native.extension(SOURCE / "include")],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
