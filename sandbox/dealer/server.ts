import { supplierRoutes } from "../catalog/routes.ts";
import { manualRoutes } from "../manuals/routes.ts";
import { faultRoutes } from "../faults/controls.ts";
import { createFaults } from "../faults/switches.ts";
import { htmlReply } from "../server/html.ts";
import { startHttpServer, type HttpServer } from "../server/http-server.ts";
import { jsonReply } from "../server/reply.ts";
import { routeRequests, type Routes } from "../server/router.ts";
import { FAULT_KINDS } from "./faults.ts";
import { partsInquiry } from "./inquiry.ts";
import { createInquiryLog } from "./inquiry-log.ts";
import { createDealerInventory, type Inventory } from "./inventory.ts";
import { indexPage } from "./page.ts";

export interface DealerSandboxOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /**
   * Who may ask the dealer inventory system; undefined where the real one is asked, and the suppliers alone are stood
   * in for.
   */
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

function dealerRoutes(dealer: { apiKey: string; dealerId: string }, url: () => string): Routes {
  const faults = createFaults(FAULT_KINDS);
  const log = createInquiryLog();
  // Some thousand parts, made up when somebody asks.
  let made: Inventory | undefined;
  const inventory = (): Inventory => (made ??= createDealerInventory());
  return {
    "GET /": () => htmlReply(200, indexPage({ url: url(), inventory: inventory(), faults, inquiries: log.facts() })),
    "POST /report-api/api/partsStore/partsInquiry": partsInquiry({ ...dealer, inventory, faults, log }),
    "GET /sandbox/inquiries": () => jsonReply(200, { inquiries: log.facts() }),
    ...faultRoutes(faults),
  };
}
