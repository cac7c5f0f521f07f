import { paginationRule } from "../../broker/contract/common.ts";
import { amountRule } from "../shared/commerce.ts";
import { array, boolean, integer, number, object, oneOf, rules, string } from "@partline/api-contracts";
import { AVAILABILITIES } from "@partline/parts-language";
import { fitmentSourceRule, pdfLinkRule, quantityRule, schemaRule } from "../shared/fitment.ts";
import { pageNumberRule, sha256Rule } from "../shared/manual-rules.ts";
import { MOST_CALLOUTS, MOST_NOTES } from "./limits.ts";

const replacedByRule = string({ nullable: true, description: "Number that the manual says is supplied instead" });

export const fittedPartRule = object("FittedPart", {
  equipment: string({ example: "GT-2254" }),
  manufacturer: string({ nullable: true }),
  partNumber: string({ description: "As the manual or the catalog writes it", example: "15964-8141" }),
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
  page: integer({ nullable: true, description: "Null if no manual says it" }),
  pdf_link: { ...pdfLinkRule, nullable: true, description: "The page of the manual; null if no manual says it" },
  replacedBy: replacedByRule,
  source: fitmentSourceRule,
});

const noteRule = object("SupersessionNote", { partNumber: string(), pdf_link: pdfLinkRule });

export const supersedingRule = object("ManualSupersession", {
  replacedBy: array(noteRule, { description: "Its successor, that one's successor, and so on" }),
  replaces: array(noteRule, { description: `Numbers that it is supplied for; at most ${MOST_NOTES}` }),
});

const share = (what: string) => number({ description: `${what}, as a share of the page, 0 to 1`, example: 0.25 });

const offerFields = rules({
  partNumber: string({ nullable: true, description: "As the manual writes it", example: "15964-8141" }),
  partId: string({
    nullable: true,
    description: "The part in the catalog, as `productId` of a cart",
    example: "kaw-159648141",
  }),
  title: string({ nullable: true, description: "The catalog's, otherwise the manual's" }),
  quantity: quantityRule,
  price: {
    ...amountRule,
    nullable: true,
    description: "The catalog's price now; null without one, and for a part that is discontinued",
  },
  availability: oneOf(AVAILABILITIES, {
    nullable: true,
    description: "As the catalog knows it now; null if it has no such part, or does not answer",
  }),
});

export const calloutRule = object("Callout", {
  ref: string({ description: "Reference number, as it is drawn", example: "3" }),
  box: object(
    "CalloutBox",
    { x: share("Left edge"), y: share("Upper edge"), width: share("Width"), height: share("Height") },
    { description: "Where the number is drawn on the page as a picture" },
  ),
  ...offerFields,
});

const calloutsOfPage =
  "With the part of the row that has its number in the list of the same figure, which may be on another page; the " +
  "part's fields are null if no row has it. A number with several parts is there once for each. Empty for a manual " +
  "that a version before 0.3 read";

const figureFields = rules({
  schema: schemaRule,
  page: integer(),
  imageUrl: string({ description: "WebP: the image that the page shows, else the page drawn" }),
  pdf_link: pdfLinkRule,
});

const serialsRule = array(
  object("SerialRange", {
    from: string({ nullable: true, description: "As printed; null if it is open" }),
    to: string({ nullable: true, description: "The same; included" }),
  }),
  { description: "Serial numbers of the machines that it is for; empty if its pages name none" },
);

export const figureIdRule = string({
  pattern: /^[0-9a-f]{64}-[0-9a-f]{12}$/,
  words: "the id of a figure",
  example: `${"0".repeat(64)}-5feceb66ffc8`,
});

const pageImageRule = string({ description: "The drawn page as WebP; `box` of a callout is in shares of it" });

export const diagramRule = object("Diagram", {
  equipment: string(),
  figureId: { ...figureIdRule, description: "Of `/api/fitment/figures/{figure}`" },
  ...figureFields,
  pageImageUrl: pageImageRule,
  callouts: array(calloutRule, {
    nullable: true,
    description: `${calloutsOfPage}. Null where those of the diagrams before are ${MOST_CALLOUTS} together: the figure has them`,
  }),
});

export const manualPageRule = object("ManualPage", {
  sha256: sha256Rule,
  page: pageNumberRule,
  pages: integer({ description: "Of the manual" }),
  equipment: array(string(), { description: "Models that the manual is for" }),
  manufacturer: string({ nullable: true }),
  figures: array(object("FigureOnPage", { id: figureIdRule, schema: schemaRule })),
  imageUrl: pageImageRule,
  pdf_link: pdfLinkRule,
  callouts: array(calloutRule, { description: calloutsOfPage }),
});

export const listedManualRule = object("ListedManual", {
  sha256: sha256Rule,
  title: string(),
  manufacturer: string({ nullable: true }),
  equipment: array(string({ example: "GT-2254" }), { description: "Models that it is for" }),
  pages: integer(),
  pdf_link: string({ example: "http://127.0.0.1:8000/api/manuals/{sha256}/source.pdf" }),
});

export const fitmentModelRule = object("FitmentModel", {
  id: string({ description: "Of `/api/fitment/models/{model}/figures`", example: "meadow-gt-2254" }),
  equipment: string({ description: "Model, as a manual or the catalog writes it", example: "GT-2254" }),
  manufacturer: string({ nullable: true, description: "Of a machine of the catalog, the vendor of its parts" }),
  manuals: integer({ description: "Manuals that are for it; 0 if the catalog alone names it" }),
});

export const modelFigureRule = object("ModelFigure", {
  id: figureIdRule,
  equipment: string({ example: "GT-2254" }),
  manufacturer: string({ nullable: true }),
  ...figureFields,
  serials: serialsRule,
});

export const fitmentFigureRule = object("FitmentFigure", {
  id: figureIdRule,
  equipment: array(string(), { description: "Models that it is for" }),
  manufacturer: string({ nullable: true }),
  ...figureFields,
  serials: serialsRule,
  drawings: array(
    object("FigureDrawing", {
      page: integer(),
      imageUrl: pageImageRule,
      callouts: array(calloutRule, { description: calloutsOfPage }),
    }),
    { description: `The pages on which it is drawn with callouts, of which at most ${MOST_CALLOUTS} are listed` },
  ),
  parts: array(
    object("FigurePart", {
      reference: string({ nullable: true, description: "Its number in the drawing" }),
      ...offerFields,
      description: string({ nullable: true, description: "As the manual writes it" }),
      equipment: array(string(), { description: "Models of the figure that have it" }),
      page: integer(),
      pdf_link: pdfLinkRule,
      replacedBy: replacedByRule,
    }),
    { description: "In the order of the manual" },
  ),
  pagination: { ...paginationRule, description: "Of the parts" },
});

export const nearRule = boolean({ description: "True if none begins as typed: these are a slip or two away" });

/** What a list lacks. */
export const missingCatalogRule = array(oneOf(["catalog"]), {
  optional: true,
  description: "Given where the catalog could not be asked: what manuals say is listed alone",
});
