import type Stripe from "stripe";
import { html, htmlReply } from "../../server/html.ts";
import { type Handler, type Reply, type Routes, redirectReply } from "../../server/http-server.ts";
import type { Runner, Scope } from "../account.ts";
import { ApiError } from "../protocol/errors.ts";
import {
  type CheckoutForm,
  addressAsked,
  assertFilledIn,
  paySession,
  quote,
  settleSession,
} from "../resources/checkout-payment.ts";
import { checkoutDetails } from "../resources/checkout-sessions.ts";
import { idOf } from "../store.ts";
import { type CheckoutView, checkoutPage } from "./checkout-page.ts";
import { formatMoney, messagePage, page } from "./layout.ts";

type Session = Stripe.Checkout.Session;

/** The hosted page of a checkout session, and the ways in which it ends. */
export function checkoutRoutes(run: Runner): Routes {
  const visit =
    (work: (scope: Scope, session: Session | undefined, sent: URLSearchParams) => Reply): Handler =>
    async ({ params, form }) => {
      const sent = await form();
      return run((scope) => work(scope, scope.store.find("checkout.session", params["id"]), sent));
    };
  const withOpenSession = (work: (scope: Scope, session: Session, sent: URLSearchParams) => Reply): Handler =>
    visit((scope, session, sent) =>
      session?.status === "open" ? work(scope, session, sent) : closedPage(scope, session),
    );
  const payment = (forced: Partial<CheckoutForm>): Handler =>
    withOpenSession((scope, session, sent) => pay(scope, session, sent, forced));
  return {
    "GET /c/pay/:id": withOpenSession((scope, session) => openPage(200, scope, session, prefilled(scope, session))),
    "POST /c/pay/:id": payment({}),
    "POST /c/pay/:id/decline": payment({ payment_method: "pm_card_chargeDeclined" }),
    "POST /c/pay/:id/delayed": payment({ payment_method: "pm_usBankAccount_success" }),
    "POST /c/pay/:id/leave": withOpenSession((_scope, { id, cancel_url, url }) =>
      redirectReply(fillTemplate((cancel_url ?? url)!, id)),
    ),
    "POST /c/pay/:id/settle": visit((scope, session, sent) => {
      const pending = session && isPending(scope, session);
      return closedPage(scope, pending ? settleSession(scope, session, sent.get("outcome") !== "failed") : session);
    }),
  };
}

function pay(scope: Scope, session: Session, sent: URLSearchParams, forced: Partial<CheckoutForm>): Reply {
  const original = prefilled(scope, session);
  const form = { ...filledIn(original, sent), ...forced };
  try {
    assertFilledIn(scope, session, form);
    const { total } = quote(scope, session, form);
    const shown = sent.get("shown_total");
    if (shown !== null && Number(shown) !== total) {
      const news = `With what you entered the total is ${formatMoney(total)}. Please look at it and pay again.`;
      return openPage(200, scope, session, form, { news });
    }
    const result = paySession(scope, session, form);
    if (result.declined === null) return redirectReply(fillTemplate(session.success_url ?? scope.baseUrl, session.id));
    const again = { ...form, payment_method: original.payment_method };
    return openPage(402, scope, result.session, again, { problem: result.declined });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const again = { ...form, promotion_code: "", shipping_rate: original.shipping_rate };
    return openPage(400, scope, session, again, { problem: error.message });
  }
}

/**
 * The page of a session that cannot be paid: 404 unknown, 410 expired, 409 paid, 200 while its bank debit is pending.
 */
function closedPage(scope: Scope, session: Session | undefined): Reply {
  if (!session) return htmlReply(404, messagePage("Page not found", "There is no checkout session at this address."));
  const message = (status: number, title: string, text: string, label: string, url: string | null) => {
    const link = url ? { href: fillTemplate(url, session.id), label } : undefined;
    return htmlReply(status, messagePage(title, text, link));
  };
  if (session.status === "expired") {
    const text = "The order was not paid in time. Nothing was taken; please start again in the shop.";
    return message(410, "This page has expired", text, "Back to the shop", session.cancel_url);
  }
  if (!isPending(scope, session)) {
    const [title, text] =
      session.payment_status === "unpaid"
        ? (["Payment failed", "The bank debit did not go through."] as const)
        : (["Already paid", "This order is complete. It was not charged again."] as const);
    return message(409, title, text, "To your order", session.success_url);
  }
  const form = (outcome: string, label: string) =>
    html`<form method="post" action="/c/pay/${session.id}/settle"><input type="hidden" name="outcome" value="${outcome}"><button>${label}</button></form>`;
  return htmlReply(
    200,
    page(
      "Bank debit pending",
      html`<section class="card"><h1>Bank debit pending</h1><p>The order over ${formatMoney(session.amount_total ?? 0)} is complete and its payment is on
its way. At a real bank this takes days; here you choose how it ends.</p>${form("succeeded", "The money arrives")}${form("failed", "The bank refuses")}</section>`,
    ),
  );
}

function isPending({ store }: Scope, session: Session): boolean {
  return store.find("payment_intent", session.payment_intent)?.status === "processing";
}

function openPage(
  status: number,
  scope: Scope,
  session: Session,
  form: CheckoutForm,
  words: Pick<CheckoutView, "news" | "problem"> = {},
): Reply {
  const { lines } = checkoutDetails(scope, session.id);
  const view: CheckoutView = {
    ...words,
    session,
    lines: lines.map((line) => ({ ...line, note: scope.store.find("product", line.price.product)?.description })),
    shippingRates: session.shipping_options.flatMap(
      ({ shipping_rate: rate }) => scope.store.find("shipping_rate", rate) ?? [],
    ),
    totals: quote(scope, session, form),
    form,
    address: addressAsked(scope, session),
  };
  return htmlReply(status, checkoutPage(view));
}

/** An example shopper, so that the page can be paid as it is first shown. */
const SHOPPER: CheckoutForm = {
  email: "shopper@example.com",
  name: "Jenny Rosen",
  phone: "+12015550123",
  line1: "354 Oyster Point Blvd",
  line2: "",
  city: "South San Francisco",
  state: "CA",
  postal_code: "94080",
  country: "US",
  shipping_rate: "",
  promotion_code: "",
  payment_method: "pm_card_visa",
};

/** What the session and its customer say, the example shopper for the rest. */
function prefilled({ store }: Scope, session: Session): CheckoutForm {
  const customer = store.find("customer", session.customer);
  const address: Partial<Stripe.Address> = customer?.shipping?.address ?? customer?.address ?? {};
  const known = Object.entries(address).map(([name, value]): [string, string] => [name, value ?? ""]);
  const countries = session.shipping_address_collection?.allowed_countries ?? ["US"];
  const elsewhere = countries.includes("US") ? {} : { state: "", country: countries[0] ?? "" };
  return {
    ...SHOPPER,
    ...elsewhere,
    ...Object.fromEntries(known),
    email: customer?.email ?? SHOPPER.email,
    name: customer?.name ?? SHOPPER.name,
    phone: customer?.phone ?? SHOPPER.phone,
    shipping_rate: idOf(session.shipping_options[0]?.shipping_rate),
  };
}

function filledIn(shown: CheckoutForm, sent: URLSearchParams): CheckoutForm {
  const entries = Object.entries(shown).map(([name, value]) => [name, sent.get(name)?.trim().slice(0, 500) ?? value]);
  return Object.fromEntries(entries) as CheckoutForm;
}

function fillTemplate(url: string, sessionId: string): string {
  return url.replaceAll("{CHECKOUT_SESSION_ID}", sessionId);
}

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
Signed webhooks go to ${scope.webhooks.urls.map((url, index) => html`${index > 0 && ", "}<code>${url}</code>`)}${scope.webhooks.urls.length === 0 && "nobody"}.</p>
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
        const pending = scope.webhooks.pending(event.id);
        return html`<tr><td>${time(event.created)}</td><td>${event.type}</td><td>${pending === 0 ? "delivered" : `${pending} to deliver`}</td><td><code>${event.id}</code></td></tr>`;
      })}</table></section>`,
    ),
  );
}
