import { jsonReply, type Reply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import { priceRows } from "./price-rows.ts";
import { SUPPLIERS } from "./suppliers.ts";

/** Of the suppliers who send price files: `GET /suppliers` tells what each supplies. */
export const supplierRoutes: Routes = {
  "GET /": suppliers,
  "GET /suppliers": suppliers,
};

function suppliers(): Reply {
  return jsonReply(200, {
    suppliers: SUPPLIERS.map((supplier) => ({
      vendor: supplier.vendor,
      parts: supplier.parts,
      example: priceRows(supplier, "")[0]?.part_number,
    })),
  });
}
