import {
  ControlRefusal,
  flag,
  positiveInteger,
  readControlBody,
  textOf,
  type ControlBody,
} from "../../server/control-body.ts";
import type { Exchange, Handler } from "../../server/http-server.ts";
import { jsonReply } from "../../server/reply.ts";
import type { Routes } from "../../server/router.ts";
import { ApiError, noSuchReference, refusal } from "../protocol/errors.ts";
import { findCharge } from "../resources/charges.ts";
import { expireDueSessions } from "../resources/checkout-expiry.ts";
import { findSession } from "../resources/checkout-details.ts";
import { settleSession } from "../resources/checkout-payment.ts";
import { closeDispute, findDispute, openDispute } from "../resources/disputes.ts";
import { findIntent } from "../resources/payment-intents.ts";
import { failRefund, findRefund, settleRefund } from "../resources/refunds.ts";
import type { Runner } from "../runner.ts";
import type { Scope } from "../scope.ts";
import type { WebhookDispatcher } from "../../server/webhooks/dispatcher.ts";
import type { Faults } from "./faults.ts";
import { ledger } from "./ledger.ts";
import { idOf } from "../state/resources.ts";

export type ControlOptions = {
  run: Runner;
  faults: Faults;
  dispatcher: WebhookDispatcher;
  clock: { advance(seconds: number): number };
};

/**
 * What the provider does by itself or on a bad day, at the caller's word: JSON under `/sandbox`, for callers on this
 * machine. A body must say that it is JSON, which keeps other sites' pages in a browser here from posting.
 */
export function controlRoutes({ run, faults, dispatcher, clock }: ControlOptions): Routes {
  const control =
    (work: (scope: Scope, body: ControlBody, id: string) => unknown): Handler =>
    async (exchange) => {
      try {
        assertLocal(exchange);
        const body = await readControlBody(exchange);
        return jsonReply(
          200,
          run((scope) => work(scope, body, exchange.params["id"] ?? "")),
        );
      } catch (error) {
        if (error instanceof ControlRefusal)
          return jsonReply(error.status, { error: { type: "invalid_request_error", message: error.message } });
        if (!(error instanceof ApiError)) throw error;
        return jsonReply(error.status, { error: error.body });
      }
    };
  return {
    "GET /sandbox/faults": control(() => ({ faults: faults.list() })),
    "POST /sandbox/faults": control((_scope, body) => {
      faults.add({
        match: textOf(body, "match") ?? "",
        status: positiveInteger(body, "status") ?? null,
        delayMs: positiveInteger(body, "delayMs") ?? 0,
        hang: flag(body, "hang") ?? false,
        afterWork: flag(body, "afterWork") ?? false,
        times: positiveInteger(body, "times") ?? null,
      });
      return { faults: faults.list() };
    }),
    "DELETE /sandbox/faults": control(() => {
      faults.clear();
      return { faults: faults.list() };
    }),
    "GET /sandbox/webhooks": control(() => ({ paused: dispatcher.isPaused() })),
    "POST /sandbox/webhooks": control((_scope, body) => {
      dispatcher.setPaused(flag(body, "paused") ?? false);
      return { paused: dispatcher.isPaused() };
    }),
    "GET /sandbox/events/:id/deliveries": control((scope, _body, id) => ({ deliveries: scope.outbox.history(id) })),
    "POST /sandbox/events/:id/deliver": control((scope, body, id) => {
      if (!scope.store.find("event", id)) throw noSuchReference("event", id, "id");
      scope.outbox.enqueue(id, positiveInteger(body, "times") ?? 1);
      return { event: id, pending_webhooks: scope.outbox.pending(id) };
    }),
    "POST /sandbox/checkout/sessions/:id/settle": control((scope, body, id) =>
      settleSession(scope, findSession(scope, id), textOf(body, "outcome") === "failed" ? "failed" : "succeeded"),
    ),
    "POST /sandbox/refunds/:id/fail": control((scope, body, id) =>
      failRefund(scope, findRefund(scope, id), textOf(body, "reason")),
    ),
    "POST /sandbox/refunds/:id/succeed": control((scope, _body, id) => settleRefund(scope, findRefund(scope, id))),
    "POST /sandbox/disputes": control((scope, body) =>
      openDispute(scope, chargeNamed(scope, body), {
        reason: textOf(body, "reason"),
        amount: positiveInteger(body, "amount"),
      }),
    ),
    "POST /sandbox/disputes/:id/close": control((scope, body, id) =>
      closeDispute(scope, findDispute(scope, id), textOf(body, "status") === "won" ? "won" : "lost"),
    ),
    "POST /sandbox/clock": control((scope, body) => {
      const now = clock.advance(positiveInteger(body, "advanceSeconds") ?? 0);
      expireDueSessions(scope);
      return { now };
    }),
    "GET /sandbox/ledger": control((scope) => ledger(scope)),
  };
}

function chargeNamed(scope: Scope, body: ControlBody) {
  const charge = textOf(body, "charge");
  if (charge) return findCharge(scope, charge);
  const intent = findIntent(scope, textOf(body, "payment_intent") ?? "");
  if (!intent.latest_charge) throw refusal(`Payment intent ${intent.id} has no charge.`);
  return findCharge(scope, idOf(intent.latest_charge));
}

function assertLocal(exchange: Exchange): void {
  if (/^(::ffff:)?127\.|^::1$/.test(exchange.remoteAddress)) return;
  throw new ControlRefusal(403, "The sandbox's controls are for callers on its own machine.");
}
