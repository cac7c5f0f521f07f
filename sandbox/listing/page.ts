import { faultSwitches } from "../faults/controls.ts";
import type { Faults } from "../faults/switches.ts";
import { html, type Html } from "../server/html.ts";
import { plainPage } from "../server/plain-page.ts";
import type { FaultKind } from "./faults.ts";

interface PageFacts {
  url: string;
  title: string;
  items: number;
  /** With a query. */
  path: string;
  keyHeader: string;
  faults: Faults<FaultKind>;
}

/** What a person sees at `/`: what the supplier lists, and switches for its bad days. */
export function indexPage({ url, title, items, path, keyHeader, faults }: PageFacts): Html {
  return plainPage(
    `${title} sandbox`,
    html`<p>A stand-in for the ${title.toLowerCase()}, with ${items} items at <code>${url}${path}</code> for who sends
<code>${keyHeader}</code>.</p>
<h2>What goes wrong</h2>
${faultSwitches(faults)}
<p>The value is seconds of Retry-After, a status, milliseconds, a total, a page, or a number of items, as the fault's name tells. From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"error","page":3,"times":2}'</code>, and
<code>-X DELETE</code> for all well again; <a href="/sandbox/requests">who asked when</a>.</p>`,
  );
}
