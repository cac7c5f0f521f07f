import { asList, asObject, readWholeNumber, UnreadableAnswer } from "@partline/http-client";
import { TIRE_SUPPLIER_CODE, WHEELS_AND_TIRES } from "@partline/parts-language";
import { MAX_LENGTH } from "../../part-checks.ts";
import type { ItemFields } from "../item.ts";
import type { ListedPage, PageRequest, Supplier } from "../port.ts";

/** Numbered pages, X-API-KEY. Source: specification, sections 3 and 8. */
export const KMT: Supplier = {
  code: TIRE_SUPPLIER_CODE,
  name: "K&M Tire",
  aliases: ["K&M", "KM Tire"],
  id: "tire_supplier",
  title: "tire supplier",
  kind: "tires",
  settings: {
    unset: "sandbox",
    aliases: ["K&M", "K&M Tire"],
    sandbox: { name: "tires", offset: 3, apiKey: "tires_partline_sandbox" },
  },
  requestsPerSecond: 10,
  buildHeaders: (apiKey) => ({ "X-API-KEY": apiKey }),
  list: (get, query) =>
    get("/v1/tires", { page: query.page, pageSize: query.pageSize }, (answer) => readPage(answer, query)),
  numberField: "itemNumber",
  toPart,
};

function readPage(answer: unknown, query: PageRequest): ListedPage {
  const fields = asObject(answer, "the answer");
  const items = asList(fields.items, "items");
  const total = readWholeNumber(fields.total, "total");
  const { pageSize: sentPageSize = query.pageSize } = fields;
  const pageSize = Math.max(1, readWholeNumber(sentPageSize, "pageSize"));
  const { totalPages: pages = Math.ceil(total / pageSize) } = fields;
  const totalPages = readWholeNumber(pages, "totalPages");
  if (fields.page !== undefined && fields.page !== query.page)
    throw new UnreadableAnswer("page is not the one that was asked for");
  return { pageSize, total, totalPages, items };
}

function toPart(item: ItemFields): ReturnType<Supplier["toPart"]> {
  const description = item.readText("description", MAX_LENGTH.title);
  const maker = item.readText("brand", MAX_LENGTH.brand);
  const kind = item.readOneOf("category", ["Tires", "Wheels"]);
  const size = item.readOptionalText("size", MAX_LENGTH.title);
  const price = item.readPrice("price");
  item.assertUsd("currency");
  return {
    title: description.includes(size) ? description : `${description}, ${size}`.slice(0, MAX_LENGTH.title),
    maker,
    category: WHEELS_AND_TIRES,
    kind,
    price,
    quantityOnHand: item.readQuantity("quantityOnHand"),
    imageUrls: item.readUrls("images"),
    status: item.readFlag("discontinued") ? "discontinued" : "active",
    weightGrams: item.readWeight("weight"),
    hazmat: item.readOptionalFlag("hazmat"),
    oversize: item.readOptionalFlag("oversize"),
    fits: item.readFits("fits"),
  };
}
