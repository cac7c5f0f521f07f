import type { DatabaseSync } from "node:sqlite";
import { ulid } from "ulid";
import { openDatabase, transact } from "../server/database.ts";
import { OUTBOX_SCHEMA, type WebhookOutbox } from "../server/webhooks/outbox.ts";
import { BUILT_IN_USERS, changedUser, newUser, type ClerkUser, type UserFields } from "./users.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS signing_keys (seq INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, private_jwk TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS users (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  ${OUTBOX_SCHEMA}
`;

export function openIdentityDatabase(dataDir: string | undefined): DatabaseSync {
  return openDatabase(dataDir, "identity-sandbox", SCHEMA);
}

export type UserDirectory = ReturnType<typeof openUserDirectory>;

/** The users. One transaction writes a change, its event and the event's deliveries; built-in users have no event. */
export function openUserDirectory(database: DatabaseSync, outbox: WebhookOutbox) {
  const selectUser = database.prepare("SELECT body FROM users WHERE id = ?");
  const selectUsers = database.prepare("SELECT body FROM users ORDER BY seq");
  const insertUser = database.prepare("INSERT OR IGNORE INTO users (id, body) VALUES (?, ?)");
  const updateUser = database.prepare("UPDATE users SET body = ? WHERE id = ?");
  const deleteUser = database.prepare("DELETE FROM users WHERE id = ?");
  const insertEvent = database.prepare("INSERT INTO events (id, body) VALUES (?, ?)");
  const selectEvent = database.prepare("SELECT body FROM events WHERE id = ?");
  const userIn = (row: Record<string, unknown>): ClerkUser => JSON.parse(String(row["body"])) as ClerkUser;

  for (const { id, ...fields } of Object.values(BUILT_IN_USERS))
    insertUser.run(id, JSON.stringify(newUser(fields, Date.now(), id)));

  function publish(type: "user.created" | "user.updated" | "user.deleted", data: object): void {
    const id = `msg_${ulid()}`;
    const event = { data, instance_id: "ins_sandbox", object: "event", timestamp: Date.now(), type };
    insertEvent.run(id, JSON.stringify(event));
    outbox.enqueue(id);
  }

  function find(id: string): ClerkUser | undefined {
    const row = selectUser.get(id);
    return row && userIn(row);
  }

  return {
    find,
    list: (): ClerkUser[] => selectUsers.all().map(userIn),
    /** Returns the text of an event's webhook. */
    eventBody(id: string): string | undefined {
      const row = selectEvent.get(id);
      return row && String(row["body"]);
    },
    create: (fields: UserFields): ClerkUser =>
      transact(database, () => {
        const user = newUser(fields, Date.now());
        insertUser.run(user.id, JSON.stringify(user));
        publish("user.created", user);
        return user;
      }),
    update: (id: string, fields: UserFields): ClerkUser | undefined =>
      transact(database, () => {
        const current = find(id);
        if (!current) return undefined;
        const user = changedUser(current, fields, Date.now());
        updateUser.run(JSON.stringify(user), id);
        publish("user.updated", user);
        return user;
      }),
    remove: (id: string): void =>
      transact(database, () => {
        if (deleteUser.run(id).changes > 0) publish("user.deleted", { id, object: "user", deleted: true });
      }),
  };
}
