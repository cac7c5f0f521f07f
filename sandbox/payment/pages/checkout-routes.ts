import type Stripe from "stripe";

import type { Handler } from "../../server/http-server.ts";
import { html, htmlReply } from "../../server/html.ts";
import type { Reply } from "../../server/reply.ts";
import { redirectReply } from "../../server/reply.ts";
import type { Routes } from "../../server/router.ts";
import { ApiError } from "../protocol/errors.ts";
import type { FormObject } from "../protocol/form.ts";
import { decodeForm } from "../protocol/form.ts";
import { checkoutDetails } from "../resources/checkout-details.ts";
import type { CheckoutEntry } from "../resources/checkout-payment.ts";
import { paySession, quote, settleSession } from "../resources/checkout-payment.ts";
import { formatMoney } from "../resources/money.ts";
import type { Runner } from "../runner.ts";
import type { Scope } from "../scope.ts";
import { checkoutPage } from "./checkout-page.ts";
import type { CheckoutView } from "./checkout-page.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { filledIn, prefilled, toEntry } from "./checkout-form.ts";
import { messagePage, page } from "./layout.ts";
import { idOf } from "../state/resources.ts";

type Visit = { scope: Scope; session: Stripe.Checkout.Session | undefined; sent: FormObject };

/** The hosted page of a checkout session, and the ends that it can come to. */
export function checkoutRoutes(run: Runner): Routes {
  const visit =
    (work: (visit: Visit) => Reply): Handler =>
    async (exchange) => {
      try {
        const sent = decodeForm((await exchange.body()).toString("utf8"));
        return run((scope) =>
          work({ scope, session: scope.store.find("checkout.session", exchange.params["id"] ?? ""), sent }),
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return htmlReply(error.status, messagePage("That did not work", error.message));
      }
    };
  const withOpenSession = (
    work: (scope: Scope, session: Stripe.Checkout.Session, sent: FormObject) => Reply,
  ): Handler =>
    visit(({ scope, session, sent }) =>
      session?.status === "open" ? work(scope, session, sent) : closedPage(scope, session),
    );
  return {
    "GET /c/pay/:id": withOpenSession((scope, session) =>
      htmlReply(200, checkoutPage(viewOf(scope, session, shownForm(scope, session)))),
    ),
    "POST /c/pay/:id": withOpenSession((scope, session, sent) => pay(scope, session, sent, {})),
    "POST /c/pay/:id/decline": withOpenSession((scope, session, sent) =>
      pay(scope, session, sent, { payment_method: "pm_card_chargeDeclined" }),
    ),
    "POST /c/pay/:id/delayed": withOpenSession((scope, session, sent) =>
      pay(scope, session, sent, { payment_method: "pm_usBankAccount_success" }),
    ),
    "POST /c/pay/:id/leave": withOpenSession((_scope, session) =>
      session.cancel_url
        ? redirectReply(fillTemplate(session.cancel_url, session.id))
        : htmlReply(
            200,
            messagePage("You left the page", "The order is still open: you can come back to it.", {
              href: session.url ?? "/",
              label: "Back",
            }),
          ),
    ),
    "POST /c/pay/:id/settle": visit(settle),
  };
}

function pay(scope: Scope, session: Stripe.Checkout.Session, sent: FormObject, forced: Partial<CheckoutForm>): Reply {
  const form = { ...filledIn(shownForm(scope, session), sent), ...forced };
  try {
    const entry = toEntry(form, session, addressAsked(session));
    const { total } = quote(scope, session, entry);
    const shown = sent["shown_total"];
    if (typeof shown === "string" && Number(shown) !== total) {
      const news = `With what you entered the total is ${formatMoney(total)}. Please look at it and pay again.`;
      return htmlReply(200, checkoutPage({ ...viewOf(scope, session, form, entry), news }));
    }
    const result = paySession(scope, session, entry);
    if (result.declined === null) return redirectReply(fillTemplate(session.success_url ?? scope.baseUrl, session.id));
    const again = { ...form, payment_method: "pm_card_visa" };
    return htmlReply(402, checkoutPage({ ...viewOf(scope, result.session, again, entry), problem: result.declined }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const original = shownForm(scope, session);
    const again = { ...form, promotion_code: "", shipping_rate: original.shipping_rate };
    const view = viewOf(scope, session, again, toEntry(original, session, addressAsked(session)));
    return htmlReply(400, checkoutPage({ ...view, problem: error.message }));
  }
}

function settle({ scope, session, sent }: Visit): Reply {
  const outcome = sent["outcome"] === "failed" ? "failed" : "succeeded";
  const settled = session && isUnderWay(scope, session) ? settleSession(scope, session, outcome) : session;
  return settled?.status === "open" ? redirectReply(settled.url ?? scope.baseUrl) : closedPage(scope, settled);
}

/**
 * What is shown of a session that cannot be paid: 404 unknown, 410 expired, 409 paid already, 200 while its bank debit
 * is under way.
 */
function closedPage(scope: Scope, session: Stripe.Checkout.Session | undefined): Reply {
  if (!session) return htmlReply(404, messagePage("Page not found", "There is no checkout session at this address."));
  const back = session.cancel_url
    ? { href: fillTemplate(session.cancel_url, session.id), label: "Back to the shop" }
    : undefined;
  if (session.status === "expired") {
    return htmlReply(
      410,
      messagePage(
        "This page has expired",
        "The order was not paid in time. Nothing was taken; please start again in the shop.",
        back,
      ),
    );
  }
  if (!isUnderWay(scope, session)) {
    const text =
      session.payment_status === "unpaid"
        ? "The bank debit did not go through."
        : "This order is complete. It was not charged again.";
    const link = { href: fillTemplate(session.success_url ?? scope.baseUrl, session.id), label: "To your order" };
    return htmlReply(
      409,
      messagePage(session.payment_status === "unpaid" ? "Payment failed" : "Already paid", text, link),
    );
  }
  const form = (outcome: string, label: string) =>
    html`<form method="post" action="/c/pay/${session.id}/settle"><input type="hidden" name="outcome" value="${outcome}"><button>${label}</button></form>`;
  return htmlReply(
    200,
    page(
      "Bank debit under way",
      html`<section class="card"><h1>Bank debit under way</h1><p>The order over ${formatMoney(session.amount_total ?? 0)} is complete and its payment is on
its way. At a real bank this takes days; here it is yours to say how it ends.</p>${form("succeeded", "The money arrives")}${form("failed", "The bank refuses")}</section>`,
    ),
  );
}

function isUnderWay(scope: Scope, session: Stripe.Checkout.Session): boolean {
  const intent = session.payment_intent ? scope.store.find("payment_intent", idOf(session.payment_intent)) : undefined;
  return intent?.status === "processing";
}

function viewOf(
  scope: Scope,
  session: Stripe.Checkout.Session,
  form: CheckoutForm,
  entry?: CheckoutEntry,
): CheckoutView {
  const address = addressAsked(session);
  const rates = session.shipping_options.map(({ shipping_rate: rate }) =>
    scope.store.find("shipping_rate", idOf(rate)),
  );
  return {
    session,
    lines: checkoutDetails(scope, session.id).lines,
    shippingRates: rates.filter((rate) => rate !== undefined),
    totals: quote(scope, session, entry ?? toEntry(form, session, address)),
    form,
    address,
  };
}

function shownForm(scope: Scope, session: Stripe.Checkout.Session): CheckoutForm {
  const customer = session.customer ? scope.store.find("customer", idOf(session.customer)) : undefined;
  return prefilled(session, customer, checkoutDetails(scope, session.id).intent.shipping);
}

function addressAsked(session: Stripe.Checkout.Session): "shipping" | "billing" | null {
  if (session.shipping_address_collection) return "shipping";
  return session.billing_address_collection === "required" || session.automatic_tax.enabled ? "billing" : null;
}

function fillTemplate(url: string, sessionId: string): string {
  return url.replaceAll("{CHECKOUT_SESSION_ID}", sessionId);
}
