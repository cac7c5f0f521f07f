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
  const { text, next } = await writePiece(ctx, id, position);
  return { type: "application/json; charset=utf-8", name: "personal-data.json", text, next };
}

type Piece = Pick<ExportPage, "text" | "next">;

function writePiece(ctx: CallContext<object>, userId: string, position: string | undefined): Promise<Piece> {
  if (position === undefined) return writeStart(ctx, userId);
  const [what, place] = [position.slice(0, position.indexOf(":")), position.slice(position.indexOf(":") + 1)];
  if (what === "orders") return writeOrders(ctx, userId, Number(place));
  if (what === "checkouts") return writeCheckouts(ctx, userId, place);
  return what === "savedCarts" ? writeSavedCarts(ctx, userId, place) : writeAudit(ctx, userId, place);
}

async function writeStart(ctx: CallContext<object>, userId: string): Promise<Piece> {
  const isOwn = getCaller(ctx).user?.sub === userId;
  const profile = await (isOwn ? call(ctx, "user.me", {}) : call(ctx, "user.get", { id: userId }));
  const [{ customer }, cart] = await Promise.all([
    call(ctx, "customer.ofUser", { userId }),
    call(ctx, "cart.getForUser", { userId }),
  ]);
  const head = JSON.stringify({ exportedAt: new Date(), profile, customer, cart });
  return { text: `{"success":true,"data":${head.slice(0, -1)},"orders":[`, next: "orders:1" };
}

async function writeOrders(ctx: CallContext<object>, userId: string, page: number): Promise<Piece> {
  const { orders, pagination } = await call(ctx, "order.listForUser", {
    userId,
    page,
    pageSize: ORDERS_A_PAGE,
    sort: "oldest",
  });
  const ends = page >= pagination.totalPages;
  const text = joinElements(orders, page === 1);
  return ends ? { text: `${text}],"checkouts":[`, next: "checkouts:" } : { text, next: `orders:${page + 1}` };
}

async function writeCheckouts(ctx: CallContext<object>, userId: string, after: string): Promise<Piece> {
  const { checkouts, next } = await call(ctx, "payment.ofUser", { userId, after });
  const text = joinElements(checkouts, after === "");
  return next === null ? { text: `${text}],"savedCarts":[`, next: "savedCarts:" } : { text, next: `checkouts:${next}` };
}

async function writeSavedCarts(ctx: CallContext<object>, userId: string, after: string): Promise<Piece> {
  const { carts, next } = await call(ctx, "cart.savedOfUser", { userId, after });
  const text = joinElements(carts, after === "");
  if (next !== null) return { text, next: `savedCarts:${next}` };
  const caller = getCaller(ctx);
  // An export is no way around the scope of the audit stream: a clerk does not see what an owner did.
  const mayRead = caller.user?.sub === userId || hasScope(caller, "audit:read");
  return mayRead
    ? { text: `${text}],"audit":[`, next: `audit:1@${new Date().toISOString()}` }
    : { text: `${text}]}}`, next: null };
}

/** Writes what the user did as staff, and from where. What that changed is data of others. */
async function writeAudit(ctx: CallContext<object>, userId: string, place: string): Promise<Piece> {
  const [page, to] = place.split("@") as [string, string];
  const query = { actor: `user:${userId}`, to, page: Number(page), pageSize: AUDIT_ENTRIES_A_PAGE };
  const { entries, pagination } = await call(ctx, "access.audit", query);
  const ownEntries = entries.map((entry) => ({
    at: entry.at,
    action: entry.action,
    object: entry.object,
    outcome: entry.outcome,
    address: entry.address,
    requestId: entry.requestId,
  }));
  const text = joinElements(ownEntries, query.page === 1);
  return query.page >= pagination.totalPages
    ? { text: `${text}]}}`, next: null }
    : { text, next: `audit:${query.page + 1}@${to}` };
}

function joinElements(elements: readonly unknown[], isFirst: boolean): string {
  const text = elements.map((element) => JSON.stringify(element)).join(",");
  return isFirst || text === "" ? text : `,${text}`;
}
