// The webhook makes the order, usually before the shopper is back; until then this page asks again.
const session = new URLSearchParams(location.search).get("session_id") ?? "";
const show = (id, text) => (document.getElementById(id).textContent = text);
const deadline = Date.now() + 60_000;

async function ask() {
  const response = await fetch(`/api/orders/by-session/${encodeURIComponent(session)}`).catch(() => undefined);
  if (response?.ok) {
    const { data } = await response.json();
    show("state", "Your order is placed.");
    show("number", data.orderNumber);
    show("placed", new Date(data.createdAt).toLocaleString());
    show("status", data.status);
    document.getElementById("order").hidden = false;
  } else if (session !== "" && Date.now() < deadline) {
    setTimeout(ask, 1_000);
  } else {
    show("state", session === "" ? "No checkout is named in this address." : "There is no order for this checkout yet. Nothing is lost: reload this page later.");
  }
}

ask();
