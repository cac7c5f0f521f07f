import { assertIsUser, callerOf, type CallContext } from "../../broker/contract/context.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { holds } from "../../broker/contract/scopes.ts";
import { call } from "../contracts.ts";

/** Orders in a piece of the document: a message between nodes has at most 1 MB, and large orders are of 100 kB. */
const ORDERS_A_PAGE = 5;
const AUDIT_ENTRIES_A_PAGE = 100;

type Read = (
  ctx: CallContext<object>,
  userId: string,
  after: string,
) => Promise<{ elements: readonly unknown[]; next: string | null }>;

/**
 * The lists of the document in their order, which read on from a page or after an id. Orders come oldest first, and
 * audit entries are those before a time: one that is made meanwhile moves none.
 */
const LISTS: Record<string, Read> = {
  orders: async (ctx, userId, after) => {
    const page = Number(after);
    const asked = { userId, page, pageSize: ORDERS_A_PAGE, sort: "oldest" } as const;
    const { orders, pagination } = await call(ctx, "order.listForUser", asked);
    return { elements: orders, next: page >= pagination.totalPages ? null : String(page + 1) };
  },
  checkouts: async (ctx, userId, after) => {
    const { checkouts, next } = await call(ctx, "payment.ofUser", { userId, after });
    return { elements: checkouts, next };
  },
  savedCarts: async (ctx, userId, after) => {
    const { carts, next } = await call(ctx, "cart.savedOfUser", { userId, after });
    return { elements: carts, next };
  },
  /** What the user did as staff, and from where. What it changed is of others. */
  audit: async (ctx, userId, after) => {
    const [page, to] = after.split("@") as [string, string];
    const asked = { actor: `user:${userId}`, to, page: Number(page), pageSize: AUDIT_ENTRIES_A_PAGE };
    const { entries, pagination } = await call(ctx, "access.audit", asked);
    return {
      elements: entries.map(({ at, action, object, outcome, address, requestId }) => ({
        at,
        action,
        object,
        outcome,
        address,
        requestId,
      })),
      next: asked.page >= pagination.totalPages ? null : `${asked.page + 1}@${to}`,
    };
  },
};

/**
 * Writes a user's data as one JSON document, piece by piece: first who it is, then `orders:PAGE`,
 * `checkouts:ID`, `savedCarts:ID` and `audit:PAGE@TIME`.
 */
export async function exportUser(ctx: CallContext<{ id: string; position?: string }>): Promise<ExportPage> {
  const { id, position } = ctx.params;
  assertIsUser(callerOf(ctx), id, "This belongs to another user");
  const piece = position === undefined ? await begin(ctx, id) : await listed(ctx, id, position);
  return { type: "application/json; charset=utf-8", name: "personal-data.json", ...piece };
}

type Piece = Pick<ExportPage, "text" | "next">;

async function begin(ctx: CallContext<object>, userId: string): Promise<Piece> {
  const profile = await (isOwn(ctx, userId) ? call(ctx, "user.me", {}) : call(ctx, "user.get", { id: userId }));
  const [{ customer }, cart] = await Promise.all([
    call(ctx, "customer.ofUser", { userId }),
    call(ctx, "cart.getForUser", { userId }),
  ]);
  const head = JSON.stringify({ exportedAt: new Date(), profile, customer, cart });
  return { text: `{"success":true,"data":${head.slice(0, -1)},"orders":[`, next: startOf("orders") };
}

async function listed(ctx: CallContext<object>, userId: string, position: string): Promise<Piece> {
  const name = position.slice(0, position.indexOf(":"));
  const after = position.slice(name.length + 1);
  const { elements, next } = await LISTS[name]!(ctx, userId, after);
  const list = elements.map((element) => JSON.stringify(element)).join(",");
  const text = /^(1@.*|1|)$/.test(after) || list === "" ? list : `,${list}`;
  if (next !== null) return { text, next: `${name}:${next}` };
  // An export is no way around the scope of the audit stream: a clerk does not see what an owner did.
  const names = Object.keys(LISTS).filter(
    (each) => each !== "audit" || isOwn(ctx, userId) || holds(callerOf(ctx), "audit:read"),
  );
  const following = names[names.indexOf(name) + 1];
  return following === undefined
    ? { text: `${text}]}}`, next: null }
    : { text: `${text}],"${following}":[`, next: startOf(following) };
}

function startOf(name: string): string {
  const page = name === "audit" ? `1@${new Date().toISOString()}` : "1";
  return `${name}:${name === "orders" || name === "audit" ? page : ""}`;
}

function isOwn(ctx: CallContext<object>, userId: string): boolean {
  return callerOf(ctx).user?.sub === userId;
}
