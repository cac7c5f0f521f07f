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
 * Keeps the first status and body of each key for 24 hours (the provider promises at least that), and knows the keys
 * in use. Source: the provider's page on idempotent requests.
 */
export function createIdempotencyKeys(database: DatabaseSync, now: () => number) {
  const select = database.prepare("SELECT * FROM idempotency_keys WHERE key = ? AND created > ?");
  const insert = database.prepare(
    "INSERT OR REPLACE INTO idempotency_keys (key, fingerprint, endpoint, request_id, created, status, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const prune = database.prepare("DELETE FROM idempotency_keys WHERE created <= ?");
  const inUse = new Set<string>();
  return {
    /** Returns the answer to replay; undefined for a new key. @throws ApiError 400 if the key was used for another request */
    recall(key: string, endpoint: string, form: FormObject): StoredAnswer | undefined {
      const row = select.get(key, now() - LIFETIME_SECONDS);
      if (!row) return undefined;
      const rule =
        row["endpoint"] !== endpoint
          ? `for the same endpoint they were first used for (${String(row["endpoint"])} vs ${endpoint})`
          : row["fingerprint"] !== fingerprint(form) && "with the same parameters they were first used with";
      if (rule)
        throw refused(
          400,
          `Keys for idempotent requests can only be used ${rule}. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      return { status: Number(row["status"]), body: String(row["body"]), request_id: String(row["request_id"]) };
    },

    keep(key: string, endpoint: string, form: FormObject, answer: StoredAnswer): void {
      prune.run(now() - LIFETIME_SECONDS);
      insert.run(key, fingerprint(form), endpoint, answer.request_id, now(), answer.status, answer.body);
    },

    /** Takes a key for one request, and returns what gives it back. @throws ApiError 409 while another has it */
    acquire(key: string): () => void {
      if (key.length > MAX_KEY_LENGTH)
        throw refused(400, `Idempotency keys must be at most ${MAX_KEY_LENGTH} characters, not ${key.length}.`);
      if (inUse.has(key)) {
        const message = `There is currently another in-progress request using this Stripe Idempotent Key: ${key}`;
        throw refused(409, message, "idempotency_key_in_use");
      }
      inUse.add(key);
      return () => void inUse.delete(key);
    },
  };
}

function refused(status: number, message: string, code?: string): ApiError {
  return new ApiError(status, { type: "idempotency_error", message, ...(code ? { code } : {}) }, "validation");
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
