import { number, object, string } from "../../broker/contract/rules.ts";

export const quantityRule = number({
  nullable: true,
  description: "Quantity that the equipment has; null if the manual does not say",
});
export const pdfLinkRule = string({
  description: "The page of the manual",
  example: "http://127.0.0.1:8000/api/manuals/{sha256}/source.pdf#page=7",
});
export const schemaRule = string({
  description: "Diagram or section that it is part of; empty where the manual names none",
  example: "Figure 7: Mower Deck",
});

/** Where a part stands in a machine's manual. */
export const fitmentRule = object("Fitment", {
  equipment: string(),
  schema: schemaRule,
  quantity: quantityRule,
  pdf_link: pdfLinkRule,
});
