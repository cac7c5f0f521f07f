import { randomUUID } from "node:crypto";
import type { CallOrigin } from "@partline/moleculer-kit";
import type { Caller } from "../../broker/contract/context.ts";
import { array, object } from "@partline/api-contracts";
import { validationFailed } from "../../mixins/errors.ts";
import { contractsByName } from "../../services/all-contracts.ts";
import { call } from "../../services/contracts.ts";
import { defineTool, type Tool } from "./tool.ts";

const { payment } = contractsByName;
const { items, fulfilment, shippingAddress } = payment.actions.createCheckoutSession.params;
const { productId, quantity } = items.items.props;
const { country, state, postalCode } = shippingAddress.props;

const MOST_ITEMS = 20;
/** A cart and its checkout. */
const STORAGE = { copies: 4, bytes: 10_000 };

export const cartTool: Tool = defineTool({
  name: "create_cart_link",
  title: "Create a cart with its checkout link",
  description:
    "Saves a cart of parts (productIds from search_parts) for 24 hours and answers with the link at which a person checks it and pays. Nothing is paid or ordered by this tool. `destination` is needed where the shop charges shipping; the cheapest method is taken.",
  readOnly: false,
  params: {
    items: array(object({ productId, quantity }), { min: 1, max: MOST_ITEMS }),
    fulfilment,
    destination: object(
      { country: { ...country, optional: undefined }, state, postalCode },
      { optional: true, description: "Where it is shipped to" },
    ),
  },
  async run({ items: requestedItems, fulfilment: how, destination }, { origin, noteStorage }) {
    if (how === "pickup" && destination)
      throw validationFailed({ field: "destination", message: "The 'destination' field is not allowed for pickup." });
    await noteStorage(STORAGE);
    const sessionId = randomUUID();
    const cartId = `cart_${Date.now()}_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
    const lines = await Promise.all(requestedItems.map((item, index) => quoteLine(origin, item, index)));
    const asGuest = { meta: { caller: { admin: false, sessionId } satisfies Caller } };
    const quote = destination && (await findCheapest(origin, lines, destination));
    const cart = await call(origin, "cart.saveForCheckout", { cartId, items: lines, sessionId }, asGuest);
    const checkout = { items: lines, cartId, fulfilment: how, shippingAddress: destination, quote: quote?.quote };
    const session = await call(origin, "payment.createCheckoutSession", checkout, asGuest);
    return {
      cartId,
      checkoutLink: session.url,
      subtotal: cart.subtotal,
      currency: cart.currency,
      shipping: quote && { provider: quote.provider, serviceType: quote.serviceType, cost: quote.cost },
      expiresAt: cart.expiresAt,
      items: lines.map(({ title, partNumber, unitPrice, ...line }) => ({ ...line, partNumber, title, unitPrice })),
      backordered: session.backordered,
    };
  },
});

async function quoteLine(origin: CallOrigin, item: { productId: string; quantity: number }, index: number) {
  const part = await call(origin, "search.part", { id: item.productId });
  const price = part.price?.list.value;
  if (part.status !== "active" || price === undefined)
    throw validationFailed({ field: `items[${index}].productId`, message: `${part.partNumber} cannot be bought.` });
  return {
    productId: part.id,
    partNumber: part.partNumber,
    title: part.title,
    quantity: item.quantity,
    unitPrice: price,
    manufacturer: part.manufacturer.name,
  };
}

async function findCheapest(
  origin: CallOrigin,
  lines: Awaited<ReturnType<typeof quoteLine>>[],
  destination: { country: string; state?: string; postalCode?: string },
) {
  const { methods } = await call(origin, "payment.quoteShipping", { items: lines, destination });
  if (!methods[0]) throw validationFailed({ field: "destination", message: "Nothing ships these items there." });
  return methods[0];
}
