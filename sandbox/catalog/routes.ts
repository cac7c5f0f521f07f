import { jsonReply, type Reply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import { priceRows, SUPPLIERS } from "./price-files.ts";

/**
 * Routes of the suppliers who send price files: `GET /suppliers` lists how many parts each supplies, with an example.
 */
export const supplierRoutes: Routes = {
  "GET /": suppliers,
  "GET /suppliers": suppliers,
};

function suppliers(): Reply {
  return jsonReply(200, {
    suppliers: SUPPLIERS.map((vendor) => {
      const rows = priceRows(vendor);
      return { vendor, parts: rows.length, example: rows[0]?.part_number };
    }),
  });
}
