import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "./eventually.ts";
import type { SystemClient } from "./system.ts";

interface Bought {
  sessionId: string;
  orderId: string;
  orderNumber: string;
}

/** Buys by the API, and pays by the hosted page's first form. */
export async function buy(system: SystemClient, checkout: object, headers: { token?: string } = {}): Promise<Bought> {
  const opened = await system.request("payment", "POST", "/api/checkout/session", { body: checkout, ...headers });
  if (opened.status !== 200) throw new Error(`No checkout: ${opened.status} ${opened.text}`);
  const { sessionId, url } = opened.body.data as { sessionId: string; url: string };
  const paid = await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
  if (paid.status !== 303) throw new Error(`Not paid: ${paid.status}`);
  return eventually(async () => {
    const answer = await system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);
    return answer.status === 200 && { sessionId, ...(answer.body.data as { orderId: string; orderNumber: string }) };
  }, 30_000);
}
