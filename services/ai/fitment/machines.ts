import { paginate } from "../../../broker/contract/common.ts";
import { notFound } from "../../../mixins/errors.ts";
import { toFigureId, type FigureRow, isOn, isOnModel, makeAndModel, type RowDocument } from "@partline/parts-search";
import { mayHave } from "@partline/parts-language";
import { takePage } from "../../shared/paging.ts";
import { MOST_CALLOUTS } from "../limits.ts";
import { tellMissing } from "./catalog-fitment.ts";
import { toModel, type AnswerDeps, type Answers } from "./answers.ts";
import { toCalloutParts, listRows, toCallout } from "./callouts.ts";

/** Creates the answers from makes to models to figures to parts, and of pages. */
export function createMachineAnswers({
  reader,
  figures,
  links,
  askCatalog,
  askShop,
}: AnswerDeps): Answers<"fitmentMakes" | "fitmentModels" | "fitmentFigures" | "fitmentFigure" | "manualPage"> {
  const toPlace = ({ sha256, schema, page, image }: FigureRow) => ({
    schema,
    page,
    imageUrl: links.figure(sha256, page, image),
    pdf_link: links.pdf(sha256, page),
  });

  return {
    async fitmentMakes({ params: { q, page, pageSize } }) {
      const query = { q, offset: (page - 1) * pageSize, limit: pageSize };
      const shop = await askShop("search.machineMakes", query);
      const { found: makes, total, isNear } = shop ?? (await (await reader.getDirectory()).finder()).findMakes(query);
      return { makes, near: isNear, pagination: paginate(total, page, pageSize), ...tellMissing(shop) };
    },

    async fitmentModels({ params: { make, q, page, pageSize } }) {
      const directory = await reader.getDirectory();
      const query = { make, q, offset: (page - 1) * pageSize, limit: pageSize };
      const shop = await askShop("search.machineModels", query);
      const { found: foundModels, total, isNear } = shop ?? (await directory.finder()).findModels(query);
      const models = foundModels.map((model) => ({
        id: model.id,
        ...toModel(model),
        manuals: directory.manualsOf(model).length,
      }));
      return { models, near: isNear, pagination: paginate(total, page, pageSize), ...tellMissing(shop) };
    },

    async fitmentFigures({ params: { model: typed, serial, page, pageSize } }) {
      const matches = await figures.readByModel(typed);
      if (!matches) {
        // No manual draws a machine that the catalog alone names.
        const listed = await askShop("search.catalogFitment", { model: typed, limit: 0 });
        if (!listed || listed.machines.length === 0) throw notFound("Model", typed);
        return { models: listed.machines, figures: [], pagination: paginate(0, page, pageSize) };
      }
      const allFigures = matches.flatMap(({ model, figures: modelFigures }) =>
        modelFigures
          .filter(({ serials }) => serial === undefined || mayHave(serials, serial))
          .map((figure) => ({ figure, ...toModel(model) })),
      );
      const { found: pageFigures, pagination } = takePage(allFigures, { page, pageSize });
      return {
        models: matches.map(({ model }) => toModel(model)),
        figures: pageFigures.map(({ figure, ...model }) => ({
          id: toFigureId(figure),
          ...model,
          ...toPlace(figure),
          serials: toSerials(figure),
        })),
        pagination,
      };
    },

    async fitmentFigure({ params: { figure: id, model: typed, page, pageSize } }) {
      const details = await figures.readWhole(id);
      if (!details) throw notFound("Figure", id);
      const { figure } = details;
      const { sha256, manual } = figure;
      const isMeant = await createRowFilter(figure, typed);
      const { found: pageRows, pagination } = takePage(details.rows.filter(isMeant), { page, pageSize });
      const callouts = toCalloutParts(details.callouts, isMeant).slice(0, MOST_CALLOUTS);
      const getFacts = await askCatalog([...pageRows, ...listRows(callouts)]);
      return {
        id,
        equipment: figure.only ?? manual.equipment,
        manufacturer: manual.manufacturer ?? null,
        ...toPlace(figure),
        serials: toSerials(figure),
        drawings: [...Map.groupBy(callouts, (callout) => callout.page)].map(([drawn, pageCallouts]) => ({
          page: drawn,
          imageUrl: links.page(sha256, drawn),
          callouts: pageCallouts.map((callout) => toCallout(callout, getFacts)),
        })),
        parts: pageRows.map((row) => ({
          reference: row.reference ?? null,
          partNumber: row.partNumber,
          ...getFacts(row),
          title: getFacts(row).title ?? row.description ?? null,
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
      const details = await figures.page(sha256, page);
      if (!details) throw notFound(`Page ${page} of manual`, sha256);
      const { manual } = details;
      const callouts = toCalloutParts(details.callouts).slice(0, MOST_CALLOUTS);
      const getFacts = await askCatalog(listRows(callouts));
      return {
        sha256,
        page,
        pages: manual.pages,
        equipment: manual.equipment,
        manufacturer: manual.manufacturer ?? null,
        figures: details.figures.map((figure) => ({ id: toFigureId(figure), schema: figure.schema })),
        imageUrl: links.page(sha256, page),
        pdf_link: links.pdf(sha256, page),
        callouts: callouts.map((callout) => toCallout(callout, getFacts)),
      };
    },
  };

  /** @throws NOT_FOUND if the figure is not of that model */
  async function createRowFilter(figure: FigureRow, typed: string | undefined): Promise<(row: RowDocument) => boolean> {
    const { manual, only } = figure;
    if (typed === undefined) return (row) => manual.equipment.some((equipment) => isOn(row, equipment));
    const { manufacturer } = manual;
    const keys = new Set(manual.equipment.map((equipment) => makeAndModel({ equipment, manufacturer })));
    const namedModels = (await reader.getDirectory()).models.findNamed(typed);
    const figureModels = namedModels.filter(
      (model) => keys.has(makeAndModel(model)) && isOnModel({ only }, model, manual),
    );
    if (figureModels.length === 0) throw notFound("Model of this figure", typed);
    return (row) => figureModels.some((model) => isOnModel(row, model, manual));
  }
}

function toSerials({ serials = [] }: FigureRow): { from: string | null; to: string | null }[] {
  return serials.map(({ from = null, to = null }) => ({ from, to }));
}
