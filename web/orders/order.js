// The order of a link in a mail: the token is the last segment of this page's own address, and of the API's.
const api = `/api/orders/by-link/${encodeURIComponent(location.pathname.split("/").at(-1))}`;

const STATES = {
  pending: "We have your order and prepare it.",
  processing: "Your order is being prepared.",
  shipped: "Everything is on its way to you.",
  delivered: "Your order has arrived.",
  cancelled: "Your order is cancelled. What was paid for it is refunded.",
};
/** Of an order that the buyer fetches. */
const PICKUP_STATES = { ...STATES, shipped: "Your order is ready at the shop.", delivered: "You have your order." };
const LINE_STATES = {
  open: "in preparation",
  backordered: "on backorder",
  shipped: "shipped",
  cancelled: "cancelled",
  returned: "returned",
};

const DAYS = new Intl.NumberFormat("en", { style: "unit", unit: "day", unitDisplay: "long" });

const at = (id) => document.getElementById(id);
const element = (name, ...content) => {
  const made = document.createElement(name);
  made.append(...content);
  return made;
};

function show(order) {
  const money = new Intl.NumberFormat(undefined, { style: "currency", currency: order.currency });
  const isUnpaid = order.paymentStatus === "pending" || order.paymentStatus === "failed";
  const isPickup = order.fulfilment === "pickup";
  document.title = `Order ${order.orderNumber}`;
  at("heading").textContent = `Order ${order.orderNumber}`;
  at("state").textContent =
    isUnpaid && order.status === "cancelled"
      ? "Your order is cancelled."
      : isUnpaid
        ? order.paymentStatus === "failed"
          ? "The payment did not go through."
          : "We wait for your payment."
        : order.shipments?.length && order.status === "processing"
          ? `A part of your order is ${isPickup ? "ready at the shop" : "on its way"}.`
          : (isPickup ? PICKUP_STATES : STATES)[order.status];
  at("lines").replaceChildren(...order.items.map(lineOf));
  at("facts").replaceChildren(
    ...facts(order, money).flatMap(([label, value]) => [element("dt", label), element("dd", value)]),
  );
  at("shipments").replaceChildren(...(order.shipments ?? []).map((shipment) => parcelOf(shipment, order.items)));
  at("parcels").hidden = !order.shipments?.length;
  at("invoice").href = `${api}/invoice.pdf`;
  at("address").hidden = !order.addressMissing;
  if (order.addressMissing) fill(at("address"), order.shippingAddress);
  at("cancel").hidden = !["pending", "processing"].includes(order.status) || Boolean(order.shipments?.length);
  at("order").hidden = false;
}

function lineOf({ quantity, name, partNumber, quantities, expectedAt, backorderDays }) {
  const states = Object.entries(quantities)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count === quantity ? "" : `${count} `}${LINE_STATES[state]}`);
  const expected = expectedAt
    ? `, expected on ${new Date(expectedAt).toLocaleDateString(undefined, { timeZone: "UTC" })}`
    : backorderDays
      ? `, expected ${DAYS.format(backorderDays)} after the order`
      : "";
  const isAwaited = quantities.open + quantities.backordered > 0;
  const soft = element("div", `${partNumber} · ${states.join(", ")}${isAwaited ? expected : ""}`);
  soft.className = "soft";
  return element("li", `${quantity} × ${name}`, soft);
}

function parcelOf({ items, carrier, trackingNumber, createdAt }, lines) {
  const nameOf = (id) => lines.find(({ productId }) => productId === id)?.name;
  const pieces = items
    .map(({ quantity, productId, partNumber }) => `${quantity} × ${nameOf(productId) ?? partNumber}`)
    .join(", ");
  const sent = [carrier, trackingNumber, new Date(createdAt).toLocaleDateString()].filter(Boolean).join(" · ");
  const soft = element("div", sent);
  soft.className = "soft";
  return element("li", pieces, soft);
}

function facts(order, money) {
  const { shippingAddress = {}, fulfilment, refundedAmount } = order;
  const { name, street, city, state, postalCode, country } = shippingAddress;
  const address = [name, street, [city, state, postalCode].filter(Boolean).join(" "), country].filter(Boolean);
  return [
    ["Placed", new Date(order.createdAt).toLocaleDateString()],
    ["Items", money.format(order.subtotal)],
    ...(order.discount ? [["Discount", money.format(-order.discount)]] : []),
    ["Shipping", money.format(order.shipping)],
    ["Tax", money.format(order.tax)],
    ["Total", money.format(order.total)],
    ...(refundedAmount > 0 ? [["Refunded", money.format(refundedAmount)]] : []),
    fulfilment === "pickup"
      ? ["Pick-up", "at the shop"]
      : ["Goes to", order.addressMissing ? "not known yet" : address.join(", ")],
  ];
}

/** Shows what is known of the address; what the buyer has typed stays. */
function fill({ elements }, address = {}) {
  for (const [field, value] of Object.entries(address)) {
    const input = elements.namedItem(field);
    if (input && input.value === input.defaultValue && (field !== "country" || /^[A-Za-z]{2}$/.test(value)))
      input.value = value;
  }
}

async function ask(path = "", options) {
  at("problem").hidden = true;
  const response = await fetch(`${api}${path}`, options).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (response?.ok) return show(body.data);
  const isGone = response?.status === 404;
  at("problem").textContent = isGone
    ? "There is no order behind this link: it is not whole, or older than 90 days."
    : (body?.error?.message ?? "The shop does not answer: try again in a moment.");
  at("problem").hidden = false;
  if (at("order").hidden) at("state").textContent = "";
}

const json = (method, value) => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

onSubmit("address", (form) => {
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== "");
  return ask("/shipping-address", json("PUT", { shippingAddress: Object.fromEntries(given) }));
});
onSubmit("cancel", () => ask("/cancel", json("POST", {})));

/** One request at a time, however often the button is pressed. */
function onSubmit(id, send) {
  const form = at(id);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    await send(form);
    form.ariaBusy = "false";
    // A form that is hidden takes the focus with it.
    if (form.hidden) at("heading").focus();
  });
}

void ask();
