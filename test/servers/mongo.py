"""Runs secantusd-py, with two of its bookkeepings done in constant time.

It keeps the replies of the last 10,000 retryable writes, and looks through all of them twice at each write; and it
keeps the last transaction of each session that ever was, and looks through all of them at each statement. After some
minutes of tests, these are most of what it does. What it answers stays the same.
"""

import sys

from secantus import transactions
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


def forget_session(self, lsid_bytes):
    """Aborts the transaction of a session that has ended, and forgets it: nobody asks for it again."""
    abort_for_session(self, lsid_bytes)
    with self._lock:
        self._txns.pop(lsid_bytes, None)
        self._last_number.pop(lsid_bytes, None)


abort_for_session = Registry.abort_for_session
Registry._prune_retryable_locked = prune_retryable
Registry.abort_for_session = forget_session
sys.exit(main())
