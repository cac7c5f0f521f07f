import { boolean, integer } from "../../broker/contract/rules.ts";
import type { Result } from "../../broker/contract/define.ts";
import { equipmentName, titleOf } from "../../mixins/safe-words.ts";
import { contractsByName } from "../../services/all-contracts.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { defineTool, partLink, told, type Tool } from "./tool.ts";

const { search } = contractsByName;
const { q, manufacturer } = search.actions.search.params;

const limit = integer({ min: 1, max: 20, default: 8 });

type Hit = Result<Actions["search.search"]>["parts"][number];

export function hitView(storeUrl: string, hit: Hit) {
  const { productId, partNumber, title, price, currency, availability, status, supersededBy, slug } = hit;
  return told({
    productId,
    partNumber,
    title,
    manufacturer: hit.manufacturer.name,
    price,
    currency: price === null ? undefined : currency,
    availability,
    status: status === "active" ? undefined : status,
    supersededBy,
    link: partLink(storeUrl, slug),
  });
}

export const partTools: readonly Tool[] = [
  defineTool({
    name: "search_parts",
    title: "Search parts",
    description:
      "Finds spare parts and tires of the shop by part number (in any spelling) or by words, the best first, with price, availability and a link to the part's page.",
    readOnly: true,
    params: {
      q: { ...q, max: 1_000, optional: undefined, description: "Part numbers in any spelling, and words" },
      manufacturer: { ...manufacturer, max: 10 },
      inStock: boolean({ optional: true, description: "Only parts of which there are some" }),
      limit,
    },
    async run(args, { origin, storeUrl }) {
      const found = await call(origin, "search.search", args);
      const { parts, pagination, relaxedTo, equipment, minPrice, maxPrice, suggestion } = found;
      return told({
        total: pagination.total,
        relaxedTo,
        equipment,
        minPrice,
        maxPrice,
        suggestion,
        parts: parts.map((hit) => hitView(storeUrl, hit)),
      });
    },
  }),
  defineTool({
    name: "get_part",
    title: "Get a part",
    description:
      "A part by its productId (from search_parts): price, stock, successor, what it fits, what can replace it, what a kit consists of.",
    readOnly: true,
    params: search.actions.part.params,
    async run(args, { origin, storeUrl }) {
      const part = await call(origin, "search.part", args);
      const { id, partNumber, title, description, manufacturer: maker, category, price, availability, stock } = part;
      return told({
        productId: id,
        partNumber,
        title,
        description,
        manufacturer: maker.name,
        category,
        price: price?.list.value,
        currency: price?.list.currency,
        availability,
        stock: stock?.quantityOnHand,
        status: part.status,
        supersededBy: part.supersededBy,
        link: partLink(storeUrl, part.slug),
        fits: part.fitment.map(({ equipment, schema, quantity, pdf_link }) =>
          told({ equipment: equipmentName(equipment), schema: titleOf(schema), quantity, manual: pdf_link }),
        ),
        interchange: part.interchange.map((other) =>
          told({ partNumber: other.partNumber, manufacturer: other.manufacturer.name, productId: other.part?.id }),
        ),
        kit: part.kit.map(({ partNumber: number, quantity, part: known }) =>
          told({ partNumber: number, quantity, productId: known?.id }),
        ),
        missing: part.missing,
      });
    },
  }),
  defineTool({
    name: "check_availability",
    title: "Check availability",
    description:
      "Price and stock of up to ten part numbers now, as the supplier says; `live` is false for the catalog's values.",
    readOnly: true,
    params: search.actions.aiAvailability.params,
    async run(args, { origin }) {
      const { results } = await call(origin, "search.aiAvailability", args);
      return {
        results: results.map(({ id, ageSeconds: _age, reason: _why, ...result }) => told({ productId: id, ...result })),
      };
    },
  }),
];
