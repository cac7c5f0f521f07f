import { html, htmlReply } from "../../server/html.ts";
import type { Reply } from "../../server/reply.ts";
import type { Scope } from "../account.ts";
import { formatMoney } from "../resources/money.ts";
import { page } from "./layout.ts";

/** Says what the sandbox is, and what happened lately. */
export function indexPage(scope: Scope): Reply {
  const sessions = scope.store.list("checkout.session", { limit: 20 }).rows;
  const events = scope.store.list("event", { limit: 30 }).rows;
  const time = (seconds: number) => new Date(seconds * 1_000).toISOString().replace("T", " ").slice(0, 19);
  return htmlReply(
    200,
    page(
      "Payment sandbox",
      html`<section class="card"><h1>Payment sandbox</h1>
<p>It stands in for the payment provider: the same API under <code>/v1</code>, the same webhooks, a page to pay on. Nothing here is real money.
Signed webhooks go to ${scope.outbox.urls.map((url, index) => html`${index > 0 && ", "}<code>${url}</code>`)}${scope.outbox.urls.length === 0 && "nobody"}.</p>
<p class="soft">To make it fail: <code>POST /sandbox/faults</code>, <code>/sandbox/webhooks</code>, <code>/sandbox/events/ID/deliver</code>,
<code>/sandbox/refunds/ID/fail</code>, <code>/sandbox/disputes</code>, <code>/sandbox/clock</code>; the books: <a href="/sandbox/ledger">/sandbox/ledger</a>.</p></section>
<section class="card scroll"><h2>Checkout sessions</h2>${sessions.length === 0 && html`<p class="soft">None yet.</p>`}
<table class="list">${sessions.map(
        (
          session,
        ) => html`<tr><td>${time(session.created)}</td><td>${formatMoney(session.amount_total ?? 0)}</td><td>${session.status}</td>
<td>${session.payment_status}</td><td><a href="/c/pay/${session.id}">${session.id.slice(0, 24)}…</a></td></tr>`,
      )}</table></section>
<section class="card scroll"><h2>Events</h2>${events.length === 0 && html`<p class="soft">None yet.</p>`}
<table class="list">${events.map((event) => {
        const pending = scope.outbox.pending(event.id);
        return html`<tr><td>${time(event.created)}</td><td>${event.type}</td><td>${pending === 0 ? "delivered" : `${pending} to deliver`}</td><td><code>${event.id}</code></td></tr>`;
      })}</table></section>`,
    ),
  );
}
