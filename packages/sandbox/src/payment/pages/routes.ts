import type Stripe from "stripe";
import { html, createHtmlReply } from "../../server/html.ts";
import { type Handler, type Reply, type Routes, redirectReply } from "../../server/http-server.ts";
import type { Runner, Scope } from "../account.ts";
import { ApiError } from "../protocol/errors.ts";
import {
  type CheckoutForm,
  resolveAddressKind,
  assertFilledIn,
  paySession,
  quote,
  settleSession,
} from "../resources/checkout-payment.ts";
import { getCheckoutDetails } from "../resources/checkout-sessions.ts";
import { getId } from "../store.ts";
import { type CheckoutView, renderCheckoutPage } from "./checkout-page.ts";
import { formatMoney, renderMessagePage, page } from "./layout.ts";

type Session = Stripe.Checkout.Session;

/** The hosted page of a checkout session, and the ways in which it ends. */
export function createCheckoutRoutes(run: Runner): Routes {
  const visit =
    (work: (scope: Scope, session: Session | undefined, params: URLSearchParams) => Reply): Handler =>
    async ({ params, form }) => {
      const submitted = await form();
      return run((scope) => work(scope, scope.store.find("checkout.session", params["id"]), submitted));
    };
  const withOpenSession = (work: (scope: Scope, session: Session, submitted: URLSearchParams) => Reply): Handler =>
    visit((scope, session, submitted) =>
      session?.status === "open" ? work(scope, session, submitted) : renderClosedPage(scope, session),
    );
  const createPaymentHandler = (forced: Partial<CheckoutForm>): Handler =>
    withOpenSession((scope, session, sent) => pay(scope, session, sent, forced));
  return {
    "GET /c/pay/:id": withOpenSession((scope, session) => openPage(200, scope, session, prefillForm(scope, session))),
    "POST /c/pay/:id": createPaymentHandler({}),
    "POST /c/pay/:id/decline": createPaymentHandler({ payment_method: "pm_card_chargeDeclined" }),
    "POST /c/pay/:id/delayed": createPaymentHandler({ payment_method: "pm_usBankAccount_success" }),
    "POST /c/pay/:id/leave": withOpenSession((_scope, { id, cancel_url, url }) =>
      redirectReply(fillTemplate((cancel_url ?? url)!, id)),
    ),
    "POST /c/pay/:id/settle": visit((scope, session, sent) => {
      const pending = session && isPending(scope, session);
      return renderClosedPage(
        scope,
        pending ? settleSession(scope, session, sent.get("outcome") !== "failed") : session,
      );
    }),
  };
}

function pay(scope: Scope, session: Session, submitted: URLSearchParams, forced: Partial<CheckoutForm>): Reply {
  const original = prefillForm(scope, session);
  const form = { ...fillForm(original, submitted), ...forced };
  try {
    assertFilledIn(scope, session, form);
    const { total } = quote(scope, session, form);
    const shownTotal = submitted.get("shown_total");
    if (shownTotal !== null && Number(shownTotal) !== total) {
      const news = `With what you entered the total is ${formatMoney(total)}. Please look at it and pay again.`;
      return openPage(200, scope, session, form, { news });
    }
    const result = paySession(scope, session, form);
    if (result.declined === null) return redirectReply(fillTemplate(session.success_url ?? scope.baseUrl, session.id));
    const retryForm = { ...form, payment_method: original.payment_method };
    return openPage(402, scope, result.session, retryForm, { problem: result.declined });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const retryForm = { ...form, promotion_code: "", shipping_rate: original.shipping_rate };
    return openPage(400, scope, session, retryForm, { problem: error.message });
  }
}

/**
 * The page of a session that cannot be paid: 404 unknown, 410 expired, 409 paid, 200 while its bank debit is pending.
 */
function renderClosedPage(scope: Scope, session: Session | undefined): Reply {
  if (!session)
    return createHtmlReply(404, renderMessagePage("Page not found", "There is no checkout session at this address."));
  const renderMessage = (status: number, title: string, text: string, label: string, url: string | null) => {
    const link = url ? { href: fillTemplate(url, session.id), label } : undefined;
    return createHtmlReply(status, renderMessagePage(title, text, link));
  };
  if (session.status === "expired") {
    const text = "The order was not paid in time. Nothing was taken; please start again in the shop.";
    return renderMessage(410, "This page has expired", text, "Back to the shop", session.cancel_url);
  }
  if (!isPending(scope, session)) {
    const [title, text] =
      session.payment_status === "unpaid"
        ? (["Payment failed", "The bank debit did not go through."] as const)
        : (["Already paid", "This order is complete. It was not charged again."] as const);
    return renderMessage(409, title, text, "To your order", session.success_url);
  }
  const renderForm = (outcome: string, label: string) =>
    html`<form method="post" action="/c/pay/${session.id}/settle"><input type="hidden" name="outcome" value="${outcome}"><button>${label}</button></form>`;
  return createHtmlReply(
    200,
    page(
      "Bank debit pending",
      html`<section class="card"><h1>Bank debit pending</h1><p>The order over ${formatMoney(session.amount_total ?? 0)} is complete and its payment is on
its way. At a real bank this takes days; here you choose how it ends.</p>${renderForm("succeeded", "The money arrives")}${renderForm("failed", "The bank refuses")}</section>`,
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
  const { lines } = getCheckoutDetails(scope, session.id);
  const view: CheckoutView = {
    ...words,
    session,
    lines: lines.map((line) => ({ ...line, note: scope.store.find("product", line.price.product)?.description })),
    shippingRates: session.shipping_options.flatMap(
      ({ shipping_rate: rate }) => scope.store.find("shipping_rate", rate) ?? [],
    ),
    totals: quote(scope, session, form),
    form,
    address: resolveAddressKind(scope, session),
  };
  return createHtmlReply(status, renderCheckoutPage(view));
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

/** Prefills the form from the session and its customer, and from the example shopper. */
function prefillForm({ store }: Scope, session: Session): CheckoutForm {
  const customer = store.find("customer", session.customer);
  const address: Partial<Stripe.Address> = customer?.shipping?.address ?? customer?.address ?? {};
  const addressEntries = Object.entries(address).map(([name, value]): [string, string] => [name, value ?? ""]);
  const countries = session.shipping_address_collection?.allowed_countries ?? ["US"];
  const elsewhere = countries.includes("US") ? {} : { state: "", country: countries[0] ?? "" };
  return {
    ...SHOPPER,
    ...elsewhere,
    ...Object.fromEntries(addressEntries),
    email: customer?.email ?? SHOPPER.email,
    name: customer?.name ?? SHOPPER.name,
    phone: customer?.phone ?? SHOPPER.phone,
    shipping_rate: getId(session.shipping_options[0]?.shipping_rate),
  };
}

function fillForm(current: CheckoutForm, submitted: URLSearchParams): CheckoutForm {
  const entries = Object.entries(current).map(([name, value]) => [
    name,
    submitted.get(name)?.trim().slice(0, 500) ?? value,
  ]);
  return Object.fromEntries(entries) as CheckoutForm;
}

function fillTemplate(url: string, sessionId: string): string {
  return url.replaceAll("{CHECKOUT_SESSION_ID}", sessionId);
}

/** Says what the sandbox is, and what happened lately. */
export function indexPage(scope: Scope): Reply {
  const sessions = scope.store.list("checkout.session", { limit: 20 }).rows;
  const events = scope.store.list("event", { limit: 30 }).rows;
  const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString().replace("T", " ").slice(0, 19);
  return createHtmlReply(
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
        ) => html`<tr><td>${formatTime(session.created)}</td><td>${formatMoney(session.amount_total ?? 0)}</td><td>${session.status}</td>
<td>${session.payment_status}</td><td><a href="/c/pay/${session.id}">${session.id.slice(0, 24)}…</a></td></tr>`,
      )}</table></section>
<section class="card scroll"><h2>Events</h2>${events.length === 0 && html`<p class="soft">None yet.</p>`}
<table class="list">${events.map((event) => {
        const pending = scope.webhooks.pending(event.id);
        return html`<tr><td>${formatTime(event.created)}</td><td>${event.type}</td><td>${pending === 0 ? "delivered" : `${pending} to deliver`}</td><td><code>${event.id}</code></td></tr>`;
      })}</table></section>`,
    ),
  );
}
