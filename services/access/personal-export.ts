import { assertIsUser, getCaller, type CallContext } from "../../broker/contract/context.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { hasScope } from "../../broker/contract/scopes.ts";
import { call } from "../contracts.ts";

/** Orders in a piece of the document: a message between nodes has at most 1 MB, and large orders are of 100 kB. */
const ORDERS_A_PAGE = 5;
const AUDIT_ENTRIES_A_PAGE = 100;

/**
 * Writes a user's data as one JSON document, piece by piece: first who it is, then `orders:PAGE`, `checkouts:ID`,
 * `savedCarts:ID` and `audit:PAGE@TIME`.
 * Orders come oldest first, and audit entries are those before a time: one that is made meanwhile moves none.
 */
export async function exportUser(ctx: CallContext<{ id: string; position?: string }>): Promise<ExportPage> {
  const { id, position } = ctx.params;
  assertIsUser(getCaller(ctx), id, "This belongs to another user");
  const { text, next } = await pieceOf(ctx, id, position);
  return { type: "application/json; charset=utf-8", name: "personal-data.json", text, next };
}

type Piece = Pick<ExportPage, "text" | "next">;

function pieceOf(ctx: CallContext<object>, userId: string, position: string | undefined): Promise<Piece> {
  if (position === undefined) return begin(ctx, userId);
  const [what, at] = [position.slice(0, position.indexOf(":")), position.slice(position.indexOf(":") + 1)];
  if (what === "orders") return ordersOf(ctx, userId, Number(at));
  if (what === "checkouts") return checkoutsOf(ctx, userId, at);
  return what === "savedCarts" ? savedCartsOf(ctx, userId, at) : auditOf(ctx, userId, at);
}

async function begin(ctx: CallContext<object>, userId: string): Promise<Piece> {
  const isOwn = getCaller(ctx).user?.sub === userId;
  const profile = await (isOwn ? call(ctx, "user.me", {}) : call(ctx, "user.get", { id: userId }));
  const [{ customer }, cart] = await Promise.all([
    call(ctx, "customer.ofUser", { userId }),
    call(ctx, "cart.getForUser", { userId }),
  ]);
  const head = JSON.stringify({ exportedAt: new Date(), profile, customer, cart });
  return { text: `{"success":true,"data":${head.slice(0, -1)},"orders":[`, next: "orders:1" };
}

async function ordersOf(ctx: CallContext<object>, userId: string, page: number): Promise<Piece> {
  const { orders, pagination } = await call(ctx, "order.listForUser", {
    userId,
    page,
    pageSize: ORDERS_A_PAGE,
    sort: "oldest",
  });
  const ends = page >= pagination.totalPages;
  const text = listed(orders, page === 1);
  return ends ? { text: `${text}],"checkouts":[`, next: "checkouts:" } : { text, next: `orders:${page + 1}` };
}

async function checkoutsOf(ctx: CallContext<object>, userId: string, after: string): Promise<Piece> {
  const { checkouts, next } = await call(ctx, "payment.ofUser", { userId, after });
  const text = listed(checkouts, after === "");
  return next === null ? { text: `${text}],"savedCarts":[`, next: "savedCarts:" } : { text, next: `checkouts:${next}` };
}

async function savedCartsOf(ctx: CallContext<object>, userId: string, after: string): Promise<Piece> {
  const { carts, next } = await call(ctx, "cart.savedOfUser", { userId, after });
  const text = listed(carts, after === "");
  if (next !== null) return { text, next: `savedCarts:${next}` };
  const caller = getCaller(ctx);
  // An export is no way around the scope of the audit stream: a clerk does not see what an owner did.
  const mayRead = caller.user?.sub === userId || hasScope(caller, "audit:read");
  return mayRead
    ? { text: `${text}],"audit":[`, next: `audit:1@${new Date().toISOString()}` }
    : { text: `${text}]}}`, next: null };
}

/** What the user did as staff, and from where. What it changed is of others. */
async function auditOf(ctx: CallContext<object>, userId: string, at: string): Promise<Piece> {
  const [page, to] = at.split("@") as [string, string];
  const asked = { actor: `user:${userId}`, to, page: Number(page), pageSize: AUDIT_ENTRIES_A_PAGE };
  const { entries, pagination } = await call(ctx, "access.audit", asked);
  const own = entries.map((entry) => ({
    at: entry.at,
    action: entry.action,
    object: entry.object,
    outcome: entry.outcome,
    address: entry.address,
    requestId: entry.requestId,
  }));
  const text = listed(own, asked.page === 1);
  return asked.page >= pagination.totalPages
    ? { text: `${text}]}}`, next: null }
    : { text, next: `audit:${asked.page + 1}@${to}` };
}

function listed(elements: readonly unknown[], isFirst: boolean): string {
  const text = elements.map((element) => JSON.stringify(element)).join(",");
  return isFirst || text === "" ? text : `,${text}`;
}
