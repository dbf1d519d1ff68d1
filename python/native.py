"""The input of cffi: the declarations of the C headers, and the Python functions that C calls."""

import os
import pathlib
import re

import cffi

# Everything that users include; in this order each name is declared before it is used.
HEADERS = ["core.h", "arrays.h", "exact.h", "records.h", "training.h", "weights.h"]

CALLBACKS = """
extern "Python" int afterstate_on_training(void *, uint64_t, uint64_t, const char *);
extern "Python" int afterstate_on_player(void *, const uint8_t *, size_t, double *);
extern "Python" int afterstate_on_poll(void *);
"""


def declarations(include: pathlib.Path) -> str:
    """The headers without comments, directives, AS_API and the braces for C++."""
    text = ""
    for name in HEADERS:
        header = (include / "afterstate" / name).read_text()
        header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
        header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
        header = re.sub(r"^#.*$", "", header, flags=re.M)
        text += header.replace("AS_API ", "")
    return text


def make(include: pathlib.Path) -> cffi.FFI:
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + CALLBACKS)
    ffi.set_source(
        "afterstate._native",
        "#include <afterstate/afterstate.h>\n",
        include_dirs=[str(include)],
        libraries=["afterstate"],
        py_limited_api=True,
        extra_compile_args=["-O2", *os.environ.get("AFTERSTATE_CFLAGS", "").split()],
        extra_link_args=["-Wl,-rpath,$ORIGIN", *os.environ.get("AFTERSTATE_LDFLAGS", "").split()],
    )
    return ffi


def extension(include: pathlib.Path):
    return make(include).distutils_extension(tmpdir="build/cffi")  # setuptools wants a relative path
