import { validationFailed } from "../../mixins/errors.ts";
import type { IdentityProfile } from "./collections.ts";

/** A webhook of the identity provider, as far as it matters here. */
export type IdentityEvent =
  | {
      type: "user.created" | "user.updated";
      userId: string;
      profile: IdentityProfile;
      createdAt?: Date;
      updatedAt: number;
    }
  | { type: "user.deleted"; userId: string };

type Json = Record<string, unknown>;

/** No control character and no half of a surrogate pair: not every store tells such ids apart. */
const USER_ID = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Reads Clerk's webhook payload (`{ type, data }`, data a user with lists of addresses and numbers and the id of the
 * primary one). Gives undefined for types that are not of users.
 * @throws VALIDATION_FAILED for a user event without an id or a time
 */
export function readIdentityEvent(payload: unknown): IdentityEvent | undefined {
  const { type, data } = asObject(payload);
  if (type !== "user.created" && type !== "user.updated" && type !== "user.deleted") return undefined;
  const user = asObject(data);
  const userId = text(user["id"]);
  if (!userId || !USER_ID.test(userId))
    throw validationFailed({ field: "data.id", message: "The 'data.id' field must be a user id." });
  if (type === "user.deleted") return { type, userId };
  const { created_at: createdAt, updated_at: updatedAt } = user;
  if (!isTime(updatedAt)) {
    throw validationFailed({
      field: "data.updated_at",
      message: "The 'data.updated_at' field must be milliseconds since 1970.",
    });
  }
  return {
    type,
    userId,
    profile: readProfile(user),
    createdAt: isTime(createdAt) ? new Date(createdAt) : undefined,
    updatedAt,
  };
}

function readProfile(user: Json): IdentityProfile {
  return {
    email: primary(user["email_addresses"], user["primary_email_address_id"], "email_address"),
    identityName: [text(user["first_name"]), text(user["last_name"])].filter(Boolean).join(" ") || undefined,
    identityPhone: primary(user["phone_numbers"], user["primary_phone_number_id"], "phone_number"),
    role: asObject(user["public_metadata"])["role"] === "admin" ? "admin" : "customer",
  };
}

function primary(list: unknown, primaryId: unknown, field: string): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const entry = list.map(asObject).find(({ id }) => id === primaryId);
  return entry ? text(entry[field]) : undefined;
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Up to the year 9999, the last that ISO 8601 writes without further agreement. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LAST_TIME;
}
