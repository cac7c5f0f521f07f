import { supplierRoutes } from "../catalog/routes.ts";
import { faultRoutes, faultSwitches } from "../faults/controls.ts";
import { createFaults } from "../faults/switches.ts";
import { manualRoutes } from "../manuals/routes.ts";
import { html, htmlReply } from "../server/html.ts";
import { startHttpServer, type HttpServer } from "../server/http-server.ts";
import { LastFacts } from "../server/last-facts.ts";
import { plainPage } from "../server/plain-page.ts";
import { jsonReply } from "../server/reply.ts";
import { routeRequests, type Routes } from "../server/router.ts";
import { FAULT_KINDS, partsInquiry, readInventory, type InquiryFact, type Inventory } from "./inquiry.ts";

export interface DealerSandboxOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The client of the dealer inventory system; undefined stands in for the suppliers alone. */
  dealer?: { apiKey: string; dealerId: string };
}

/**
 * The stand-in for those who supply parts: the list of suppliers, their manuals under `/manuals`, and the dealer
 * inventory system under `/report-api`, with controls under `/sandbox` and an index at `/`.
 */
export async function startDealerSandbox({ host, port, dealer }: DealerSandboxOptions): Promise<HttpServer> {
  let url = "";
  const server = await startHttpServer({
    host,
    port,
    handler: routeRequests({ ...supplierRoutes, ...manualRoutes, ...(dealer ? dealerRoutes(dealer, () => url) : {}) }),
  });
  url = server.url;
  return server;
}

const KEPT_INQUIRIES = 200;
const PATH = "/report-api/api/partsStore/partsInquiry";

function dealerRoutes(dealer: { apiKey: string; dealerId: string }, url: () => string): Routes {
  const faults = createFaults(FAULT_KINDS);
  const log = new LastFacts<InquiryFact>(KEPT_INQUIRIES);
  const inquiries = () => log.all().reverse();
  // Some thousand parts, read by the first request.
  let read: Inventory | undefined;
  const inventory = (): Inventory => (read ??= readInventory());
  const index = () => {
    const priced = [...inventory().values()].filter(({ Price }) => Price > 0);
    const examples = new Map(priced.reverse().map((part) => [part.ManufacturerCode, part]));
    return plainPage(
      "Dealer inventory sandbox",
      html`<p>A stand-in for the dealer inventory system, with ${inventory().size} parts at <code>${url()}${PATH}</code> for
clients that send <code>X-API-KEY</code> and <code>DealerId</code>. There is also
<a href="/suppliers">who supplies what</a>, and <a href="/manuals">manuals</a> to upload.</p>
<h2>What goes wrong</h2>
${faultSwitches(faults)}
<p>The value is seconds of Retry-After, a status, milliseconds, or a number of rows, as the fault's name says. From a shell:
<code>curl ${url()}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"rate_limited","value":30,"times":2}'</code>, and
<code>-X DELETE</code> for all well again.</p>
<h2>Asked lately</h2>
${inquiries().length === 0 && html`<p>Nothing yet.</p>`}
<table>${inquiries()
        .slice(0, 20)
        .map(
          ({ at, status, asked, answered }) =>
            html`<tr><td>${at.slice(11, 19)}</td><td>${status ?? "no answer"}</td><td>${answered} of ${asked} parts</td></tr>`,
        )}</table>
<h2>Parts to try</h2>
<table>${[...examples.values()].map(
        (part) =>
          html`<tr><td><code>${part.ManufacturerCode}</code></td><td><code>${part.PartNumber}</code></td><td>${part.Price.toFixed(2)}</td><td>${part.QtyOnHand} on hand</td></tr>`,
      )}</table>`,
    );
  };
  return {
    "GET /": () => htmlReply(200, index()),
    [`POST ${PATH}`]: partsInquiry({ ...dealer, inventory, faults, log }),
    "GET /sandbox/inquiries": () => jsonReply(200, { inquiries: inquiries() }),
    ...faultRoutes(faults),
  };
}
