import { getAt } from "@partline/toolkit";
import { paginate } from "../../../broker/contract/common.ts";
import type { Params, Result } from "@partline/api-contracts";
import { validationFailed } from "../../../mixins/errors.ts";
import type { Actions as CallActions } from "../../contracts.ts";
import type { aiContract } from "../contract.ts";
import { takePage } from "../../shared/paging.ts";
import { MOST_CALLOUTS, MOST_DIAGRAMS, MOST_MODELS, MOST_NOTES } from "../limits.ts";
import {
  type DiagramRow,
  toFigureId,
  type FigureReader,
  type FitmentReader,
  type FitmentRow,
  isOn,
  type LiveManual,
  type SupersessionRow,
  toModelKey,
} from "@partline/parts-search";
import type { ManualLinks } from "../../shared/manual-links.ts";
import { toCalloutParts, listRows, toCallout, type CalloutPart } from "./callouts.ts";
import type { AskCatalog } from "./catalog-facts.ts";
import { tellMissing, type AskShop } from "./catalog-fitment.ts";

type Actions = (typeof aiContract)["actions"];

/** Handlers of the contract's actions, by name. */
export type Answers<Names extends keyof Actions> = {
  [Name in Names]: (ctx: { params: Params<Actions[Name]> }) => Promise<Result<Actions[Name]>>;
};

/** Diagrams of a manual whose callouts are read at once. */
const READ_AT_ONCE = 20;

export interface AnswerDeps {
  reader: FitmentReader;
  figures: FigureReader;
  links: ManualLinks;
  askCatalog: AskCatalog;
  askShop: AskShop;
}

/** Creates the answers of the routes about equipment, manuals and diagrams. */
export function createFitmentAnswers({
  reader,
  figures,
  links,
  askCatalog,
  askShop,
}: AnswerDeps): Answers<"equipment" | "manuals" | "diagrams"> {
  const note = ({ partNumber, sha256, page }: SupersessionRow) => ({ partNumber, pdf_link: links.pdf(sha256, page) });

  const toParts = async (rows: readonly FitmentRow[]): Promise<Result<Actions["equipment"]>["parts"]> => {
    const getFacts = await askCatalog(rows);
    return rows.map(({ equipment, partNumber, schema, page, sha256, ...details }) => ({
      equipment,
      manufacturer: details.manufacturer ?? null,
      partNumber,
      productId: getFacts({ partNumber, vendor: details.vendor }).partId,
      description: details.description ?? null,
      schema,
      reference: details.reference ?? null,
      quantity: details.quantity ?? null,
      page,
      pdf_link: links.pdf(sha256, page),
      replacedBy: details.replacedBy ?? null,
      source: "manual" as const,
    }));
  };
  /** Loads the callouts of each diagram; undefined for diagrams beyond those that fill an answer. */
  const loadCallouts = async (diagrams: readonly DiagramRow[]): Promise<(CalloutPart[] | undefined)[]> => {
    const calloutLists: CalloutPart[][] = [];
    let left = MOST_CALLOUTS;
    for (let from = 0; from < diagrams.length && left > 0;) {
      const { sha256 } = getAt(diagrams, from);
      const end = diagrams.findIndex(
        (diagram, index) => index > from && (diagram.sha256 !== sha256 || index === from + READ_AT_ONCE),
      );
      const batch = diagrams.slice(from, end === -1 ? undefined : end);
      const drawn = await figures.callouts(sha256, [...new Set(batch.map(({ key }) => key))]);
      for (const { key, page, equipment } of batch) {
        const diagramCallouts = drawn.filter((callout) => callout.figure === key && callout.page === page);
        const parts = toCalloutParts(diagramCallouts, (row) => isOn(row, equipment));
        if (parts.length > left && calloutLists.length > 0) return calloutLists;
        calloutLists.push(parts.slice(0, left));
        left -= parts.length;
      }
      from += batch.length;
    }
    return calloutLists;
  };

  return {
    async equipment({ params: { model, part, page, pageSize } }) {
      const offset = (page - 1) * pageSize;
      if (model === undefined && part === undefined) {
        const paging = { offset, limit: pageSize };
        const shop = await askShop("search.machineModels", paging);
        const { found: models, total } = shop ?? (await (await reader.getDirectory()).finder()).findModels(paging);
        const pagination = paginate(total, page, pageSize);
        return { equipment: models.map(toModel), parts: [], pagination, ...tellMissing(shop) };
      }
      assertOne({ model, part });
      if (model !== undefined) {
        const { models, rows, total } = await reader.readByModel(model, { offset, limit: pageSize });
        // Behind what manuals list.
        const listed = await askShop("search.catalogFitment", {
          model,
          offset: Math.max(0, offset - total),
          limit: pageSize - rows.length,
        });
        return {
          equipment: joinModels(models, listed?.machines).slice(0, MOST_MODELS),
          parts: [...(await toParts(rows)), ...(listed?.rows ?? []).map(toCatalogRow)],
          pagination: paginate(total + (listed?.total ?? 0), page, pageSize),
          ...tellMissing(listed),
        };
      }
      const { rows: allRows, isCut, replacedBy, replaces } = await reader.readByPart(part!);
      // A list of superseded numbers lists its parts on no equipment.
      const rows = allRows.filter(({ isSupersession }) => !isSupersession);
      const listed = await askShop("search.catalogFitment", { part });
      const { found: pageRows, pagination } = takePage([...rows, ...(listed?.rows ?? [])], { page, pageSize });
      const places = pageRows.flatMap((row) => ("sha256" in row ? [row] : []));
      const listedRows = pageRows.flatMap((row) => ("sha256" in row ? [] : [row]));
      return {
        equipment: joinModels(rows, listed?.machines).slice(0, MOST_MODELS),
        parts: [...(await toParts(places)), ...listedRows.map(toCatalogRow)],
        ...tellMissing(listed),
        complete: !isCut,
        supersession: {
          replacedBy: replacedBy.slice(0, MOST_NOTES).map(note),
          replaces: replaces.slice(0, MOST_NOTES).map(note),
        },
        pagination,
      };
    },

    async manuals({ params: { page, pageSize } }) {
      const { manuals } = await reader.getDirectory();
      const toSortKey = ({ manufacturer = "", title, _id }: LiveManual): string =>
        [manufacturer, title, _id].join("\n");
      const sortedManuals = [...manuals.values()].sort((a, b) => toSortKey(a).localeCompare(toSortKey(b)));
      const { found: pageManuals, pagination } = takePage(sortedManuals, { page, pageSize });
      return {
        manuals: pageManuals.map(({ _id, title, manufacturer, equipment, pages }) => ({
          sha256: _id,
          title,
          manufacturer: manufacturer ?? null,
          equipment,
          pages,
          pdf_link: links.source(_id),
        })),
        pagination,
      };
    },

    async diagrams({ params: { model, part } }) {
      assertOne({ model, part });
      const rows = await (model === undefined
        ? reader.findDiagramsByPart(part!, MOST_DIAGRAMS)
        : reader.findDiagramsByModel(model, MOST_DIAGRAMS));
      const callouts = await loadCallouts(rows);
      const getFacts = await askCatalog(callouts.flatMap((diagramCallouts) => listRows(diagramCallouts ?? [])));
      return {
        diagrams: rows.map(({ equipment, key, schema, page, image, sha256 }, index) => ({
          equipment,
          figureId: toFigureId({ sha256, key }),
          schema,
          page,
          imageUrl: links.figure(sha256, page, image),
          pdf_link: links.pdf(sha256, page),
          pageImageUrl: links.page(sha256, page),
          callouts: callouts[index]?.map((callout) => toCallout(callout, getFacts)) ?? null,
        })),
      };
    },
  };
}

/** Returns the models of manuals, then those of the catalog that are no other ones, each once. */
function joinModels(
  manuals: readonly { equipment: string; manufacturer?: string }[],
  catalog: readonly { equipment: string; manufacturer: string | null }[] = [],
) {
  const keys = new Set(manuals.map(({ equipment }) => toModelKey(equipment)));
  const models = [...manuals.map(toModel), ...catalog.filter(({ equipment }) => !keys.has(toModelKey(equipment)))];
  return [...new Map(models.map((model) => [JSON.stringify(model), model])).values()];
}

type CatalogRow = Result<CallActions["search.catalogFitment"]>["rows"][number];

/** A part of the catalog as one of a machine. */
function toCatalogRow({ title, ...row }: CatalogRow): Result<Actions["equipment"]>["parts"][number] {
  const nowhere = { schema: "", reference: null, quantity: null, page: null, pdf_link: null };
  return { ...row, ...nowhere, description: title };
}

export function toModel({ equipment, manufacturer = null }: { equipment: string; manufacturer?: string | null }) {
  return { equipment, manufacturer };
}

/** @throws VALIDATION_FAILED naming both fields unless exactly one is given */
function assertOne({ model, part }: { model?: string; part?: string }): void {
  if ((model === undefined) !== (part === undefined)) return;
  const message =
    model === undefined
      ? "One of the fields 'model' and 'part' is required."
      : "The fields 'model' and 'part' must not be given together.";
  throw validationFailed([
    { field: "model", message },
    { field: "part", message },
  ]);
}
