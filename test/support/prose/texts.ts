import { ENTRY_POINTS } from "../../../broker/contract/define.ts";
import { createAsyncApiDocument } from "../../../gateway/docs/asyncapi/document.ts";
import { openApiDocument } from "../../../gateway/docs/openapi/document.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { CHANNELS, contracts } from "../../../services/all-contracts.ts";

const SETTINGS = { version: "1.0.0", loopback: true, production: false };

/** Returns the texts of all OpenAPI documents, by where each stands first: `gateway /paths/~api~cart/post/summary`. */
export function openApiTexts(): Map<string, string> {
  return textsOf(
    ENTRY_POINTS.map((entry) => [
      entry,
      openApiDocument({ table: createRouteTable(contracts, entry), contracts, settings: SETTINGS }),
    ]),
  );
}

/** Returns the texts of the AsyncAPI document in the same way. */
export function asyncApiTexts(): Map<string, string> {
  return textsOf([
    ["asyncapi", createAsyncApiDocument({ channels: CHANNELS, version: "1.0.0", namespace: "partline" })],
  ]);
}

function textsOf(documents: readonly (readonly [name: string, document: unknown])[]): Map<string, string> {
  const places = new Map<string, string>();
  const collect = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === "summary" || key === "description") && typeof inner === "string") {
        if (!places.has(inner)) places.set(inner, `${place}/${key}`);
      } else if (key !== "examples" && key !== "example") collect(inner, `${place}/${key.replaceAll("/", "~")}`);
    }
  };
  for (const [name, document] of documents) collect(document, `${name} `);
  return new Map([...places].map(([text, place]) => [place, text]));
}
