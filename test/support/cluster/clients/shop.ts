import { now } from "../balancer.ts";
import type { History, Operation } from "../history.ts";

export interface PartToBuy {
  productId: string;
  partNumber: string;
  title: string;
  unitPrice: number;
}

/** What all clients of a run share. */
export interface Shop {
  parts: readonly PartToBuy[];
  adminToken: string;
  /** Orders that were bought and that nobody has taken care of yet. */
  bought: { orderId: string; total: number; productId: string; quantity: number }[];
  /** A signed-in shopper's token, good for minutes at least. */
  shopper(): Promise<{ value: string; userId: string }>;
  /** Has a payment at the provider's page written into the history. */
  pay(client: string, input: { sessionId: string; cartId: string }, work: () => Promise<boolean>): Promise<void>;
}

/** Tokens live for an hour; a new one is asked for long before. */
const TOKEN_MS = 600_000;

export function createShop({
  parts,
  adminToken,
  identityUrl,
  history,
}: {
  parts: readonly PartToBuy[];
  adminToken: string;
  identityUrl: string;
  history: History;
}): Shop {
  let token: { value: string; userId: string; at: number } | undefined;
  const shopper = async () => {
    if (token && now() - token.at < TOKEN_MS) return token;
    const answer = await fetch(`${identityUrl}/v1/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user: "customer" }),
    });
    const { token: value } = (await answer.json()) as { token: string };
    const { sub } = JSON.parse(Buffer.from(value.split(".")[1]!, "base64url").toString()) as { sub: string };
    return (token = { value, userId: sub, at: now() });
  };
  return {
    parts,
    adminToken,
    bought: [],
    shopper,
    pay: async (client, input, work) => {
      const invokedAt = now();
      const paid = await work().catch(() => undefined);
      const result = paid === true ? "ok" : paid === false ? "refused" : "unknown";
      const done: Operation<"pay"> = {
        kind: "operation",
        client,
        type: "pay",
        requestId: input.sessionId,
        input,
        invokedAt,
        answeredAt: now(),
        result,
        attempts: [],
      };
      history.add(done);
    },
  };
}
