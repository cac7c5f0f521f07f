import { ulid } from "ulid";

/** A user as Clerk's API and webhooks show one, as far as a shop reads it. Times are milliseconds since 1970. */
export type ClerkUser = {
  id: string;
  object: "user";
  first_name: string | null;
  last_name: string | null;
  username: null;
  image_url: string;
  email_addresses: {
    id: string;
    object: "email_address";
    email_address: string;
    verification: { status: "verified" };
  }[];
  primary_email_address_id: string | null;
  phone_numbers: { id: string; object: "phone_number"; phone_number: string; verification: { status: "verified" } }[];
  primary_phone_number_id: string | null;
  external_id: null;
  public_metadata: Record<string, unknown>;
  private_metadata: Record<string, unknown>;
  unsafe_metadata: Record<string, unknown>;
  last_sign_in_at: null;
  created_at: number;
  updated_at: number;
};

/**
 * What a caller may set; a field that is left out stays. The first e-mail address and the first number are the primary
 * ones.
 */
export type UserFields = {
  email_address?: string[];
  phone_number?: string[];
  first_name?: string | null;
  last_name?: string | null;
  public_metadata?: Record<string, unknown>;
};

export const BUILT_IN_USERS = {
  admin: {
    id: "user_sandbox_admin",
    email_address: ["admin@partline.example"],
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
} as const satisfies Record<string, UserFieldsWithId>;

type UserFieldsWithId = {
  id: string;
  email_address: readonly string[];
  first_name: string;
  last_name: string;
  public_metadata?: object;
};

export function newUser(fields: UserFields, now: number, id = `user_${ulid(now)}`): ClerkUser {
  const blank: ClerkUser = {
    id,
    object: "user",
    first_name: null,
    last_name: null,
    username: null,
    image_url: "",
    email_addresses: [],
    primary_email_address_id: null,
    phone_numbers: [],
    primary_phone_number_id: null,
    external_id: null,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: null,
    created_at: now,
    updated_at: now,
  };
  return { ...changedUser(blank, fields, now), updated_at: now };
}

/** Every change has an `updated_at` of its own, also two within a millisecond: receivers order updates by it. */
export function changedUser(user: ClerkUser, fields: UserFields, now: number): ClerkUser {
  const { email_address, phone_number, ...plain } = fields;
  const changed: ClerkUser = { ...user, ...plain, updated_at: Math.max(now, user.updated_at + 1) };
  if (email_address) {
    changed.email_addresses = email_address.map((address) => ({
      id: `idn_${ulid(now)}`,
      object: "email_address",
      email_address: address,
      verification: { status: "verified" },
    }));
    changed.primary_email_address_id = changed.email_addresses[0]?.id ?? null;
  }
  if (phone_number) {
    changed.phone_numbers = phone_number.map((number) => ({
      id: `idn_${ulid(now)}`,
      object: "phone_number",
      phone_number: number,
      verification: { status: "verified" },
    }));
    changed.primary_phone_number_id = changed.phone_numbers[0]?.id ?? null;
  }
  return changed;
}

export function primaryEmail(user: ClerkUser): string | undefined {
  return user.email_addresses.find(({ id }) => id === user.primary_email_address_id)?.email_address;
}
