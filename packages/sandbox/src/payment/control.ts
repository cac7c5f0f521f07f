import {
  flag,
  isLocal,
  positiveInteger,
  readControlBody,
  createRefusal,
  readText,
  type ControlBody,
} from "../server/control-body.ts";
import { createFaultList } from "../server/faults.ts";
import { type Handler, type Routes, createJsonReply } from "../server/http-server.ts";
import type { Account, Runner, Scope } from "./account.ts";
import { failDebit, settleSession } from "./resources/checkout-payment.ts";
import { expireDueSessions } from "./resources/checkout-sessions.ts";
import {
  closeDispute,
  sumDisputed,
  escalateInquiry,
  failRefund,
  openDispute,
  settleRefund,
} from "./resources/refunds.ts";
import type { IntentDetails } from "./resources/payment-intents.ts";
import { getId } from "./store.ts";

/** Fault of the next `times` requests whose `METHOD /path` starts with `match`. */
export type Fault = {
  match: string;
  /** Answer with this status and an error of the provider's. */
  status: number | null;
  delayMs: number;
  hang: boolean;
  /** Do the work before going wrong, so that only the answer is lost. */
  afterWork: boolean;
  /** How often it still strikes; null without end. */
  times: number | null;
};

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const faults = createFaultList<Fault>();
  return {
    ...faults,
    /** Returns the first fault that a request meets, and counts it as used. */
    takeFault(method: string, path: string): Fault | undefined {
      const fault = faults.list().find((candidate) => `${method} ${path}`.startsWith(candidate.match));
      if (fault) faults.use([fault]);
      return fault;
    },
  };
}

/** Creates routes by which callers on this machine trigger the provider's own actions and faults. */
export function createControlRoutes(run: Runner, faults: Faults, clock: { advance(seconds: number): number }): Routes {
  const createHandler =
    (work: (scope: Scope, body: ControlBody, id: string) => unknown): Handler =>
    async (exchange) => {
      if (!isLocal(exchange)) throw createRefusal(403, "The sandbox's controls are for callers on its own machine.");
      const body = await readControlBody(exchange);
      const answer = run((scope) => work(scope, body, exchange.params["id"] ?? ""));
      return createJsonReply(200, answer);
    };
  const listFaults = () => ({ faults: faults.list() });
  return {
    "GET /sandbox/faults": createHandler(listFaults),
    "POST /sandbox/faults": createHandler((_scope, body) => {
      faults.add({
        match: readText(body, "match") ?? "",
        status: positiveInteger(body, "status") ?? null,
        delayMs: positiveInteger(body, "delayMs") ?? 0,
        hang: flag(body, "hang") ?? false,
        afterWork: flag(body, "afterWork") ?? false,
        times: positiveInteger(body, "times") ?? null,
      });
      return listFaults();
    }),
    "DELETE /sandbox/faults": createHandler(() => {
      faults.clear();
      return listFaults();
    }),
    "POST /sandbox/webhooks": createHandler(({ webhooks }, body) => {
      const paused = flag(body, "paused") ?? false;
      webhooks.setPaused(paused);
      return { paused };
    }),
    "GET /sandbox/events/:id/deliveries": createHandler(({ webhooks }, _body, id) => ({
      deliveries: webhooks.history(id),
    })),
    "POST /sandbox/events/:id/deliver": createHandler(({ store, webhooks }, body, id) => {
      store.get("event", id, "id");
      webhooks.enqueue(id, positiveInteger(body, "times") ?? 1);
      return { event: id, pending_webhooks: webhooks.pending(id) };
    }),
    "POST /sandbox/checkout/sessions/:id/settle": createHandler((scope, body, id) =>
      settleSession(scope, scope.store.get("checkout.session", id), readText(body, "outcome") !== "failed"),
    ),
    "POST /sandbox/payment_intents/:id/fail": createHandler((scope, _body, id) =>
      failDebit(scope, scope.store.get("payment_intent", id)),
    ),
    "POST /sandbox/refunds/:id/fail": createHandler((scope, body, id) =>
      failRefund(scope, scope.store.get("refund", id), readText(body, "reason")),
    ),
    "POST /sandbox/refunds/:id/succeed": createHandler((scope, _body, id) =>
      settleRefund(scope, scope.store.get("refund", id)),
    ),
    "POST /sandbox/disputes": createHandler((scope, body) =>
      openDispute(scope, findCharge(scope, readText(body, "payment_intent")), {
        reason: readText(body, "reason"),
        amount: positiveInteger(body, "amount"),
        inquiry: flag(body, "inquiry"),
      }),
    ),
    "POST /sandbox/disputes/:id/escalate": createHandler((scope, _body, id) =>
      escalateInquiry(scope, scope.store.get("dispute", id)),
    ),
    "POST /sandbox/disputes/:id/close": createHandler((scope, body, id) =>
      closeDispute(scope, scope.store.get("dispute", id), readText(body, "status") === "won" ? "won" : "lost"),
    ),
    "POST /sandbox/clock": createHandler((scope, body) => {
      const now = clock.advance(positiveInteger(body, "advanceSeconds") ?? 0);
      expireDueSessions(scope);
      return { now };
    }),
    "GET /sandbox/ledger": createHandler(computeLedger),
  };
}

function findCharge({ store }: Scope, intent = "") {
  return store.get("charge", getId(store.get("payment_intent", intent).latest_charge));
}

const EVERYTHING = 1_000_000;

/** The books, in cents, to compare the shop's with. */
function computeLedger(account: Account) {
  const { store } = account;
  const intents = store.list("payment_intent", { limit: EVERYTHING }).rows.map((intent) => {
    const charge = store.find("charge", intent.latest_charge);
    return {
      payment_intent: intent.id,
      checkout_session: (store.details(intent.id) as IntentDetails | undefined)?.session ?? null,
      status: intent.status,
      amount: intent.amount,
      amount_received: intent.amount_received,
      amount_refunded: charge?.amount_refunded ?? 0,
      disputed: charge?.disputed ?? false,
      amount_disputed: charge ? sumDisputed(account, charge) : 0,
      metadata: intent.metadata,
    };
  });
  const received = intents.reduce((sum, intent) => sum + intent.amount_received, 0);
  const refundedSum = intents.reduce((sum, intent) => sum + intent.amount_refunded, 0);
  return { currency: "usd", received, refunded: refundedSum, net: received - refundedSum, payment_intents: intents };
}
