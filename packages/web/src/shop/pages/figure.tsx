import type { FitmentFigure, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { DrawnParts } from "../figure/drawn-parts.tsx";
import { ownAddress } from "../format.ts";
import { manualAddress } from "../manual-address.ts";
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
}

const PAGE_SIZE = 100;

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
    const stock = await loadStock(
      { partline, isCrawler },
      parts.map(({ partId }) => partId),
    );
    return { figure: drawing, model, part: query.get("part")?.trim() ?? "", stock };
  },
  head: ({ figure: drawing }, { texts, origin }) => {
    const names = namesOf(drawing);
    return {
      title: fill(texts.figureTitle, names),
      description: fill(texts.figureDescription, names),
      canonical: `${origin}/figures/${encodeURIComponent(drawing.id)}`,
    };
  },
  View: Figure,
};

function namesOf({ schema, manufacturer, equipment, page }: FitmentFigure): { figure: string; name: string } {
  return {
    figure: schema === "" ? String(page) : schema,
    name: [manufacturer, equipment.join(", ")].filter(Boolean).join(" "),
  };
}

function Figure({ data: { figure: drawing, model, part, stock } }: { data: FigureData }): ReactNode {
  const { texts } = useShop();
  const { drawings, parts, pagination, pdf_link } = drawing;
  const names = namesOf(drawing);

  return (
    <Layout>
      <h1>{fill(texts.figureTitle, names)}</h1>
      <p>
        {drawing.equipment.map((equipment, index) => (
          <span key={equipment}>
            {index > 0 && ", "}
            <a href={`/machines/${encodeURIComponent(equipment)}`}>{equipment}</a>
          </span>
        ))}{" "}
        · <a href={manualAddress(pdf_link)}>{texts.manualPage}</a>
      </p>
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
