import { Webhook } from "svix";

export interface ClerkFields {
  id: string;
  email?: string;
  firstName?: string | null;
  lastName?: string | null;
  phone?: string;
  role?: string;
  createdAt?: number;
  updatedAt?: number;
}

/** A user as Clerk's webhooks show one; the primary address is not the first in its list. */
export function clerkUser({
  id,
  email = "ada@shop.example",
  firstName = "Ada",
  lastName = "Mechanic",
  phone,
  role,
  createdAt = 1_760_000_000_000,
  updatedAt,
}: ClerkFields) {
  return {
    id,
    object: "user",
    first_name: firstName,
    last_name: lastName,
    email_addresses: [
      { id: "idn_old", object: "email_address", email_address: "old@shop.example" },
      { id: "idn_primary", object: "email_address", email_address: email },
    ],
    primary_email_address_id: "idn_primary",
    phone_numbers: phone === undefined ? [] : [{ id: "idn_phone", object: "phone_number", phone_number: phone }],
    primary_phone_number_id: phone === undefined ? null : "idn_phone",
    public_metadata: role === undefined ? {} : { role },
    created_at: createdAt,
    updated_at: updatedAt ?? createdAt,
  };
}

export function clerkEvent(type: string, data: object): string {
  return JSON.stringify({ data, object: "event", type, timestamp: 1_760_000_000_000, instance_id: "ins_test" });
}

/** The headers of a delivery, signed as Svix signs it. */
export function svixHeaders(
  secret: string,
  body: string,
  { id = `msg_${Math.random().toString(36).slice(2)}`, at = new Date() } = {},
): Record<string, string> {
  return {
    "svix-id": id,
    "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
    "svix-signature": new Webhook(secret).sign(id, at, body),
  };
}
