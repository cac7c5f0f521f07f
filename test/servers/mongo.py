"""Runs secantusd-py, with two of its bookkeepings done in constant time.

It keeps the replies of the last 10,000 retryable writes, and looks through all of them twice at each write; and it
keeps the last transaction of each session, and looks through all of them at each statement of one. After some minutes
of tests, these are most of what it does. What it answers stays the same.
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


def prune(self):
    """Aborts transactions that have gone on for a minute: once a second is enough."""
    now = self._time()
    if now - getattr(self, "pruned_at", 0) < 1:
        return 0
    self.pruned_at = now
    return prune_all(self)


prune_all = Registry._prune_locked
Registry._prune_locked = prune
Registry._prune_retryable_locked = prune_retryable
sys.exit(main())
