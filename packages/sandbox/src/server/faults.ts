import { setTimeout as delay } from "node:timers/promises";
import { type ControlBody, positiveInteger, readControlBody, createRefusal, readText } from "./control-body.ts";
import { type Html, html, createHtmlReply, renderPlainPage } from "./html.ts";
import { type Exchange, type Handler, type Reply, type Routes, createJsonReply, redirectReply } from "./http-server.ts";

/** Something that goes wrong with requests. Its kind says what `value` means. */
export interface Fault<Kind extends string> {
  kind: Kind;
  /** The page of a provider's listing that it strikes; null for every page. */
  page?: number | null;
  value: number | null;
  /** How often it still strikes; null without end. */
  times: number | null;
}

export type Faults<Kind extends string> = ReturnType<typeof createFaults<Kind>>;

/** Keeps faults in memory: a restart ends them. */
export function createFaultList<F extends { times: number | null }>() {
  let faults: F[] = [];
  return {
    list: (): readonly F[] => faults,
    add: (fault: F): void => void faults.push(fault),
    clear: (): void => void (faults = []),
    /** Counts some as used. */
    use(struck: readonly F[]): void {
      faults = faults.flatMap((fault) => {
        if (fault.times === null || !struck.includes(fault)) return fault;
        return fault.times > 1 ? { ...fault, times: fault.times - 1 } : [];
      });
    },
  };
}

/** @param meanings what the value of each kind means */
export function createFaults<Kind extends string>(meanings: Record<Kind, string>, { byPage: isByPage = false } = {}) {
  const faults = createFaultList<Fault<Kind>>();
  return {
    ...faults,
    meanings,
    byPage: isByPage,
    /** Returns every fault that a request meets, and counts them as used. */
    strike(page?: number): Fault<Kind>[] {
      const struck = faults.list().filter((fault) => fault.page == null || fault.page === page);
      faults.use(struck);
      return struck;
    },
  };
}

/** Faults of any HTTP server. */
export const SERVER_FAULTS = {
  rate_limited: "429; the value is seconds of Retry-After, without one there is no such header",
  error: "the status, 500 by default",
  slow: "milliseconds to wait first",
  stall: "never an answer",
  not_json: "an answer cut off in the middle",
};

/** The answer of such a fault, after its wait; undefined if the request must be answered. */
export async function applyServerFaults(
  struck: readonly Fault<string>[],
  body: (message: string) => object,
): Promise<Reply | "hang" | undefined> {
  const findFault = (kind: keyof typeof SERVER_FAULTS) => struck.find((candidate) => candidate.kind === kind);
  if (findFault("stall")) return "hang";
  await delay(findFault("slow")?.value ?? 0);
  const limited = findFault("rate_limited");
  const retryAfter: Record<string, string> = limited?.value == null ? {} : { "retry-after": String(limited.value) };
  if (limited) return createJsonReply(429, body("Too many requests"), retryAfter);
  const failed = findFault("error");
  return failed && createJsonReply(failed.value ?? 500, body("Something went wrong"));
}

/** Returns an answer as `not_json` leaves it. */
export function cutOff(struck: readonly Fault<string>[], reply: Reply & { body: string }): Reply {
  return struck.some(({ kind }) => kind === "not_json") ? { ...reply, body: reply.body.slice(0, -10) } : reply;
}

/** A stand-in's faults, as JSON under `/sandbox/faults`, and as switches in its index, `/`. */
export function createProviderRoutes<Kind extends string>(
  title: string,
  faults: Faults<Kind>,
  index: (url: string) => { about: Html; lately?: Html },
): Routes {
  const list = () => createJsonReply(200, { faults: faults.list() });
  const add = (body: ControlBody): void => {
    const kinds = Object.keys(faults.meanings) as Kind[];
    const kind = kinds.find((candidate) => candidate === readText(body, "kind"));
    if (!kind) throw createRefusal(400, `kind must be one of ${kinds.join(", ")}.`);
    const readNumber = (name: string): number | null => positiveInteger(body, name) ?? null;
    faults.add({
      kind,
      ...(faults.byPage && { page: readNumber("page") }),
      value: readNumber("value"),
      times: readNumber("times"),
    });
  };
  return {
    "GET /": ({ url }) => {
      const { about, lately } = index(url);
      return createHtmlReply(
        200,
        renderPlainPage(`${title} sandbox`, html`${about}\n${renderFaultSwitches(faults)}\n${lately}`),
      );
    },
    "GET /sandbox/faults": list,
    "POST /sandbox/faults": async (exchange) => {
      add(await readControlBody(exchange));
      return list();
    },
    "DELETE /sandbox/faults": () => {
      faults.clear();
      return list();
    },
    "POST /sandbox/form/add": handleOwnForm(async ({ form }) => {
      const filledFields = [...(await form())].filter(([, value]) => value !== "");
      add(Object.fromEntries(filledFields.map(([name, value]) => [name, name === "kind" ? value : Number(value)])));
    }),
    "POST /sandbox/form/clear": handleOwnForm(faults.clear),
  };
}

function renderFaultSwitches({
  meanings,
  byPage: isByPage,
  list,
}: Pick<Faults<string>, "meanings" | "byPage" | "list">): Html {
  const renderItem = ({ kind, page, value, times }: Fault<string>): Html =>
    html`<li><code>${kind}</code>${value !== null && html` ${value}`}, ${isByPage && `${page == null ? "every page" : `page ${page}`}, `}${times === null ? "for ever" : `${times} more times`}</li>`;
  return html`<h2>What goes wrong</h2>
${list().length === 0 && html`<p>Nothing.</p>`}
<ul>${list().map(renderItem)}</ul>
<form method="post" action="/sandbox/form/add">
<label>Fault <select name="kind">${Object.entries(meanings).map(([kind, meaning]) => html`<option value="${kind}">${kind}: ${meaning}</option>`)}</select></label>
<label>Value <input name="value" type="number" min="0"></label>
${isByPage && html`<label>Page <input name="page" type="number" min="1" placeholder="every"></label>`}
<label>Times <input name="times" type="number" min="1" placeholder="for ever"></label>
<button>Add</button>
</form>
<form method="post" action="/sandbox/form/clear"><button>All well again</button></form>`;
}

/** Takes a form from the sandbox's own page only: a browser lets pages of other sites post forms too. */
function handleOwnForm(work: (exchange: Exchange) => void | Promise<void>): Handler {
  return async (exchange) => {
    const site = exchange.header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin")
      throw createRefusal(403, "Send the form from the sandbox's own page.");
    await work(exchange);
    return redirectReply("/");
  };
}
