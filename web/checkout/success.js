// The webhook makes the order, usually before the shopper is back; until then this page asks again.
const session = new URLSearchParams(location.search).get("session_id") ?? "";
const deadline = Date.now() + 30_000;
const LONGEST_PAUSE_MS = 5_000;

// Whoever has a session's id is told where its order is and nothing of its money, so no text here says that it is paid.
const STATES = {
  pending: ["Thank you for your order", "Your order is placed."],
  processing: ["Thank you for your order", "Your order is being prepared."],
  shipped: ["Your order is on its way", "It has been shipped."],
  delivered: ["Your order has arrived", "It has been delivered."],
  cancelled: ["Your order is cancelled", "It will not be shipped. What was paid for it is given back."],
};

const set = (id, text) => (document.getElementById(id).textContent = text);

function show(heading, text) {
  document.title = heading;
  set("heading", heading);
  set("state", text);
}

async function ask(pause = 1_000) {
  const response = await fetch(`/api/orders/by-session/${encodeURIComponent(session)}`).catch(() => undefined);
  if (response?.ok) {
    const { data } = await response.json();
    show(...(STATES[data.status] ?? ["Your order", `Your order is ${data.status}.`]));
    set("number", data.orderNumber);
    set("placed", new Date(data.createdAt).toLocaleString());
    set("status", data.status);
    document.getElementById("order").hidden = false;
  } else if (Date.now() < deadline) {
    setTimeout(ask, pause, Math.min(pause * 1.5, LONGEST_PAUSE_MS));
  } else {
    show(
      "No order yet",
      "There is no order for this checkout. If you have just paid, nothing is lost: reload this page in some minutes. If you have not, its address is wrong or the payment was left.",
    );
  }
}

if (session === "") show("No checkout", "No checkout is named in this address.");
else ask();
