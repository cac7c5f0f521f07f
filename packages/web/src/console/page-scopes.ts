import type { Scope } from "../../../../broker/contract/scopes.ts";

/** The scope that each page needs, by the first step of its address. The start page shows what the person may see. */
export const PAGE_SCOPES = {
  orders: "orders:read",
  users: "users:read",
  "catalog-parts": "catalog:read",
  "low-stock": "catalog:read",
  purchases: "orders:read",
  "price-files": "catalog:write",
  vendors: "catalog:read",
  interchange: "catalog:read",
  manuals: "manuals:read",
  search: "search:read",
  figures: "analytics:read",
  settings: "settings:read",
  watching: "system:read",
  syncs: "catalog:write",
  webhooks: "webhooks:read",
  keys: "keys:read",
  roles: "keys:read",
  audit: "audit:read",
  "event-log": "events:read",
  tasks: "system:read",
  "dead-letters": "system:read",
  "refused-mails": "orders:read",
} as const satisfies Record<string, Scope>;

/** The scope that the forms of a page need. */
const FORM_SCOPES: Readonly<Record<string, Scope>> = {
  "catalog-parts": "catalog:write",
  webhooks: "webhooks:write",
  keys: "keys:write",
};

/** Returns the scope that an address of the console needs, none for one that leads nowhere. */
export function findScope(pathname: string): Scope | undefined {
  const [page = "", id, tab] = pathname.slice(1).split("/");
  const formScope = id && tab !== "show" ? FORM_SCOPES[page] : undefined;
  return formScope ?? (PAGE_SCOPES as Readonly<Record<string, Scope>>)[page];
}
