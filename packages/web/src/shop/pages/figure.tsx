import type { FitmentFigure, LiveStock, ModelFigure, Partline } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { DrawnParts } from "../figure/drawn-parts.tsx";
import { ownAddress } from "../format.ts";
import { manualAddress } from "../manual-address.ts";
import { type Crumb, Breadcrumb, createBreadcrumbJsonLd } from "../kit/breadcrumb.tsx";
import { Icon } from "../kit/icon.tsx";
import { CHEVRON_LEFT, CHEVRON_RIGHT } from "../kit/icons/ui.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { loadStock } from "../parts/load-stock.ts";
import { PageLinks, pageIn, withinPages } from "../parts/page-links.tsx";

interface FigureData {
  figure: FitmentFigure;
  /** The machine that it was opened for; empty for all. */
  model: string;
  /** The part number that is looked for. */
  part: string;
  stock: readonly LiveStock[];
  /** The machine's figures before and after it. */
  neighbours: Neighbours;
}

type Neighbour = Pick<ModelFigure, "id" | "schema" | "page">;
interface Neighbours {
  previous?: Neighbour | undefined;
  next?: Neighbour | undefined;
}

const PAGE_SIZE = 100;
/** The most that a page waits for the figures around its own, milliseconds. */
const NEIGHBOURS_MS = 250;

/** Finds the figures before and after one, by its machine; none of a machine with more than a page of them. */
async function findNeighbours(partline: Partline, model: string, id: string): Promise<Neighbours> {
  const { figures } = await partline.ai
    .fitmentFigures({ model, pageSize: PAGE_SIZE }, { signal: AbortSignal.timeout(NEIGHBOURS_MS) })
    .catch(() => ({ figures: [] as ModelFigure[] }));
  const index = figures.findIndex((figure) => figure.id === id);
  if (index < 0) return {};
  const [previous, next] = [figures[index - 1], figures[index + 1]].map(
    (figure) => figure && { id: figure.id, schema: figure.schema, page: figure.page },
  );
  return { previous, next };
}

/** The last step: a drawing whose numbers are parts. */
export const figure: PageDefinition<FigureData> = {
  path: "/figures/{figure}",
  load: async ({ partline, isCrawler, params, query, address }) => {
    const model = query.get("model")?.trim() ?? "";
    const drawing = await partline.ai.fitmentFigure({
      figure: params["figure"]!,
      model: model || undefined,
      page: pageIn(query),
      pageSize: PAGE_SIZE,
    });
    const { parts } = withinPages(drawing, address);
    const [stock, neighbours] = await Promise.all([
      loadStock(
        { partline, isCrawler },
        parts.map(({ partId }) => partId),
      ),
      findNeighbours(partline, model || (drawing.equipment[0] ?? ""), drawing.id),
    ]);
    return { figure: drawing, model, part: query.get("part")?.trim() ?? "", stock, neighbours };
  },
  head: ({ figure: drawing, model }, { texts, origin }) => {
    const names = getNames(drawing);
    return {
      title: fill(texts.figureTitle, names),
      description: fill(texts.figureDescription, names),
      canonical: `${origin}/figures/${encodeURIComponent(drawing.id)}`,
      jsonLd: [createBreadcrumbJsonLd(listCrumbs(drawing, model), origin)],
    };
  },
  View: Figure,
};

function getNames({ schema, manufacturer, equipment, page }: FitmentFigure): { figure: string; name: string } {
  return {
    figure: schema === "" ? String(page) : schema,
    name: [manufacturer, equipment.join(", ")].filter(Boolean).join(" "),
  };
}

function listCrumbs(drawing: FitmentFigure, model: string): Crumb[] {
  const equipment = drawing.equipment[0] ?? "";
  const path = `/machines/${encodeURIComponent(model || equipment)}`;
  return [{ name: equipment, path }, { name: getNames(drawing).figure }];
}

function Figure({ data: { figure: drawing, model, part, stock, neighbours } }: { data: FigureData }): ReactNode {
  const { texts } = useShop();
  const { drawings, parts, pagination, pdf_link } = drawing;
  const names = getNames(drawing);

  return (
    <Layout subject={{ name: names.name, equipment: drawing.equipment[0] }}>
      <Breadcrumb crumbs={listCrumbs(drawing, model)} />
      <h1>{names.figure}</h1>
      <p>
        {drawing.manufacturer}{" "}
        {drawing.equipment.map((equipment, index) => (
          <span key={equipment}>
            {index > 0 && ", "}
            <a href={`/machines/${encodeURIComponent(equipment)}`}>{equipment}</a>
          </span>
        ))}{" "}
        · <a href={manualAddress(pdf_link)}>{texts.manualPage}</a>
      </p>
      <Around neighbours={neighbours} model={model} />
      <DrawnParts
        drawings={drawings}
        picture={<img src={ownAddress(drawing.imageUrl)} alt={names.figure} className="drawn" />}
        parts={parts}
        stock={stock}
        part={part}
      >
        <PageLinks
          page={pagination.page}
          pages={pagination.totalPages}
          addressOf={(page) =>
            `/figures/${encodeURIComponent(drawing.id)}?${new URLSearchParams({ model, page: String(page) }).toString()}`
          }
        />
      </DrawnParts>
    </Layout>
  );
}

/** The way from drawing to drawing of a machine. */
function Around({ neighbours: { previous, next }, model }: { neighbours: Neighbours; model: string }): ReactNode {
  const { texts } = useShop();
  if (!previous && !next) return null;
  const link = ({ id, schema, page }: Neighbour, rel: "prev" | "next"): ReactNode => (
    <a
      href={`/figures/${encodeURIComponent(id)}${model === "" ? "" : `?model=${encodeURIComponent(model)}`}`}
      rel={rel}
      className="button compact"
    >
      {rel === "prev" && <Icon path={CHEVRON_LEFT} size="small" />}
      <span className="hidden">{rel === "prev" ? texts.previous : texts.next}: </span>
      {schema === "" ? fill(texts.drawingOfPage, { page }) : schema}
      {rel === "next" && <Icon path={CHEVRON_RIGHT} size="small" />}
    </a>
  );
  return (
    <nav aria-label={texts.otherDiagrams} className="around no-print">
      {previous && link(previous, "prev")}
      {next && link(next, "next")}
    </nav>
  );
}
