import { integer, number, object, oneOf, string } from "@partline/api-contracts";

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

/** Who says that a part fits a machine. */
export const fitmentSourceRule = oneOf(["manual", "description", "listing"], {
  description:
    "`manual`: the machine's parts list; `description`: the part's own text; `listing`: data of the part's price file " +
    "or supplier, which its `sources` name",
});

/** That a part fits a machine, and who says so. */
export const fitmentRule = object("Fitment", {
  equipment: string(),
  schema: schemaRule,
  quantity: quantityRule,
  pdf_link: { ...pdfLinkRule, nullable: true, description: "The page of the manual; null if no manual says it" },
  source: fitmentSourceRule,
});

export const equipmentModelRule = object("EquipmentModel", {
  equipment: string({ description: "Model, as the manual or the catalog writes it", example: "GT-2254" }),
  manufacturer: string({ nullable: true }),
});

export const fitmentMakeRule = object("FitmentMake", {
  make: string({ example: "Kohler" }),
  models: integer({ description: "Number of its models" }),
});
