import { eventually } from "./eventually.ts";
import { ADMIN_TOKEN, type SystemClient } from "./system.ts";

/**
 * Has the dealer asked about a vendor's parts, and waits until a search finds one in stock: where the catalog was
 * put into the store (sandbox-catalog.ts), no first fill has asked.
 */
export async function learnStock(system: SystemClient, vendor: string, q: string): Promise<void> {
  await system.request("catalog", "POST", `/catalog/refresh/${vendor}`, { adminToken: ADMIN_TOKEN });
  await eventually(async () => {
    const { body } = await system.request("gateway", "GET", `/api/search?q=${q}&inStock=true&limit=1`);
    return body.parts.length > 0;
  }, 60_000);
}
