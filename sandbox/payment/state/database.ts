import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../server/database.ts";
import { OUTBOX_SCHEMA } from "../../server/webhooks/outbox.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS resources (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS resources_by_object ON resources (object, seq);
  CREATE INDEX IF NOT EXISTS resources_by_payment_intent ON resources (json_extract(body, '$.payment_intent'));
  CREATE INDEX IF NOT EXISTS resources_by_customer ON resources (json_extract(body, '$.customer'));
  CREATE INDEX IF NOT EXISTS open_checkout_sessions ON resources (json_extract(body, '$.expires_at'))
    WHERE object = 'checkout.session' AND json_extract(body, '$.status') = 'open';
  CREATE TABLE IF NOT EXISTS details (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS idempotency_keys (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, endpoint TEXT NOT NULL, request_id TEXT NOT NULL,
    created INTEGER NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (created);
  ${OUTBOX_SCHEMA}
`;

export function openPaymentDatabase(dataDir: string | undefined): DatabaseSync {
  return openDatabase(dataDir, "payment-sandbox", SCHEMA);
}
