import { createHmac } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { ulid } from "@partline/toolkit";
import { PartlineError } from "../../mixins/errors.ts";
import { normalizeOrderNumber } from "../../mixins/shop/order-number.ts";
import { enqueue } from "../contracts.ts";

/** Requests of an hour for an order number, or from an address. `_id` has an HMAC, which reveals neither. */
interface LookUpCount extends Document {
  count: number;
  purgeAt: Date;
}

const LOOK_UPS: CollectionDefinition = {
  name: "order_look_ups",
  fields: { purgeAt: "date" },
  expires: "purgeAt",
};

const HOUR_MS = 60 * 60_000;
/** In an hour. A buyer mistypes twice; a stranger needs thousands of tries for a postal code. */
const MOST_OF_NUMBER = 6;
const MOST_OF_ADDRESS = 30;

/** Lets few requests through for each order number, whether or not there is one, and for each client's address. */
export function createLookUps(documents: DocumentStore, secret: string) {
  const counts = documents.collection<LookUpCount>(LOOK_UPS);

  async function countRequest(what: string, value: string, most: number): Promise<void> {
    const time = Date.now();
    const hour = Math.floor(time / HOUR_MS);
    const purgeAt = new Date((hour + 1) * HOUR_MS);
    const current = await counts.findOneAndUpdate(
      { _id: createHmac("sha256", secret).update(`look-up ${hour} ${what} ${value}`).digest("base64url") },
      { $inc: { count: 1 }, $setOnInsert: { purgeAt } },
      { upsert: true },
    );
    if ((current?.count ?? 0) <= most) return;
    const retryAfterSeconds = Math.ceil((purgeAt.getTime() - time) / 1_000);
    throw new PartlineError("RATE_LIMITED", `More than ${most} look-ups of this ${what} in an hour`, {
      retryAfterSeconds,
    });
  }

  return {
    /** @throws RATE_LIMITED */
    async admit(orderNumber: string, client: string | undefined): Promise<void> {
      if (client !== undefined) await countRequest("client", client, MOST_OF_ADDRESS);
      await countRequest("order number", normalizeOrderNumber(orderNumber), MOST_OF_NUMBER);
    },

    /** Stores a task in any case: a guess that is right takes no longer than a wrong one. */
    send: (orderId: string | undefined): Promise<unknown> => {
      const requestId = ulid();
      return documents.atomically([enqueue("mail.sendLink", requestId, { requestId, orderId })]);
    },
  };
}
