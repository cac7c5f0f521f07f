import { faultSwitches } from "../faults/controls.ts";
import type { Faults } from "../faults/switches.ts";
import { html, type Html } from "../server/html.ts";
import { plainPage } from "../server/plain-page.ts";
import type { FaultKind } from "./faults.ts";

/** What a person sees at `/`: what the supplier lists, and switches for its bad days. */
export function indexPage({ url, tires, faults }: { url: string; tires: number; faults: Faults<FaultKind> }): Html {
  return plainPage(
    "Tire supplier sandbox",
    html`<p>A stand-in for the tire supplier, with ${tires} tires and wheels at <code>${url}/v1/tires?page=1&amp;pageSize=100</code> for who sends
<code>X-API-KEY</code>.</p>
<h2>What goes wrong</h2>
${faultSwitches(faults)}
<p>The value is seconds of Retry-After, a status, milliseconds, a total, a page, or a number of items, as the fault's name tells. From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"error","page":3,"times":2}'</code>, and
<code>-X DELETE</code> for all well again; <a href="/sandbox/requests">who asked when</a>.</p>`,
  );
}
