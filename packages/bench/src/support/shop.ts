import { createHmac, randomUUID } from "node:crypto";
import { startSystem, type System, type SystemOptions } from "../../../../test/support/system.ts";
import { eventually } from "../../../../test/support/eventually.ts";

export interface SearchHit {
  productId: string;
  partNumber: string;
  title: string;
  unitPrice: number;
  manufacturer: { name: string };
}

/** A running shop with everything that a shopper does to it, over HTTP. */
export async function startShop(env?: Record<string, string>, processes?: SystemOptions["processes"]) {
  const system = await startSystem({ env, processes });
  const { body } = await system.request("gateway", "GET", "/api/search?q=carburetor&limit=10");
  const hits = (body as { parts: (SearchHit & { status: string; unitPrice: number | null })[] }).parts.filter(
    (part) => part.status === "active" && part.unitPrice !== null,
  );
  if (hits.length === 0) throw new Error("The sandbox catalog has no part to sell");
  return { system, hits: hits as SearchHit[] };
}

export const newCartId = (): string => `cart_${Date.now()}_${randomUUID().slice(0, 13)}`;

export function cartItem(hit: SearchHit, quantity = 1) {
  const { productId, partNumber, title, unitPrice } = hit;
  return { productId, partNumber, title, quantity, unitPrice, manufacturer: hit.manufacturer.name };
}

/**
 * Saves a cart, opens its checkout and pays on the hosted page as a person does: the page's first form, as it stands.
 */
export async function checkOutAndPay(
  system: Pick<System, "request">,
  hit: SearchHit,
  token?: { value: string; userId: string },
) {
  const cartId = newCartId();
  const items = [cartItem(hit)];
  await expectStatus(201, system.request("payment", "POST", "/api/cart", { body: { cartId, items } }));
  const session = await expectStatus(
    200,
    system.request("payment", "POST", "/api/checkout/session", {
      body: { cartId, items, ...(token ? { customerId: token.userId } : {}) },
      token: token?.value,
    }),
  );
  const { sessionId, url } = session.data as { sessionId: string; url: string };
  await payOnPage(url);
  return { cartId, sessionId };
}

async function payOnPage(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const form = /<form[^>]*>[\s\S]*?<\/form>/.exec(page)?.[0];
  if (!form) throw new Error(`The hosted page has no form: ${page.slice(0, 200)}`);
  const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name) fields.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? "");
  }
  const paid = await fetch(new URL(action, url), { method: "POST", body: fields, redirect: "manual" });
  if (paid.status !== 303) throw new Error(`The hosted page answered ${paid.status}`);
}

/** The order of a session, once the webhook has made it. */
export function findOrder(
  system: Pick<System, "request">,
  sessionId: string,
): Promise<{ orderId: string; orderNumber: string }> {
  return eventually(async () => {
    const answer = await system.request("gateway", "GET", `/api/orders/by-session/${sessionId}`);
    return answer.status === 200 && (answer.body as { data: { orderId: string; orderNumber: string } }).data;
  }, 30_000);
}

/** The header that the payment provider's scheme puts on a body. */
export function stripeSignature(body: string, secret: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  return `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

async function expectStatus(status: number, pending: ReturnType<System["request"]>): Promise<{ data: unknown }> {
  const answer = await pending;
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body as { data: unknown };
}
