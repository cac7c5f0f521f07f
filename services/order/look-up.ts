import { createHmac } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { ulid } from "@partline/toolkit";
import { invalidField, createMailOffError, notFound, PartlineError } from "../../mixins/errors.ts";
import { ORDER_LINK, type SignedTokens } from "../../mixins/http/signed-token.ts";
import { normalizeOrderNumber } from "../../mixins/shop/order-number.ts";
import { resolveKnownPlace } from "@partline/toolkit/pure";
import { enqueue } from "../contracts.ts";
import type { OrderDocument } from "./collections.ts";
import { toContactKey } from "./derived.ts";

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

interface LookUpDeps {
  documents: DocumentStore;
  tasks: { wake(): void };
  secret: string;
  tokens: Pick<SignedTokens, "sign">;
  hasMail: boolean;
  findOrder(orderNumber: string): Promise<OrderDocument | null>;
}

/** Finds an order for a buyer whose mail is gone, and has its link mailed. */
export function createLookUps({ documents, tasks, secret, tokens, hasMail, findOrder }: LookUpDeps) {
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

  /**
   * Lets few requests through for each order number and email address, whether or not there is one, and each client.
   * @throws RATE_LIMITED
   */
  async function admit({ orderNumber, email, postalCode }: LookUpRequest, client: string | undefined): Promise<void> {
    if (client !== undefined) await countRequest("client", client, MOST_OF_CLIENT);
    if (postalCode !== undefined) {
      const code = postalCode.replaceAll(/[\W_]/g, "").toUpperCase();
      await countRequest("postal code", `${code} ${client ?? ""}`, MOST);
    }
    if (email !== undefined) await countRequest("email address", email.trim().toLowerCase(), MOST);
    await countRequest("order number", normalizeOrderNumber(orderNumber), MOST);
  }

  /** Stores a task in any case: a guess that is right takes no longer than a wrong one. */
  async function send(orderId: string | undefined): Promise<void> {
    const requestId = ulid();
    await documents.atomically([enqueue("mail.sendLink", requestId, { requestId, orderId })]);
    tasks.wake();
  }

  function assertMail(): void {
    if (!hasMail) throw createMailOffError();
  }

  return {
    admit,

    /** Returns a token that shows the order for an hour if both facts are right; null if a link may have been mailed. */
    async find(request: LookUpRequest, client: string | undefined): Promise<string | null> {
      const { orderNumber, email, postalCode } = request;
      if (email === undefined && postalCode === undefined)
        throw invalidField("email", "is required, unless 'postalCode' is given");
      if (email === undefined || postalCode === undefined) assertMail();
      await admit(request, client);
      const order = await findOrder(normalizeOrderNumber(orderNumber));
      const { hasEmail, hasPostalCode } = findMatches(order ?? {}, request);
      if (order && hasEmail && hasPostalCode)
        return tokens.sign(ORDER_LINK, { orderId: order._id, readOnly: true }, HOUR_MS);
      if (!hasMail) throw notFound("Order");
      await send(hasEmail || hasPostalCode ? order?._id : undefined);
      return null;
    },

    /** Mails the link of an order that is open. */
    async sendLink(readLink: () => Promise<{ orderId: string }>): Promise<object> {
      assertMail();
      await send((await readLink()).orderId);
      return {};
    },
  };
}

type BuyerFacts = Pick<OrderDocument, "contact" | "shippingAddress">;

/** Returns which of what is given is the order's. */
function findMatches({ contact, shippingAddress = {} }: BuyerFacts, { email, postalCode }: LookUpRequest) {
  const { country } = shippingAddress;
  const toCode = (code: string | undefined) => resolveKnownPlace({ country, postalCode: code })?.postalCode;
  return {
    hasEmail: isSame(toContactKey(email), toContactKey(contact?.email)),
    hasPostalCode: isSame(toCode(postalCode), toCode(shippingAddress.postalCode)),
  };
}

function isSame(text: string | undefined, stored: string | undefined): boolean {
  return text !== undefined && text === stored;
}
