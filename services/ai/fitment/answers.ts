import { paginate } from "../../../broker/contract/common.ts";
import type { Params, Result } from "../../../broker/contract/define.ts";
import { validationFailed } from "../../../mixins/errors.ts";
import type { aiContract } from "../contract.ts";
import { MOST_DIAGRAMS, MOST_MODELS, MOST_NOTES } from "../limits.ts";
import type { DiagramRow, FitmentReader, FitmentRow, SupersessionRow } from "../../../mixins/fitment-index/reader.ts";
import type { ManualLinks } from "../../shared/manual-links.ts";

type Actions = (typeof aiContract)["actions"];
type Asked = { model: string } | { part: string };

interface AnswerDeps {
  reader: FitmentReader;
  links: ManualLinks;
  /** Returns the catalog ids of parts, in order; undefined for an unknown one, or if the catalog does not answer. */
  productIds(parts: readonly { partNumber: string; vendor?: string }[]): Promise<(string | undefined)[]>;
}

/** Creates the answers of the routes about equipment and diagrams. */
export function createFitmentAnswers({ reader, links, productIds }: AnswerDeps) {
  const note = ({ partNumber, sha256, page }: SupersessionRow) => ({ partNumber, pdf_link: links.pdf(sha256, page) });

  const toParts = async (rows: readonly FitmentRow[]): Promise<Result<Actions["equipment"]>["parts"]> => {
    const ids = await productIds(rows);
    return rows.map(({ equipment, partNumber, schema, page, sha256, ...said }, at) => ({
      equipment,
      manufacturer: said.manufacturer ?? null,
      partNumber,
      productId: ids[at] ?? null,
      description: said.description ?? null,
      schema,
      reference: said.reference ?? null,
      quantity: said.quantity ?? null,
      page,
      pdf_link: links.pdf(sha256, page),
      replacedBy: said.replacedBy ?? null,
    }));
  };
  const toDiagram = ({ equipment, schema, page, image, sha256 }: DiagramRow) => ({
    equipment,
    schema,
    page,
    imageUrl: image === undefined ? links.page(sha256, page) : links.image(sha256, page, image),
    pdf_link: links.pdf(sha256, page),
  });

  return {
    async equipment({
      page,
      pageSize,
      ...params
    }: Params<Actions["equipment"]>): Promise<Result<Actions["equipment"]>> {
      const asked = modelOrPart(params);
      if ("model" in asked) {
        const { models, rows, total } = await reader.byModel(asked.model, {
          offset: (page - 1) * pageSize,
          limit: pageSize,
        });
        return {
          equipment: models
            .slice(0, MOST_MODELS)
            .map(({ equipment, manufacturer }) => ({ equipment, manufacturer: manufacturer ?? null })),
          parts: await toParts(rows),
          pagination: paginate(total, page, pageSize),
        };
      }
      const { rows: named, isCut, replacedBy, replaces } = await reader.byPart(asked.part);
      const rows = named.filter(isListed);
      return {
        equipment: equipmentIn(rows).slice(0, MOST_MODELS),
        parts: await toParts(rows.slice((page - 1) * pageSize, page * pageSize)),
        complete: !isCut,
        supersession: {
          replacedBy: replacedBy.slice(0, MOST_NOTES).map(note),
          replaces: replaces.slice(0, MOST_NOTES).map(note),
        },
        pagination: paginate(rows.length, page, pageSize),
      };
    },

    async diagrams(params: Params<Actions["diagrams"]>): Promise<Result<Actions["diagrams"]>> {
      const asked = modelOrPart(params);
      const rows = await ("model" in asked
        ? reader.diagramsByModel(asked.model, MOST_DIAGRAMS)
        : reader.diagramsByPart(asked.part, MOST_DIAGRAMS));
      return { diagrams: rows.map(toDiagram) };
    },
  };
}

/** @throws VALIDATION_FAILED naming both fields unless exactly one is given */
function modelOrPart({ model, part }: { model?: string; part?: string }): Asked {
  if (model !== undefined && part === undefined) return { model };
  if (part !== undefined && model === undefined) return { part };
  const message =
    model === undefined
      ? "One of the fields 'model' and 'part' is required."
      : "The fields 'model' and 'part' must not be given together.";
  throw validationFailed([
    { field: "model", message },
    { field: "part", message },
  ]);
}

/** Returns whether a row lists its part on the equipment; a list of superseded numbers does not. */
function isListed({ isSupersession }: FitmentRow): boolean {
  return isSupersession === undefined;
}

function equipmentIn(rows: readonly FitmentRow[]): Result<Actions["equipment"]>["equipment"] {
  const distinct = new Map(
    rows.map(({ equipment, manufacturer }) => [
      `${equipment}\u0000${manufacturer ?? ""}`,
      { equipment, manufacturer: manufacturer ?? null },
    ]),
  );
  return [...distinct.values()];
}
