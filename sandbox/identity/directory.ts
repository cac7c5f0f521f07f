import type { DatabaseSync } from "node:sqlite";
import { ulid } from "ulid";
import { transact } from "../server/database.ts";
import type { WebhookOutbox } from "../server/webhooks/outbox.ts";
import { BUILT_IN_USERS, changedUser, newUser, type ClerkUser, type UserFields } from "./users.ts";

export type ClerkEventType = "user.created" | "user.updated" | "user.deleted";
export type UserDirectory = ReturnType<typeof openUserDirectory>;

/**
 * The users. A change, its event and the event's deliveries are one transaction; the built-in users come without an
 * event.
 */
export function openUserDirectory(database: DatabaseSync, outbox: WebhookOutbox) {
  const selectUser = database.prepare("SELECT body FROM users WHERE id = ?");
  const selectUsers = database.prepare("SELECT body FROM users ORDER BY seq");
  const insertUser = database.prepare("INSERT OR IGNORE INTO users (id, body) VALUES (?, ?)");
  const updateUser = database.prepare("UPDATE users SET body = ? WHERE id = ?");
  const deleteUser = database.prepare("DELETE FROM users WHERE id = ?");
  const insertEvent = database.prepare("INSERT INTO events (id, body) VALUES (?, ?)");
  const selectEvent = database.prepare("SELECT body FROM events WHERE id = ?");

  for (const { id, ...fields } of Object.values(BUILT_IN_USERS)) {
    insertUser.run(
      id,
      JSON.stringify(newUser({ ...fields, email_address: [...fields.email_address] }, Date.now(), id)),
    );
  }

  function publish(type: ClerkEventType, data: object): void {
    const id = `msg_${ulid()}`;
    insertEvent.run(
      id,
      JSON.stringify({ data, instance_id: "ins_sandbox", object: "event", timestamp: Date.now(), type }),
    );
    outbox.enqueue(id);
  }

  function find(id: string): ClerkUser | undefined {
    const row = selectUser.get(id);
    return row ? (JSON.parse(String(row["body"])) as ClerkUser) : undefined;
  }

  return {
    find,
    list: (): ClerkUser[] => selectUsers.all().map((row) => JSON.parse(String(row["body"])) as ClerkUser),
    /** The text of an event's webhook. */
    eventBody(id: string): string | undefined {
      const row = selectEvent.get(id);
      return row ? String(row["body"]) : undefined;
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
    remove: (id: string): boolean =>
      transact(database, () => {
        if (deleteUser.run(id).changes === 0) return false;
        publish("user.deleted", { id, object: "user", deleted: true });
        return true;
      }),
  };
}
