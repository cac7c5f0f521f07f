import { ControlRefusal, positiveInteger, readControlBody, textOf, type ControlBody } from "../server/control-body.ts";
import { html, type Html } from "../server/html.ts";
import type { Exchange, Handler } from "../server/http-server.ts";
import { jsonReply, redirectReply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import type { Fault, Faults } from "./switches.ts";

/** A provider's bad day, at the caller's word: JSON under `/sandbox/faults`, and the forms of `faultSwitches`. */
export function faultRoutes<Kind extends string>(faults: Faults<Kind>): Routes {
  const list = () => jsonReply(200, { faults: faults.list() });
  const faultOf = (body: ControlBody): Fault<Kind> => {
    const kind = faults.kinds.find((known) => known === textOf(body, "kind"));
    if (!kind) throw new ControlRefusal(400, `kind must be one of ${faults.kinds.join(", ")}.`);
    const number = (name: string): number | null => positiveInteger(body, name) ?? null;
    return { kind, ...(faults.byPage && { page: number("page") }), value: number("value"), times: number("times") };
  };
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
    "POST /sandbox/form/add": answered(async (exchange) => {
      assertOwnPage(exchange);
      const fields = new URLSearchParams((await exchange.body()).toString("utf8"));
      const numbers = ["page", "value", "times"].flatMap((name) =>
        fields.get(name) ? [[name, Number(fields.get(name))] as const] : [],
      );
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

/** What goes wrong now, and switches for it. */
export function faultSwitches({ kinds, byPage, list }: Faults<string>): Html {
  const told = ({ kind, page, value, times }: Fault<string>): Html =>
    html`<li><code>${kind}</code>${value !== null && html` ${value}`}, ${byPage && `${page == null ? "every page" : `page ${page}`}, `}${times === null ? "for ever" : `${times} more times`}</li>`;
  return html`${list().length === 0 && html`<p>Nothing.</p>`}
<ul>${list().map(told)}</ul>
<form method="post" action="/sandbox/form/add">
<label>Fault <select name="kind">${kinds.map((kind) => html`<option>${kind}</option>`)}</select></label>
<label>Value <input name="value" type="number" min="0"></label>
${
  byPage &&
  html`<label>Page <input name="page" type="number" min="1" placeholder="every"></label>
`
}<label>Times <input name="times" type="number" min="1" placeholder="for ever"></label>
<button>Add</button>
</form>
<form method="post" action="/sandbox/form/clear"><button>All well again</button></form>`;
}

/** A form's post needs no permission from the browser, so other sites' pages could send one. */
function assertOwnPage(exchange: Exchange): void {
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin")
    throw new ControlRefusal(403, "Send the form from the sandbox's own page.");
}

function answered(handler: Handler): Handler {
  return async (exchange) => {
    try {
      return await handler(exchange);
    } catch (error) {
      if (!(error instanceof ControlRefusal)) throw error;
      return jsonReply(error.status, { error: error.message });
    }
  };
}
