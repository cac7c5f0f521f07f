"""Lets secantusd-py read the catalog of a collection once for a statement, rather than up to ten times.

A statement reads from one snapshot, and what changes the catalog takes the locks that a statement holds: the answers
stay the same. Whoever takes a cursor of a catalog's table by itself may write to it: of that table nothing is kept
until the next statement.
"""

from secantus import storage

Storage = storage.Storage
INDEXES, COLLECTIONS = storage._IDX_TABLE, storage._COLL_TABLE
METHODS = "_coll_options _cursor _ensure_collection _iter_indexes _maybe_mark_multikey get_profile set_profile"
STARTS = "_batch_transaction _refresh_read_snapshot release_thread_snapshot"
stock = {name: getattr(Storage, name) for name in f"{METHODS} {STARTS}".split()}


def catalog_of(store):
    """What the thread's session has read of the catalog in this statement; None stands for a table to be read anew."""
    session = store._session()
    known = getattr(store._tls, "catalog", None)
    if known is None or known["session"] is not session:
        known = store._tls.catalog = {"session": session, INDEXES: {}, COLLECTIONS: {}}
    return known


def once(store, table, key, read):
    catalog = catalog_of(store)
    known = catalog[table]
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
        # The read took a cursor.
        catalog[table] = known
    return known[key]


def cursor(self, table, *, overwrite=True):
    if table == INDEXES or table == COLLECTIONS:
        catalog_of(self)[table] = None
    return stock["_cursor"](self, table, overwrite=overwrite)


def iter_indexes(self, db, coll):
    return once(self, INDEXES, (db, coll), lambda: list(stock["_iter_indexes"](self, db, coll)))


def coll_options(self, db, coll):
    options = once(self, COLLECTIONS, (db, coll), lambda: stock["_coll_options"](self, db, coll))
    # Callers change what they get.
    return options and dict(options)


def ensure_collection(self, db, coll):
    if self._coll_options(db, coll) is None:
        stock["_ensure_collection"](self, db, coll)


def maybe_mark_multikey(self, db, coll, doc, indexes, already):
    """Takes a cursor of the catalog only for a mark that is missing."""
    unmarked = any(name not in already and storage._doc_makes_multikey(doc, keys) for name, keys, *_ in indexes)
    return stock["_maybe_mark_multikey"](self, db, coll, doc, indexes, already) if unmarked else already


profiles = {}


def get_profile(self, db):
    """Asked for at each command. They are no part of a transaction, and nothing else changes them."""
    if db not in profiles:
        profiles[db] = stock["get_profile"](self, db)
    return profiles[db]


def set_profile(self, db, **profile):
    stock["set_profile"](self, db, **profile)
    profiles.pop(db, None)


def starting(name):
    def start(self, *args, **options):
        self._tls.catalog = None
        return stock[name](self, *args, **options)

    return start


def install():
    for method in (cursor, iter_indexes, coll_options, ensure_collection, maybe_mark_multikey):
        setattr(Storage, f"_{method.__name__}", method)
    Storage.get_profile, Storage.set_profile = get_profile, set_profile
    for name in STARTS.split():
        setattr(Storage, name, starting(name))
