import { randomUUID } from "node:crypto";
import { now } from "../balancer.ts";
import type { History, Operation, Operations } from "../history.ts";

export interface PartToBuy {
  productId: string;
  partNumber: string;
  title: string;
  unitPrice: number;
}

/** State that all clients of a run share. */
export interface Shop {
  parts: readonly PartToBuy[];
  adminToken: string;
  /** Orders that were bought and that nobody has taken care of yet. */
  bought: { orderId: string; sessionId: string; total: number; productId: string; quantity: number }[];
  /** A signed-in shopper's token, good for minutes at least. */
  shopper(): Promise<{ value: string; userId: string }>;
  /** The payment provider's pages and switches. */
  paymentUrl: string;
  /**
   * Has what is done at the payment provider written into the history.
   * @param work resolves with undefined where it was refused
   */
  atProvider<T extends ProviderOperation>(
    client: string,
    type: T,
    input: Operations[T]["input"],
    work: () => Promise<Operations[T]["output"] | undefined>,
  ): Promise<Operations[T]["output"] | undefined>;
}

type ProviderOperation = "pay" | "dispute.open" | "dispute.close";

/** Tokens live for an hour; a new one is asked for long before. */
const TOKEN_MS = 600_000;

export function createShop({
  parts,
  adminToken,
  identityUrl,
  paymentUrl,
  history,
}: {
  parts: readonly PartToBuy[];
  adminToken: string;
  identityUrl: string;
  paymentUrl: string;
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
    paymentUrl,
    atProvider: async <T extends ProviderOperation>(
      client: string,
      type: T,
      input: Operations[T]["input"],
      work: () => Promise<Operations[T]["output"] | undefined>,
    ) => {
      const invokedAt = now();
      const ended = await work().then(
        (output) => ({ output, result: output === undefined ? ("refused" as const) : ("ok" as const) }),
        () => ({ output: undefined, result: "unknown" as const }),
      );
      const done: Operation<T> = {
        kind: "operation",
        client,
        type,
        requestId: randomUUID(),
        input,
        invokedAt,
        answeredAt: now(),
        ...ended,
        attempts: [],
      };
      history.add(done);
      return ended.output;
    },
  };
}
