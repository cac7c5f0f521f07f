import { array, integer, object, string } from "../../broker/contract/rules.ts";
import { pdfLinkRule, quantityRule, schemaRule } from "../shared/fitment.ts";
import { MOST_NOTES } from "./limits.ts";

/** What the AI service answers about equipment and its parts. */

export const equipmentModelRule = object("EquipmentModel", {
  equipment: string({ description: "Model, as the manual writes it", example: "GT-2254" }),
  manufacturer: string({ nullable: true }),
});

export const fittedPartRule = object("FittedPart", {
  equipment: string({ example: "GT-2254" }),
  manufacturer: string({ nullable: true }),
  partNumber: string({ description: "As the manual writes it", example: "15964-8141" }),
  productId: string({
    nullable: true,
    description:
      "The part in the catalog; null if the catalog has none, or those of several makers and the manual " +
      "does not say whose",
    example: "kaw-159648141",
  }),
  description: string({ nullable: true }),
  schema: schemaRule,
  reference: string({ nullable: true, description: "Its number in the diagram" }),
  quantity: quantityRule,
  page: integer(),
  pdf_link: pdfLinkRule,
  replacedBy: string({ nullable: true, description: "Number that the manual says is supplied instead" }),
});

const noteRule = object("SupersessionNote", { partNumber: string(), pdf_link: pdfLinkRule });

export const supersedingRule = object("ManualSupersession", {
  replacedBy: array(noteRule, { description: "Its successor, that one's successor, and so on" }),
  replaces: array(noteRule, { description: `Numbers that it is supplied for; at most ${MOST_NOTES}` }),
});

export const diagramRule = object("Diagram", {
  equipment: string(),
  schema: schemaRule,
  page: integer(),
  imageUrl: string({ description: "WebP" }),
  pdf_link: pdfLinkRule,
});
