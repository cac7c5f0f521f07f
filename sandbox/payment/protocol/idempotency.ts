import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { ApiError } from "./errors.ts";
import type { FormObject, FormValue } from "./form.ts";

/** The first answer given under a key. */
export type StoredAnswer = { status: number; body: string; request_id: string };

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

const LIFETIME_SECONDS = 24 * 3_600;
const MAX_KEY_LENGTH = 255;

/**
 * The first status and body of each key, kept for 24 hours (the provider promises at least that), and the keys in use
 * at this moment. Source: the provider's page on idempotent requests.
 */
export function createIdempotencyKeys(database: DatabaseSync, now: () => number) {
  const select = database.prepare("SELECT * FROM idempotency_keys WHERE key = ? AND created > ?");
  const insert = database.prepare(
    "INSERT OR REPLACE INTO idempotency_keys (key, fingerprint, endpoint, request_id, created, status, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const prune = database.prepare("DELETE FROM idempotency_keys WHERE created <= ?");
  const inUse = new Set<string>();
  return {
    /**
     * The answer to replay, or undefined for a new key. Throws 400 `idempotency_error` when the key was used for
     * something else.
     */
    recall(key: string, endpoint: string, form: FormObject): StoredAnswer | undefined {
      assertWellFormed(key);
      const row = select.get(key, now() - LIFETIME_SECONDS);
      if (!row) return undefined;
      if (row["endpoint"] !== endpoint)
        throw mismatch(
          key,
          "for the same endpoint they were first used for",
          `${String(row["endpoint"])} vs ${endpoint}`,
        );
      if (row["fingerprint"] !== fingerprint(form))
        throw mismatch(key, "with the same parameters they were first used with");
      return { status: Number(row["status"]), body: String(row["body"]), request_id: String(row["request_id"]) };
    },

    keep(key: string, endpoint: string, form: FormObject, answer: StoredAnswer): void {
      prune.run(now() - LIFETIME_SECONDS);
      insert.run(key, fingerprint(form), endpoint, answer.request_id, now(), answer.status, answer.body);
    },

    /** Takes a key for one request at a time; throws 409 while another has it. Returns what gives it back. */
    acquire(key: string): () => void {
      assertWellFormed(key);
      if (inUse.has(key)) {
        const message = `There is currently another in-progress request using this Stripe Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}`;
        throw new ApiError(409, { type: "idempotency_error", code: "idempotency_key_in_use", message }, "validation");
      }
      inUse.add(key);
      return () => void inUse.delete(key);
    },
  };
}

function assertWellFormed(key: string): void {
  if (key.length <= MAX_KEY_LENGTH) return;
  const message = `Idempotency keys must be at most ${MAX_KEY_LENGTH} characters, but this one is ${key.length}.`;
  throw new ApiError(400, { type: "idempotency_error", message }, "validation");
}

function mismatch(key: string, rule: string, detail?: string): ApiError {
  const message = `Keys for idempotent requests can only be used ${rule}${detail ? ` (${detail})` : ""}. Try using a key other than '${key}' if you meant to execute a different request.`;
  return new ApiError(400, { type: "idempotency_error", message }, "validation");
}

function fingerprint(form: FormObject): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(form)))
    .digest("hex");
}

function sorted(value: FormValue): unknown {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sorted(entry)]);
}
