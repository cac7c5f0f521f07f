import { faultSwitches } from "../faults/controls.ts";
import type { Faults } from "../faults/switches.ts";
import { html, type Html } from "../server/html.ts";
import { plainPage } from "../server/plain-page.ts";
import type { FaultKind } from "./faults.ts";
import type { InquiryFact } from "./inquiry-log.ts";
import type { Inventory } from "./inventory.ts";

export interface PageFacts {
  url: string;
  inventory: Inventory;
  faults: Faults<FaultKind>;
  inquiries: readonly InquiryFact[];
}

/** What a person sees at `/`: what there is to ask about, switches for bad days, and who asked lately. */
export function indexPage({ url, inventory, faults, inquiries }: PageFacts): Html {
  return plainPage(
    "Dealer inventory sandbox",
    html`<p>A stand-in for the dealer inventory system, with ${inventory.size} parts at <code>${url}/report-api/api/partsStore/partsInquiry</code> for
who sends <code>X-API-KEY</code> and <code>DealerId</code>. There is also
<a href="/suppliers">who supplies what</a>, and <a href="/manuals">manuals</a> to upload.</p>
<h2>What goes wrong</h2>
${faultSwitches(faults)}
<p>The value is seconds of Retry-After, a status, milliseconds, or a number of rows, as the fault's name tells. From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"rate_limited","value":30,"times":2}'</code>, and
<code>-X DELETE</code> for all well again.</p>
<h2>Asked lately</h2>
${inquiries.length === 0 && html`<p>Nothing yet.</p>`}
<table>${inquiries
      .slice(0, 20)
      .map(
        ({ at, status, asked, answered }) =>
          html`<tr><td>${at.slice(11, 19)}</td><td>${status ?? "no answer"}</td><td>${answered} of ${asked} parts</td></tr>`,
      )}</table>
<h2>Parts to try</h2>
<table>${inventory
      .examples()
      .map(
        (part) =>
          html`<tr><td><code>${part.ManufacturerCode}</code></td><td><code>${part.PartNumber}</code></td><td>${part.Price.toFixed(2)}</td><td>${part.QtyOnHand} on hand</td></tr>`,
      )}</table>`,
  );
}
