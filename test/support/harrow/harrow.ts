import { asList, asObject, UnreadableAnswer } from "@partline/http-client";
import { MAX_LENGTH } from "../../../services/catalog/part-checks.ts";
import type { Supplier } from "../../../services/catalog/suppliers/port.ts";

const MAX_PAGE = 100;

/** Bearings, belts and chains: cursor pages, bearer key, prices as text. */
export const HARROW: Supplier = {
  code: "HRW",
  name: "Harrow Supply",
  aliases: ["Harrow Supply Co"],
  id: "harrow",
  title: "supplier Harrow",
  kind: "listing",
  settings: {
    unset: "off",
    aliases: [],
    sandbox: { name: "harrow", offset: 6, apiKey: "harrow_partline_sandbox" },
  },
  requestsPerSecond: 5,
  buildHeaders: (apiKey) => ({ Authorization: `Bearer ${apiKey}` }),
  list: (get, { pageSize, cursor }) => {
    const limit = Math.min(pageSize, MAX_PAGE);
    return get("/catalog/items", cursor === undefined ? { limit } : { limit, cursor }, (answer) => {
      const { data, next_cursor: next = null } = asObject(answer, "the answer");
      if (next !== null && (typeof next !== "string" || next === ""))
        throw new UnreadableAnswer("next_cursor is neither text nor null");
      return { items: asList(data, "data"), next };
    });
  },
  numberField: "sku",
  toPart: (item) => {
    item.assertUsd("currency");
    return {
      title: item.readText("name", MAX_LENGTH.title),
      maker: item.readText("maker", MAX_LENGTH.brand),
      category: item.readText("department", MAX_LENGTH.category),
      price: item.readPriceInText("unit_price"),
      quantityOnHand: item.readQuantity("on_hand"),
      imageUrls: item.readUrls("pictures"),
      status: item.readOneOf("state", ["live", "retired"]) === "live" ? "active" : "discontinued",
      weightGrams: item.readWeight("weight"),
      hazmat: item.readOptionalFlag("hazmat"),
      oversize: item.readOptionalFlag("oversize"),
    };
  },
};
