import { paginate } from "../../../broker/contract/common.ts";
import { notFound } from "../../../mixins/errors.ts";
import { figureId, type FigureRow, isOn, isOnModel, makeAndModel, type RowDocument } from "@partline/parts-search";
import { mayHave } from "@partline/parts-language";
import { pageIn } from "../../shared/paging.ts";
import { MOST_CALLOUTS } from "../limits.ts";
import { toModel, type AnswerDeps, type Answers } from "./answers.ts";
import { partsOfCallouts, rowsIn, toCallout } from "./callouts.ts";

/** Creates the answers from makes to models to figures to parts, and of pages. */
export function createMachineAnswers({
  reader,
  figures,
  links,
  askCatalog,
}: AnswerDeps): Answers<"fitmentMakes" | "fitmentModels" | "fitmentFigures" | "fitmentFigure" | "manualPage"> {
  const placeOf = ({ sha256, schema, page, image }: FigureRow) => ({
    schema,
    page,
    imageUrl: links.figure(sha256, page, image),
    pdf_link: links.pdf(sha256, page),
  });

  return {
    async fitmentMakes({ params: { q, page, pageSize } }) {
      const finder = (await reader.directory()).finder();
      const { found, total, isNear } = finder.makes({ q, offset: (page - 1) * pageSize, limit: pageSize });
      return { makes: found, near: isNear, pagination: paginate(total, page, pageSize) };
    },

    async fitmentModels({ params: { make, q, page, pageSize } }) {
      const directory = await reader.directory();
      const asked = { make, q, offset: (page - 1) * pageSize, limit: pageSize };
      const { found, total, isNear } = directory.finder().models(asked);
      const models = found.map((model) => ({
        id: model.id,
        ...toModel(model),
        manuals: directory.manualsOf(model).length,
      }));
      return { models, near: isNear, pagination: paginate(total, page, pageSize) };
    },

    async fitmentFigures({ params: { model: typed, serial, page, pageSize } }) {
      const found = await figures.ofModel(typed);
      if (!found) throw notFound("Model", typed);
      const all = found.flatMap(({ model, figures: own }) =>
        own
          .filter(({ serials }) => serial === undefined || mayHave(serials, serial))
          .map((figure) => ({ figure, ...toModel(model) })),
      );
      const { found: asked, pagination } = pageIn(all, { page, pageSize });
      return {
        models: found.map(({ model }) => toModel(model)),
        figures: asked.map(({ figure, ...model }) => ({
          id: figureId(figure),
          ...model,
          ...placeOf(figure),
          serials: toSerials(figure),
        })),
        pagination,
      };
    },

    async fitmentFigure({ params: { figure: id, model: typed, page, pageSize } }) {
      const found = await figures.whole(id);
      if (!found) throw notFound("Figure", id);
      const { figure } = found;
      const { sha256, manual } = figure;
      const isMeant = await ofModel(figure, typed);
      const { found: asked, pagination } = pageIn(found.rows.filter(isMeant), { page, pageSize });
      const callouts = partsOfCallouts(found.callouts, isMeant).slice(0, MOST_CALLOUTS);
      const factsOf = await askCatalog([...asked, ...rowsIn(callouts)]);
      return {
        id,
        equipment: figure.only ?? manual.equipment,
        manufacturer: manual.manufacturer ?? null,
        ...placeOf(figure),
        serials: toSerials(figure),
        drawings: [...Map.groupBy(callouts, (callout) => callout.page)].map(([drawn, own]) => ({
          page: drawn,
          imageUrl: links.page(sha256, drawn),
          callouts: own.map((callout) => toCallout(callout, factsOf)),
        })),
        parts: asked.map((row) => ({
          reference: row.reference ?? null,
          partNumber: row.partNumber,
          ...factsOf(row),
          title: factsOf(row).title ?? row.description ?? null,
          quantity: row.quantity ?? null,
          description: row.description ?? null,
          equipment: row.only ?? figure.only ?? manual.equipment,
          page: row.page,
          pdf_link: links.pdf(sha256, row.page),
          replacedBy: row.replacedBy ?? null,
        })),
        pagination,
      };
    },

    async manualPage({ params: { sha256, page } }) {
      const found = await figures.page(sha256, page);
      if (!found) throw notFound(`Page ${page} of manual`, sha256);
      const { manual } = found;
      const callouts = partsOfCallouts(found.callouts).slice(0, MOST_CALLOUTS);
      const factsOf = await askCatalog(rowsIn(callouts));
      return {
        sha256,
        page,
        pages: manual.pages,
        equipment: manual.equipment,
        manufacturer: manual.manufacturer ?? null,
        figures: found.figures.map((figure) => ({ id: figureId(figure), schema: figure.schema })),
        imageUrl: links.page(sha256, page),
        pdf_link: links.pdf(sha256, page),
        callouts: callouts.map((callout) => toCallout(callout, factsOf)),
      };
    },
  };

  /** @throws NOT_FOUND if the figure is not of that model */
  async function ofModel(figure: FigureRow, typed: string | undefined): Promise<(row: RowDocument) => boolean> {
    const { manual, only } = figure;
    if (typed === undefined) return (row) => manual.equipment.some((equipment) => isOn(row, equipment));
    const { manufacturer } = manual;
    const keys = new Set(manual.equipment.map((equipment) => makeAndModel({ equipment, manufacturer })));
    const named = (await reader.directory()).models.named(typed);
    const meant = named.filter((model) => keys.has(makeAndModel(model)) && isOnModel({ only }, model, manual));
    if (meant.length === 0) throw notFound("Model of this figure", typed);
    return (row) => meant.some((model) => isOnModel(row, model, manual));
  }
}

function toSerials({ serials = [] }: FigureRow): { from: string | null; to: string | null }[] {
  return serials.map(({ from = null, to = null }) => ({ from, to }));
}
