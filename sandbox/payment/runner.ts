import type { DatabaseSync } from "node:sqlite";

import { expireDueSessions } from "./resources/checkout-expiry.ts";
import type { Account, Scope } from "./scope.ts";
import { transact } from "../server/database.ts";

/**
 * Runs work on the account as one transaction; what has expired is expired first, and the webhooks are told afterwards.
 */
export type Runner = <T>(work: (scope: Scope) => T, request?: Scope["request"]) => T;

/** `afterCommit` hears of each transaction once it is on record. */
export function createRunner(account: Account, database: DatabaseSync, afterCommit: () => void): Runner {
  return (work, request = { id: null, idempotency_key: null }) => {
    const scope: Scope = { ...account, request };
    const result = transact(database, () => {
      expireDueSessions(scope);
      return work(scope);
    });
    afterCommit();
    return result;
  };
}
