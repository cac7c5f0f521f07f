import { rule } from "../../broker/contract/rules.ts";
import { pdfLinkRule, quantityRule, schemaRule } from "../shared/fitment.ts";
import { MOST_NOTES } from "./limits.ts";

/** What the AI service answers about equipment and its parts. */

export const equipmentModelRule = rule({
  type: "object",
  title: "EquipmentModel",
  props: {
    equipment: { type: "string", description: "Model, as the manual writes it", example: "GT-2254" },
    manufacturer: { type: "string", nullable: true },
  },
});

export const fittedPartRule = rule({
  type: "object",
  title: "FittedPart",
  props: {
    equipment: { type: "string", example: "GT-2254" },
    manufacturer: { type: "string", nullable: true },
    partNumber: { type: "string", description: "As the manual writes it", example: "15964-8141" },
    productId: {
      type: "string",
      nullable: true,
      description:
        "The part in the catalog; null if the catalog has none, or those of several makers and the manual " +
        "does not say whose",
      example: "kaw-159648141",
    },
    description: { type: "string", nullable: true },
    schema: schemaRule,
    reference: { type: "string", nullable: true, description: "Its number in the diagram" },
    quantity: quantityRule,
    page: { type: "number", integer: true },
    pdf_link: pdfLinkRule,
    replacedBy: { type: "string", nullable: true, description: "Number that the manual says is supplied instead" },
  },
});

const noteRule = rule({
  type: "object",
  title: "SupersessionNote",
  props: { partNumber: { type: "string" }, pdf_link: pdfLinkRule },
});

export const supersedingRule = rule({
  type: "object",
  title: "ManualSupersession",
  props: {
    replacedBy: { type: "array", items: noteRule, description: "Its successor, that one's successor, and so on" },
    replaces: { type: "array", items: noteRule, description: `Numbers that it is supplied for; at most ${MOST_NOTES}` },
  },
});

export const diagramRule = rule({
  type: "object",
  title: "Diagram",
  props: {
    equipment: { type: "string" },
    schema: schemaRule,
    page: { type: "number", integer: true },
    imageUrl: { type: "string", description: "WebP" },
    pdf_link: pdfLinkRule,
  },
});
