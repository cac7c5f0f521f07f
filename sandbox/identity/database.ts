import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../server/database.ts";
import { OUTBOX_SCHEMA } from "../server/webhooks/outbox.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS signing_keys (seq INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, private_jwk TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS users (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  ${OUTBOX_SCHEMA}
`;

export function openIdentityDatabase(dataDir: string | undefined): DatabaseSync {
  return openDatabase(dataDir, "identity-sandbox", SCHEMA);
}
