import type Stripe from "stripe";

import { html, htmlReply } from "../../server/html.ts";
import type { Handler } from "../../server/http-server.ts";
import type { Reply } from "../../server/reply.ts";
import { redirectReply } from "../../server/reply.ts";
import type { Routes } from "../../server/router.ts";
import type { Runner, Scope } from "../account.ts";
import { formatMoney } from "../resources/money.ts";
import { completePayment, failPayment } from "../resources/payment-attempt.ts";
import { messagePage, page } from "./layout.ts";

const REFUSED = {
  code: "payment_intent_authentication_failure",
  declineCode: "authentication_required",
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

/** The bank's page, where a customer shows that the card is theirs: the next action of an intent. */
export function authenticationRoutes(run: Runner): Routes {
  const withWaitingIntent =
    (work: (scope: Scope, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod) => Reply): Handler =>
    ({ params }) =>
      run((scope) => {
        const intent = scope.store.find("payment_intent", params["id"]);
        const method = scope.store.find("payment_method", intent?.payment_method);
        if (intent?.status === "requires_action" && method) return work(scope, intent, method);
        const nothing = messagePage("Nothing to confirm", "There is no payment that waits for you here.");
        return htmlReply(intent ? 409 : 404, nothing);
      });
  return {
    "GET /c/authenticate/:id": withWaitingIntent((_scope, { id, amount }) =>
      htmlReply(
        200,
        page(
          "Confirm the payment",
          html`<section class="card"><h1>Your bank asks</h1><p>Do you want to pay ${formatMoney(amount)}?</p>
<form method="post" action="/c/authenticate/${id}"><button class="main">Yes, it is me</button></form>
<form method="post" action="/c/authenticate/${id}/refuse"><button>No</button></form></section>`,
        ),
      ),
    ),
    "POST /c/authenticate/:id": withWaitingIntent((scope, intent, method) =>
      goBack(intent, completePayment(scope, intent, method)),
    ),
    "POST /c/authenticate/:id/refuse": withWaitingIntent((scope, intent, method) =>
      goBack(intent, failPayment(scope, intent, method, REFUSED)),
    ),
  };
}

function goBack(before: Stripe.PaymentIntent, after: Stripe.PaymentIntent): Reply {
  const succeeded = after.status === "succeeded";
  const to = before.next_action?.redirect_to_url?.return_url;
  if (!to) return htmlReply(200, messagePage(succeeded ? "Paid" : "Not paid", "You can close this page."));
  const url = new URL(to);
  url.searchParams.set("payment_intent", after.id);
  url.searchParams.set("payment_intent_client_secret", after.client_secret ?? "");
  url.searchParams.set("redirect_status", succeeded ? "succeeded" : "failed");
  return redirectReply(url.href);
}
