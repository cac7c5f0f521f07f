"use strict";

const HOUR_MS = 3_600_000;
const READ_AGAIN_MS = 30_000;

const byId = (id) => document.getElementById(id);
const money = (amount) => amount.toLocaleString("en-US", { style: "currency", currency: "USD" });
const whole = (number) => number.toLocaleString("en-US");
const percent = (share) =>
  share === null ? "–" : share.toLocaleString("en-US", { style: "percent", maximumFractionDigits: 1 });
const say = (id, text) => {
  byId(id).textContent = text;
};

/** Typed by whoever looks, where the figures are not open; never stored. */
let token = "";
const charts = new Map();

async function read(path, query, service = "analytics") {
  const headers = token === "" ? {} : { "X-Admin-Token": token };
  const response = await fetch(`/api/${service}/${path}?${new URLSearchParams(query)}`, { headers });
  const body = await response.json();
  if (!response.ok)
    throw Object.assign(new Error(body.error?.message ?? `The answer was ${response.status}`), {
      status: response.status,
    });
  return body;
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    ["ink", "soft", "line", "first", "second"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
}

/** Draws a chart, or gives one that is drawn new values. */
function draw(id, { type, labels, datasets, description, horizontal = false }) {
  byId(id).setAttribute("aria-label", description);
  const { soft, line, first, second } = colours();
  const coloured = datasets.map((dataset, index) => ({
    ...dataset,
    backgroundColor: [first, second][index],
    borderColor: [first, second][index],
    borderWidth: type === "line" ? 2 : 0,
    pointRadius: 0,
    tension: 0,
  }));
  const known = charts.get(id);
  if (known) {
    known.data.labels = labels;
    for (const [index, dataset] of coloured.entries()) Object.assign(known.data.datasets[index], dataset);
    known.update("none");
    return;
  }
  const axis = {
    grid: { color: line },
    ticks: { color: soft, maxRotation: 0, autoSkipPadding: 16, precision: 0 },
    border: { display: false },
  };
  charts.set(
    id,
    new Chart(byId(id), {
      type,
      data: { labels, datasets: coloured },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: horizontal ? "y" : "x",
        interaction: { mode: "index", intersect: false },
        scales: { x: { ...axis, beginAtZero: true }, y: { ...axis, beginAtZero: true } },
        plugins: { legend: { display: coloured.length > 1, labels: { color: soft, boxWidth: 12 } } },
      },
    }),
  );
}

function fill(id, rows) {
  const body = byId(id).tBodies[0];
  body.replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement("tr");
      for (const text of cells) row.insertCell().textContent = text;
      return row;
    }),
  );
  if (rows.length === 0) body.insertRow().insertCell().textContent = "Nothing yet";
}

/** Slots are UTC hours or days. */
const labelOf =
  (interval) =>
  ({ start }) =>
    interval === "hour" ? `${start.slice(11, 13)}:00` : start.slice(5, 10);

async function show() {
  const days = Number(byId("period").value);
  const now = Date.now();
  const interval = days === 1 ? "hour" : "day";
  const from =
    days === 1
      ? new Date(now - 23 * HOUR_MS).toISOString()
      : new Date(now - (days - 1) * 24 * HOUR_MS).toISOString().slice(0, 10);
  const [orders, revenue, conversion, searches, zeroHits, parts, attention] = await Promise.all([
    read("orders", { from, interval }),
    read("revenue", { from, interval }),
    read("conversion", { from, interval }),
    read("searches", { from, interval, limit: 10 }),
    read("searches/zero-hits", { from, limit: 10 }),
    read("parts", { from, limit: 10 }),
    read("incidents", { open: true }, "health-analytics").then(
      ({ incidents }) => incidents.map(({ cause, startedAt }) => [cause, new Date(startedAt).toLocaleString()]),
      // The figures are shown all the same.
      (error) => [[`Incidents cannot be read: ${error.message}`, ""]],
    ),
  ]);
  const label = labelOf(interval);

  const { gross, refunded, net } = revenue.revenue;
  say("net", money(net));
  say("gross", `${money(gross)} taken, ${money(refunded)} paid back`);
  say("orders", whole(orders.totalOrders));
  say("charged", `${whole(revenue.chargedOrders)} paid, ${whole(orders.byStatus.cancelled)} cancelled`);
  say("average", money(revenue.averageOrderValue));
  say("conversion", percent(conversion.rates.cartToPaid));
  say("funnel-text", `${whole(conversion.carts.paid)} of ${whole(conversion.carts.saved)} saved carts`);
  say("zero-share", percent(searches.searches === 0 ? null : searches.zeroHits / searches.searches));
  say("searches", `${whole(searches.zeroHits)} of ${whole(searches.searches)} searches`);

  draw("revenue-chart", {
    type: "bar",
    labels: revenue.series.map(label),
    description: `Revenue: ${money(gross)} taken and ${money(refunded)} paid back`,
    datasets: [
      { label: "Taken", data: revenue.series.map((slot) => slot.gross) },
      { label: "Paid back", data: revenue.series.map((slot) => slot.refunded) },
    ],
  });
  draw("orders-chart", {
    type: "bar",
    labels: orders.series.map(label),
    description: `Orders: ${orders.totalOrders}, of these ${orders.byStatus.cancelled} cancelled`,
    datasets: [
      { label: "Made", data: orders.series.map((slot) => slot.orders) },
      { label: "Cancelled", data: orders.series.map((slot) => slot.cancelled) },
    ],
  });
  const { carts } = conversion;
  draw("funnel-chart", {
    type: "bar",
    horizontal: true,
    labels: ["Saved", "Checked out", "Paid"],
    datasets: [{ label: "Carts", data: [carts.saved, carts.checkedOut, carts.paid] }],
    description: `Of ${carts.saved} saved carts, ${carts.checkedOut} were checked out and ${carts.paid} paid`,
  });
  draw("searches-chart", {
    type: "line",
    labels: searches.series.map(label),
    description: `Searches: ${searches.searches}, of these ${searches.zeroHits} without a hit`,
    datasets: [
      { label: "Searches", data: searches.series.map((slot) => slot.searches) },
      { label: "Without a hit", data: searches.series.map((slot) => slot.zeroHits) },
    ],
  });

  byId("attention").hidden = attention.length === 0;
  fill("incidents", attention);
  fill(
    "parts",
    parts.parts.map((part) => [`${part.partNumber} (${part.productId})`, whole(part.quantity), money(part.revenue)]),
  );
  fill(
    "top-searches",
    searches.queries.map(({ query, searches: count, zeroHits: none }) => [query, whole(count), whole(none)]),
  );
  fill(
    "zero-hits",
    zeroHits.queries.map(({ query, searches: count, zeroHits: none }) => [query, whole(none), whole(count)]),
  );

  const isLate = revenue.behind !== 0;
  const until =
    revenue.as_of === null ? "nothing has happened yet" : `counted until ${new Date(revenue.as_of).toLocaleString()}`;
  say(
    "standing",
    isLate
      ? `${until}, ${revenue.behind === null ? "how far behind is not known" : `${whole(revenue.behind)} events behind`}`
      : until,
  );
  byId("standing").classList.toggle("late", isLate);
}

async function refresh() {
  try {
    await show();
    byId("sign-in").hidden = true;
  } catch (error) {
    const isRefused = error.status === 401 || error.status === 403;
    byId("sign-in").hidden = !isRefused;
    byId("standing").classList.add("late");
    say("standing", isRefused ? "These figures are for admins" : error.message);
  }
}

byId("period").addEventListener("change", refresh);
byId("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token").value;
  byId("token").value = "";
  void refresh();
});
setInterval(() => document.visibilityState === "visible" && void refresh(), READ_AGAIN_MS);
void refresh();
