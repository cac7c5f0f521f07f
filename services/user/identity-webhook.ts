import { Webhook } from "standardwebhooks";
import type { Params, Result } from "@partline/api-contracts";
import { toRole } from "../../broker/contract/scopes.ts";
import { type AtomicWrite, type DocumentStore, hasStoreCode } from "@partline/durable";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { outbox } from "../contracts.ts";
import type { userContract } from "./contract.ts";
import { applyIdentityEvent, changeUser, isTombstone, toUserView, type IdentityEvent, type User } from "./users.ts";
import { IDENTITY_EVENTS, type IdentityEventRecord, type IdentityProfile, type UserDocument } from "./collections.ts";

type Acknowledgement = Result<typeof userContract.actions.receiveIdentityEvent>;

/** Returns what is written with the change of a user, who is given as staff sees the user. */
type CreateWrites = (change: { id: string; before: User | undefined; after: User | undefined }) => AtomicWrite[];

const toLivingView = (document: UserDocument | undefined): User | undefined =>
  document && !isTombstone(document) ? toUserView(document) : undefined;

/** Lifetime of a message's id, longer than the sender retries (28 hours) or a person resends it. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/**
 * Receives the identity provider's webhooks. One atomic batch writes the user, the svix-id and, for a deletion, the
 * outbox row of `user.deleted`: an event takes effect once, and is acknowledged after it is stored.
 */
export function createIdentityWebhook(documents: DocumentStore, secret: string, wake: () => void) {
  const check = createSignatureCheck(secret);
  const processedEvents = documents.collection<IdentityEventRecord>(IDENTITY_EVENTS);

  return async (message: SignedMessage, audit: CreateWrites): Promise<Acknowledgement> => {
    const { id, payload } = check(message);
    const event = readIdentityEvent(payload);
    return { received: true, outcome: event ? await applyOnce(id, event, audit) : "ignored" };
  };

  async function applyOnce(id: string, event: IdentityEvent, audit: CreateWrites): Promise<Acknowledgement["outcome"]> {
    if (await processedEvents.findOne({ _id: id })) return "duplicate";
    const now = new Date();
    const record = { type: event.type, userId: event.userId, expiresAt: new Date(now.getTime() + REMEMBERED_MS) };
    const also: AtomicWrite[] = [{ collection: IDENTITY_EVENTS, insertOne: { _id: id, ...record } }];
    if (event.type === "user.deleted")
      also.push(outbox("user.deleted", { userId: event.userId }, `user.deleted:${event.userId}`));
    try {
      const changedUser = await changeUser(documents, event.userId, (current) => {
        const next = applyIdentityEvent(current, event, now);
        if (!next) return undefined;
        const change = { id: event.userId, before: toLivingView(current), after: toLivingView(next) };
        const { before: previous, after } = change;
        const isOther = after !== undefined && previous?.role !== after.role;
        const role = isOther ? [outbox("user.role_changed", { userId: event.userId, role: after.role })] : [];
        return { next, also: [...also, ...role, ...audit(change)] };
      });
      if (!changedUser) return "outdated";
    } catch (error) {
      if (hasStoreCode(error, "DUPLICATE_KEY")) return "duplicate";
      throw error;
    }
    wake();
    return "applied";
  }
}

type Json = Record<string, unknown>;

/** No control character and no half of a surrogate pair: not every store distinguishes such ids. */
const USER_ID = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Reads Clerk's webhook payload; undefined for types that are not of users.
 * @throws VALIDATION_FAILED for a user event without an id or a time
 */
export function readIdentityEvent(payload: unknown): IdentityEvent | undefined {
  const { type, data } = asObject(payload);
  if (type !== "user.created" && type !== "user.updated" && type !== "user.deleted") return undefined;
  const user = asObject(data);
  const userId = toText(user["id"]);
  if (!userId || !USER_ID.test(userId)) throw invalidField("data.id", "must be a user id");
  if (type === "user.deleted") return { type, userId };
  const { created_at: createdAt, updated_at: updatedAt } = user;
  if (!isTime(updatedAt)) throw invalidField("data.updated_at", "must be milliseconds since 1970");
  const profile: IdentityProfile = {
    email: findPrimary(user["email_addresses"], user["primary_email_address_id"], "email_address"),
    identityName: [toText(user["first_name"]), toText(user["last_name"])].filter(Boolean).join(" ") || undefined,
    identityPhone: findPrimary(user["phone_numbers"], user["primary_phone_number_id"], "phone_number"),
    role: toRole(asObject(user["public_metadata"])["role"]),
  };
  return { type, userId, profile, createdAt: isTime(createdAt) ? new Date(createdAt) : undefined, updatedAt };
}

function findPrimary(list: unknown, primaryId: unknown, field: string): string | undefined {
  const entries = Array.isArray(list) ? list.map(asObject) : [];
  return toText(entries.find(({ id }) => id === primaryId)?.[field]);
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Returns whether a value is a time up to the year 9999, the last that ISO 8601 writes without further agreement. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LAST_TIME;
}

/** Its body is the exact text that was sent. */
type SignedMessage = Params<typeof userContract.actions.receiveIdentityEvent>;

/**
 * Checks Svix's signature (HMAC-SHA-256 of id, time and body; five minutes' tolerance either way) and reads the body.
 * @returns a function that throws INVALID_SIGNATURE or INVALID_JSON
 */
export function createSignatureCheck(secret: string): (message: SignedMessage) => { id: string; payload: unknown } {
  const webhook = readSecret(secret);
  return ({ body, headers }) => {
    try {
      webhook.verify(body, toStandardHeaders(headers), { jsonParse: false });
      return { payload: JSON.parse(body), id: headers["svix-id"]! };
    } catch (error) {
      if (error instanceof SyntaxError) throw new PartlineError("INVALID_JSON", "The webhook's body is not JSON");
      throw new PartlineError("INVALID_SIGNATURE", "The webhook's signature is missing, wrong or expired");
    }
  };
}

/** Renames Svix's headers to those of Standard Webhooks, by which it signs. */
function toStandardHeaders(headers: SignedMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    ["id", "timestamp", "signature"].map((name) => [`webhook-${name}`, headers[`svix-${name}`] ?? ""]),
  );
}

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Error("IDENTITY_WEBHOOK_SECRET is not a Svix secret: whsec_ followed by base64");
  }
}
