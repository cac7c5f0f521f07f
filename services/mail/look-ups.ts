import { createHmac } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { ulid } from "@partline/toolkit";
import { PartlineError } from "../../mixins/errors.ts";
import { normalizeOrderNumber } from "../../mixins/shop/order-number.ts";
import { enqueue } from "../contracts.ts";

/** Requests of an hour with the same order number, email address or client. `_id` is an HMAC, which reveals none. */
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
const MOST = 6;
const MOST_OF_CLIENT = 30;

interface LookUpRequest {
  orderNumber: string;
  email?: string | undefined;
  postalCode?: string | undefined;
}

/** Lets few requests through for each order number and email address, whether or not there is one, and each client. */
export function createLookUps(documents: DocumentStore, secret: string) {
  const counts = documents.collection<LookUpCount>(LOOK_UPS);

  /** Counts by hours of the clock. Of the hour before, what is not yet an hour ago counts too. */
  async function countRequest(what: string, value: string, most: number): Promise<void> {
    const time = Date.now();
    const hour = Math.floor(time / HOUR_MS);
    const createCountId = (counted: number): string =>
      createHmac("sha256", secret).update(`look-up ${counted} ${what} ${value}`).digest("base64url");
    const end = (hour + 1) * HOUR_MS;
    const previous = await counts.findOne({ _id: createCountId(hour - 1) });
    const current = await counts.findOneAndUpdate(
      { _id: createCountId(hour) },
      { $inc: { count: 1 }, $setOnInsert: { purgeAt: new Date(end + HOUR_MS) } },
      { upsert: true },
    );
    const share = (end - time) / HOUR_MS;
    if ((current?.count ?? 0) + Math.min(previous?.count ?? 0, most) * share <= most) return;
    const retryAfterSeconds = Math.ceil((end - time + HOUR_MS / most) / 1_000);
    throw new PartlineError("RATE_LIMITED", `More than ${most} look-ups of this ${what} in an hour`, {
      retryAfterSeconds,
    });
  }

  return {
    /** @throws RATE_LIMITED */
    async admit({ orderNumber, email, postalCode }: LookUpRequest, client: string | undefined): Promise<void> {
      if (client !== undefined) await countRequest("client", client, MOST_OF_CLIENT);
      if (postalCode !== undefined) {
        const code = postalCode.replaceAll(/[\W_]/g, "").toUpperCase();
        await countRequest("postal code", `${code} ${client ?? ""}`, MOST);
      }
      if (email !== undefined) await countRequest("email address", email.trim().toLowerCase(), MOST);
      await countRequest("order number", normalizeOrderNumber(orderNumber), MOST);
    },

    /** Stores a task in any case: a guess that is right takes no longer than a wrong one. */
    send: (orderId: string | undefined): Promise<unknown> => {
      const requestId = ulid();
      return documents.atomically([enqueue("mail.sendLink", requestId, { requestId, orderId })]);
    },
  };
}
