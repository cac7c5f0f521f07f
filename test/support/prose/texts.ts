import { ENTRY_POINTS } from "../../../broker/contract/define.ts";
import { openApiDocument } from "../../../gateway/openapi/document.ts";
import { routeTable } from "../../../gateway/routes.ts";
import { contracts } from "../../../services/all-contracts.ts";

const SETTINGS = { version: "1.0.0", loopback: true, production: false };

/** Returns the texts of all OpenAPI documents, by where each stands first: `gateway /paths/~api~cart/post/summary`. */
export function openApiTexts(): Map<string, string> {
  const places = new Map<string, string>();
  const collect = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === "summary" || key === "description") && typeof inner === "string") {
        if (!places.has(inner)) places.set(inner, `${place}/${key}`);
      } else if (key !== "examples" && key !== "example") collect(inner, `${place}/${key.replaceAll("/", "~")}`);
    }
  };
  for (const entry of ENTRY_POINTS) {
    collect(openApiDocument({ table: routeTable(contracts, entry), contracts, settings: SETTINGS }), `${entry} `);
  }
  return new Map([...places].map(([text, place]) => [place, text]));
}
