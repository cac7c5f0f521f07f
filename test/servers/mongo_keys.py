"""Reads and writes WiredTiger's keys and values as its Python binding does, for the formats that secantusd-py uses.

The binding goes through a format character by character for each key: a third of all that the server does. What this
does not know, the binding still does.
"""

from wiredtiger.intpacking import pack_int, unpack_int

# Importing the package above makes it findable under this name, under which its own cursors know it.
import swig_wiredtiger  # isort: skip


def readers():
    """For each format what takes a packed key or value apart: strings first, and one integer or bytes last."""
    return {"S" * strings + last: reader(strings, last) for strings in range(4) for last in ("", "q", "u")}


def reader(strings, last):
    def read(packed):
        parts = (packed or b"").split(b"\0", strings)
        values = [part.decode() for part in parts[:strings]]
        if last == "u":
            values.append(parts[strings])
        elif last == "q":
            values.append(unpack_int(parts[strings])[0])
        return values

    return read


READERS = readers()
pack_stock, unpack_stock = swig_wiredtiger.pack, swig_wiredtiger.unpack


def unpack(form, packed):
    read = READERS.get(form) if form else None
    return read(packed) if read else unpack_stock(form, packed)


def pack(form, *values):
    """Strings that hold a NUL, and what is no string, bytes or integer, are left to the binding."""
    if form not in READERS or not form:
        return pack_stock(form, *values)
    packed = []
    for kind, value in zip(form, values):
        if kind == "S" and type(value) is str and "\0" not in value:
            packed += (value.encode(), b"\0")
        elif kind == "u" and type(value) is bytes:
            packed.append(value)
        elif kind == "q" and type(value) is int:
            packed.append(pack_int(value))
        else:
            return pack_stock(form, *values)
    return b"".join(packed)


def install():
    swig_wiredtiger.pack, swig_wiredtiger.unpack = pack, unpack
