import type { DatabaseSync } from "node:sqlite";
import type { JWTPayload } from "jose";
import { ulid } from "ulid";
import { transact } from "../server/database.ts";
import type { Webhooks } from "../server/webhooks.ts";

/** Signs in to the console as an admin. */
export const STAFF_EMAIL = "admin@partline.example";

/** The fields that a caller may set; one that is left out stays. The first address and number are the primary ones. */
export type UserFields = {
  email_address?: string[];
  phone_number?: string[];
  first_name?: string | null;
  last_name?: string | null;
  public_metadata?: Record<string, unknown>;
};

export const BUILT_IN_USERS: Record<"admin" | "customer", UserFields & { id: string }> = {
  admin: {
    id: "user_sandbox_admin",
    email_address: [STAFF_EMAIL],
    first_name: "Sandbox",
    last_name: "Admin",
    public_metadata: { role: "admin" },
  },
  customer: {
    id: "user_sandbox_customer",
    email_address: ["customer@partline.example"],
    first_name: "Sandbox",
    last_name: "Customer",
  },
};

/** A user as Clerk's API and webhooks show one, as far as a shop reads it. Times are milliseconds since 1970. */
export type ClerkUser = ReturnType<typeof createBlankUser>;
type EmailAddress = { object: "email_address"; email_address: string };
type PhoneNumber = { object: "phone_number"; phone_number: string };
type Verified<T> = T & { id: string; verification: { status: "verified" } };

function createBlankUser(id: string, now: number) {
  return {
    id,
    object: "user",
    first_name: null as string | null,
    last_name: null as string | null,
    email_addresses: [] as Verified<EmailAddress>[],
    primary_email_address_id: null as string | null,
    phone_numbers: [] as Verified<PhoneNumber>[],
    primary_phone_number_id: null as string | null,
    public_metadata: {} as Record<string, unknown>,
    created_at: now,
    updated_at: now,
  };
}

export function createUser(fields: UserFields, now: number, id = `user_${ulid(now)}`): ClerkUser {
  return { ...applyFields(createBlankUser(id, now), fields, now), updated_at: now };
}

/** Gives every change its own `updated_at`, also two within a millisecond: receivers order updates by it. */
function applyFields(user: ClerkUser, fields: UserFields, now: number): ClerkUser {
  const { email_address: emails, phone_number: phones, ...plain } = fields;
  const markVerified = <T extends object>(item: T): Verified<T> => ({
    ...item,
    id: `idn_${ulid(now)}`,
    verification: { status: "verified" },
  });
  const updated: ClerkUser = { ...user, ...plain, updated_at: Math.max(now, user.updated_at + 1) };
  if (emails) {
    updated.email_addresses = emails.map((email_address) => markVerified({ object: "email_address", email_address }));
    updated.primary_email_address_id = updated.email_addresses[0]?.id ?? null;
  }
  if (phones) {
    updated.phone_numbers = phones.map((phone_number) => markVerified({ object: "phone_number", phone_number }));
    updated.primary_phone_number_id = updated.phone_numbers[0]?.id ?? null;
  }
  return updated;
}

export function getPrimaryEmail(user: ClerkUser): string | undefined {
  return user.email_addresses.find(({ id }) => id === user.primary_email_address_id)?.email_address;
}

export function getRole({ public_metadata }: ClerkUser): "admin" | "customer" {
  return public_metadata["role"] === "admin" ? "admin" : "customer";
}

type TokenIssuer = { issuer: string; audience: string; authorizedParty: string };

export type TokenWishes = {
  /** Seconds from now; an hour unless given. Negative: a token that has expired. */
  expiresInSeconds?: number;
  /** Replace those of the template; null removes one. */
  claims?: Record<string, unknown>;
};

/** The claims of a token of template `api`. `now` is milliseconds since 1970. */
export function createTokenClaims(
  user: ClerkUser,
  { issuer, audience, authorizedParty }: TokenIssuer,
  { expiresInSeconds = 3_600, claims: extraClaims }: TokenWishes,
  now: number,
): JWTPayload {
  const issuedAt = Math.floor(now / 1000);
  const claims: Record<string, unknown> = {
    iss: issuer,
    sub: user.id,
    aud: audience,
    azp: authorizedParty,
    role: getRole(user),
    email: getPrimaryEmail(user),
    email_verified: true,
    iat: issuedAt,
    nbf: issuedAt - 10,
    exp: issuedAt + expiresInSeconds,
    ...extraClaims,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value != null));
}

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS signing_keys (seq INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, private_jwk TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS users (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
`;

export type UserDirectory = ReturnType<typeof openUserDirectory>;

/** One transaction writes a change, its event and the event's deliveries; built-in users sign up by signing in. */
export function openUserDirectory(database: DatabaseSync, webhooks: Webhooks) {
  const selectUser = database.prepare("SELECT body FROM users WHERE id = ?");
  const selectUsers = database.prepare("SELECT body FROM users ORDER BY seq");
  const insertUser = database.prepare("INSERT OR IGNORE INTO users (id, body) VALUES (?, ?)");
  const updateUser = database.prepare("UPDATE users SET body = ? WHERE id = ?");
  const deleteUser = database.prepare("DELETE FROM users WHERE id = ?");
  const insertEvent = database.prepare("INSERT OR IGNORE INTO events (id, body) VALUES (?, ?)");
  const selectEvent = database.prepare("SELECT body FROM events WHERE id = ?");
  const readUser = (row: Record<string, unknown>): ClerkUser => JSON.parse(String(row["body"])) as ClerkUser;

  for (const { id, ...fields } of Object.values(BUILT_IN_USERS))
    insertUser.run(id, JSON.stringify(createUser(fields, Date.now(), id)));

  type EventType = "user.created" | "user.updated" | "user.deleted";
  function publish(type: EventType, data: object, id = `msg_${ulid()}`): void {
    const event = { data, instance_id: "ins_sandbox", object: "event", timestamp: Date.now(), type };
    if (insertEvent.run(id, JSON.stringify(event)).changes > 0) webhooks.enqueue(id);
  }

  function find(id: string): ClerkUser | undefined {
    const row = selectUser.get(id);
    return row && readUser(row);
  }

  return {
    find,
    list: (): ClerkUser[] => selectUsers.all().map(readUser),
    eventBody(id: string): string | undefined {
      const row = selectEvent.get(id);
      return row && String(row["body"]);
    },
    signedIn: (user: ClerkUser): void =>
      transact(database, () => {
        if (Object.values(BUILT_IN_USERS).some(({ id }) => id === user.id))
          publish("user.created", user, `msg_${user.id}`);
      }),
    create: (fields: UserFields): ClerkUser =>
      transact(database, () => {
        const user = createUser(fields, Date.now());
        insertUser.run(user.id, JSON.stringify(user));
        publish("user.created", user);
        return user;
      }),
    update: (id: string, fields: UserFields): ClerkUser | undefined =>
      transact(database, () => {
        const current = find(id);
        if (!current) return undefined;
        const user = applyFields(current, fields, Date.now());
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
