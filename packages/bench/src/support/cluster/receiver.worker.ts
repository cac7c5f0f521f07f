import { startReceiver } from "../../../../../test/support/webhook-receiver.ts";
import { answerWishes } from "../../../../../test/support/worker-wishes.ts";
import type { FinalWebhooks } from "./final-state.ts";

/**
 * A receiver of webhooks in a process of its own, by the secret that it is given. It forgets every tenth webhook-id
 * after it has it (500), as one does that dies before it answers: that one has to come again.
 */

export type Wish = { do: "address" } | { do: "notes" };

const FORGETS_EVERY = 10;

const receiver = await startReceiver();
receiver.verifyBy(process.argv[2]!);
const times = new Map<string, number>();
receiver.answerBy((res) => {
  const { id } = receiver.received.at(-1)!;
  times.set(id, (times.get(id) ?? 0) + 1);
  const isForgotten = times.get(id) === 1 && times.size % FORGETS_EVERY === 0;
  res.writeHead(isForgotten ? 500 : 204).end();
});

answerWishes<Wish>(async (wish) => {
  if (wish.do === "address") return receiver.url;
  return {
    received: receiver.received.map(({ id, type, data }) => ({ webhookId: id, type, orderId: String(data.orderId) })),
    refused: receiver.refused,
  } satisfies FinalWebhooks;
});
