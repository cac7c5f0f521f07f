"""Runs secantusd-py at less cost. What it answers stays the same.

It keeps the replies of the last 10,000 retryable writes, and looks through all of them twice at each write; and it
keeps the last transaction of each session, and looks through all of them at each statement of one. After some minutes
of tests, these were most of what it did. It looks through a whole collection where a filter has `$and` or `$or` beside
an `_id`, and through all collections each minute for what has outlived its time.
"""

import contextlib
import sys

import mongo_catalog
import mongo_keys
from secantus import storage, transactions
from secantus.cli import main

Registry = transactions.TransactionRegistry


def prune_retryable(self):
    """Drops records from the oldest on: they are kept in the order in which they came."""
    cutoff = self._time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    while self._retryable:
        oldest = next(iter(self._retryable))
        is_stale = self._retryable[oldest][1] < cutoff
        if not is_stale and len(self._retryable) <= transactions._RETRYABLE_RECORD_MAX:
            return
        del self._retryable[oldest]


def prune(self):
    """Aborts transactions that have gone on for a minute: once a second is enough."""
    now = self._time()
    if now - getattr(self, "pruned_at", 0) < 1:
        return 0
    self.pruned_at = now
    return prune_all(self)


def narrowed(filter):
    """
    A part of a filter that an index may answer, as it does for clauses outside of `$and`. Callers compare what they
    find with the whole filter.
    """
    clauses = dict(filter)
    for one in clauses.pop("$and", ()):
        clauses = {**one, **clauses}
    if "_id" in clauses and len(storage._id_point_lookup_keys(clauses["_id"]) or ()) == 1:
        return {"_id": clauses["_id"]}
    return {name: clause for name, clause in clauses.items() if name != "$or"}


def index_keys(self, db, coll, filter, *, collation=None):
    """Those that a scan would find come in its order, for a filter that is not sorted."""
    clauses = filter and narrowed(filter)
    low = lowest_id(clauses["_id"]) if clauses and clauses.keys() == {"_id"} else None
    if low is not None and collation is None and not self._is_timeseries(db, coll):
        return sorted(records_from(self, db, coll, low))
    keys = index_keys_of(self, db, coll, clauses, collation=collation)
    return keys if keys is None or clauses == filter else sorted(keys)


def find(self, db, coll, filter=None, *, hint=None, sort=None, min_bound=None, max_bound=None, **options):
    """
    A hint makes it fetch all documents of the index, under the lock of all, before it looks at the filter: beside
    events of half a megabyte all else stood still for seconds. A sort that ends with `_id` tells the order by itself.
    """
    if is_needless(self, db, coll, hint, sort) and min_bound is None and max_bound is None:
        hint = None
    bounds = {"min_bound": min_bound, "max_bound": max_bound}
    return find_of(self, db, coll, filter, hint=hint, sort=sort, **bounds, **options)


def is_needless(self, db, coll, hint, sort):
    """Whether the hint is the name of an index of all documents, and the sort a total order."""
    if not isinstance(hint, str) or not sort or list(sort)[-1] != "_id":
        return False
    if hint == storage._ID_INDEX_NAME:
        return True
    self._refresh_read_snapshot()
    with self._lock:
        found = [options for name, _, options in self._iter_indexes(db, coll) if name == hint]
    return any(not options.get("sparse") and not options.get("partialFilterExpression") for options in found)


def lowest_id(clause):
    """The lower bound of a range of `_id`."""
    low = clause.get("$gt", clause.get("$gte")) if isinstance(clause, dict) else None
    return low if isinstance(low, (int, str)) and not isinstance(low, bool) else None


def records_from(self, db, coll, low):
    """Readers of a log ask for what follows an `_id`, again and again."""
    ids = self._cursor(storage._NAT_SEQ_TABLE)
    ids.set_key(db, coll, storage._id_key(low))
    near = ids.search_near()
    records = []
    more = near != storage.wt.WT_NOTFOUND and (near >= 0 or ids.next() == 0)
    while more and ids.get_key()[:2] == [db, coll]:
        records.append(ids.get_value())
        more = ids.next() == 0
    return records


def prune_ttl(self, *, now=None):
    """Looks at the collections that have an index with a time to live, rather than at those of all databases."""
    with self._lock:
        indexes = self._cursor(storage._IDX_TABLE)
        found = set()
        while indexes.next() == 0:
            if b"expireAfterSeconds" in bytes(indexes.get_value()):
                found.add(tuple(indexes.get_key()[:2]))
    pruned = 0
    for db, coll in found:
        # A collection may be dropped meanwhile.
        with contextlib.suppress(Exception):
            pruned += self.prune_ttl(db, coll, now=now)
    return pruned


def create(self, name, config=None):
    """
    Each read of a page of over 5 MB tries ten times to evict it, for 7 ms, and cannot while another thread's cursor is on
    it: reads of some hundred documents took seconds, under the lock of all.
    """
    return create_of(self, name, f"{config},memory_page_max=64MB" if name.startswith("table:") else config)


create_of = storage.wt.Session.create
storage.wt.Session.create = create
Storage = storage.Storage
index_keys_of = Storage._try_index_id_keys
Storage._try_index_id_keys = index_keys
find_of = Storage.find_matching
Storage.find_matching = find
Storage.prune_ttl_all_collections = prune_ttl
prune_all = Registry._prune_locked
Registry._prune_locked = prune
Registry._prune_retryable_locked = prune_retryable
mongo_catalog.install()
mongo_keys.install()
sys.exit(main())
