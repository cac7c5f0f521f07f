import { positiveInteger, readControlBody, textOf, type ControlBody } from "../payment/control/control-body.ts";
import { ApiError } from "../payment/protocol/errors.ts";
import type { Exchange, Handler } from "../server/http-server.ts";
import { jsonReply, redirectReply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import { FAULT_KINDS, type Fault, type Faults } from "./faults.ts";
import type { RequestLog } from "./requests.ts";

/** The supplier's bad day, at the caller's word: JSON under `/sandbox`, and the forms of the page at `/`. */
export function controlRoutes({ faults, requests }: { faults: Faults; requests: RequestLog }): Routes {
  const list = () => jsonReply(200, { faults: faults.list() });
  return {
    "GET /sandbox/faults": list,
    "POST /sandbox/faults": answered(async (exchange) => {
      faults.add(faultOf(await readControlBody(exchange)));
      return list();
    }),
    "DELETE /sandbox/faults": () => {
      faults.clear();
      return list();
    },
    "GET /sandbox/requests": () => jsonReply(200, requests.facts()),
    "POST /sandbox/form/add": answered(async (exchange) => {
      assertOwnPage(exchange);
      const fields = new URLSearchParams((await exchange.body()).toString("utf8"));
      const numbers = ["page", "value", "times"].flatMap((name) => (fields.get(name) ? [[name, Number(fields.get(name))] as const] : []));
      faults.add(faultOf({ kind: fields.get("kind") ?? "", ...Object.fromEntries(numbers) }));
      return redirectReply("/");
    }),
    "POST /sandbox/form/clear": answered((exchange) => {
      assertOwnPage(exchange);
      faults.clear();
      return redirectReply("/");
    }),
  };
}

function faultOf(body: ControlBody): Fault {
  const kind = FAULT_KINDS.find((known) => known === textOf(body, "kind"));
  if (!kind) throw refusal(400, `kind must be one of ${FAULT_KINDS.join(", ")}.`);
  return {
    kind,
    page: positiveInteger(body, "page") ?? null,
    value: positiveInteger(body, "value") ?? null,
    times: positiveInteger(body, "times") ?? null,
  };
}

/** A form's post needs no permission from the browser, so other sites' pages could send one. */
function assertOwnPage(exchange: Exchange): void {
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") throw refusal(403, "Send the form from the sandbox's own page.");
}

function answered(handler: Handler): Handler {
  return async (exchange) => {
    try {
      return await handler(exchange);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return jsonReply(error.status, { error: error.body });
    }
  };
}

function refusal(status: number, message: string): ApiError {
  return new ApiError(status, { type: "invalid_request_error", message }, "validation");
}
