/** Rights of staff and keys over objects that are not their own. */
export const SCOPES = {
  "orders:read": "Read all orders, their mails, papers and history, and carts' payments",
  "orders:write": "Ship orders, change their address, note and state, send their mails",
  "orders:refund": "Cancel and refund orders",
  "users:read": "Read users, customers, their carts and personal data",
  "users:write": "Change users, customers and their carts; erase a guest's data",
  "catalog:read": "Read syncs, vendors and cross references; export parts",
  "catalog:write": "Import prices, sync suppliers, change vendors and cross references",
  "stock:write": "Count the shop's own stock",
  "search:read": "Read search indexes, their builds and synonyms",
  "search:admin": "Rebuild and roll back search indexes, change synonyms",
  "media:write": "Put and delete images",
  "manuals:read": "Read the jobs of the document pipeline",
  "manuals:write": "Upload, correct and remove manuals",
  "analytics:read": "Read figures and searches",
  "analytics:write": "Rebuild figures",
  "events:read": "Read the event store",
  "events:write": "Append to the event store",
  "system:read": "Read metrics, health figures, durable tasks and dead letters",
  "system:write": "Run and drop durable tasks and dead letters",
  "webhooks:read": "Read webhook endpoints and their deliveries",
  "webhooks:write": "Change webhook endpoints, deliver again",
  "keys:read": "List keys",
  "keys:write": "Make keys with scopes that the maker has, and revoke keys",
  "settings:read": "Read the shop's settings",
  "settings:write": "Change the shop's settings",
  "audit:read": "Read the audit stream",
} as const;
export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/** Scopes of each role (the identity provider's claim); `admin` and `customer` are the specification's. */
const SCOPES_OF = {
  admin: new Set(SCOPE_NAMES),
  owner: new Set(SCOPE_NAMES),
  clerk: new Set([
    "orders:read",
    "orders:write",
    "orders:refund",
    "users:read",
    "catalog:read",
    "stock:write",
    "search:read",
    "manuals:read",
  ]),
  catalog: new Set([
    "catalog:read",
    "catalog:write",
    "stock:write",
    "search:read",
    "search:admin",
    "media:write",
    "manuals:read",
    "manuals:write",
    "analytics:read",
  ]),
  "read-only": new Set(SCOPE_NAMES.filter((scope) => scope.endsWith(":read"))),
  customer: new Set(),
} satisfies Record<string, ReadonlySet<Scope>>;
export type Role = keyof typeof SCOPES_OF;
export const ROLES = Object.keys(SCOPES_OF) as readonly Role[];

/** The role that a claim names; anything unknown is a customer. */
export function toRole(claim: unknown): Role {
  return ROLES.find((role) => role === claim) ?? "customer";
}

/** Returns none for customers. */
export function listScopes(role: Role): readonly Scope[] {
  return [...SCOPES_OF[role]];
}

/** Source of a caller's scopes. */
export interface ScopeHolder {
  user?: { role: Role };
  key?: { scopes: readonly Scope[] };
  /** The right X-Admin-Token was sent. */
  adminToken?: true;
  /** Acts for the shop: admin token, role or key have the route's scope. */
  admin: boolean;
}

/**
 * Returns whether the caller's admin token, key or role has the scope. What has no scope (`undefined`: other people's
 * things that no part of the staff is for) takes the admin token or a role that has them all.
 */
export function hasScope({ user, key, admin, adminToken }: ScopeHolder, scope: Scope | undefined): boolean {
  if (adminToken) return true;
  if (key) return scope !== undefined && key.scopes.includes(scope);
  if (!user) return admin;
  const roleScopes: ReadonlySet<Scope> = SCOPES_OF[user.role];
  return scope === undefined ? roleScopes.size === SCOPE_NAMES.length : roleScopes.has(scope);
}
