import { startHttpServer, type HttpServer } from "../server/http-server.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import { routeRequests } from "../server/router.ts";
import { imageRoutes } from "./images.ts";
import { priceRows } from "./price-rows.ts";
import { SUPPLIERS } from "./suppliers.ts";

export interface CatalogSandboxOptions {
  host: string;
  port: number;
}

/** The suppliers' own server: `GET /images/{part id}.svg` shows a part, `GET /suppliers` tells what each supplies. */
export function startCatalogSandbox({ host, port }: CatalogSandboxOptions): Promise<HttpServer> {
  const handler = routeRequests({
    "GET /": suppliers,
    "GET /suppliers": suppliers,
    ...imageRoutes,
  });
  return startHttpServer({ host, port, handler });
}

function suppliers(): Reply {
  return jsonReply(200, {
    suppliers: SUPPLIERS.map((supplier) => ({
      vendor: supplier.vendor, parts: supplier.parts, example: priceRows(supplier, "")[0]?.part_number,
    })),
  });
}
