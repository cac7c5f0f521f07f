import type { FigurePart, FitmentFigure } from "@partline/client";
import { useRef, useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Drawing } from "../figure/drawing.tsx";
import { FigureParts } from "../figure/figure-parts.tsx";
import { ownAddress } from "../format.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { PageLinks, pageIn } from "../parts/page-links.tsx";

interface FigureData {
  figure: FitmentFigure;
  /** The machine that it was opened for; empty for all. */
  model: string;
}

const PAGE_SIZE = 100;

/** The last step: a drawing whose numbers are parts. */
export const figure: PageDefinition<FigureData> = {
  path: "/figures/{figure}",
  load: async ({ partline, params, query }) => {
    const model = query.get("model")?.trim() ?? "";
    const found = await partline.ai.fitmentFigure({
      figure: params["figure"]!,
      model: model || undefined,
      page: pageIn(query),
      pageSize: PAGE_SIZE,
    });
    return { figure: found, model };
  },
  head: ({ figure: found }, { texts, origin }) => {
    const names = namesOf(found);
    return {
      title: fill(texts.figureTitle, names),
      description: fill(texts.figureDescription, names),
      canonical: `${origin}/figures/${encodeURIComponent(found.id)}`,
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

function Figure({ data: { figure: found, model } }: { data: FigureData }): ReactNode {
  const { texts } = useShop();
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const { drawings, parts, pagination, pdf_link } = found;
  const names = namesOf(found);

  /** The list beside the drawing goes to the part whose number was chosen. */
  const chooseInDrawing = (reference: string): void => {
    setChosen(reference);
    const row = [...(list.current?.querySelectorAll<HTMLElement>("[data-reference]") ?? [])].find(
      ({ dataset }) => dataset["reference"] === reference,
    );
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
  };

  return (
    <Layout>
      <h1>{fill(texts.figureTitle, names)}</h1>
      <p>
        {found.equipment.map((equipment, index) => (
          <span key={equipment}>
            {index > 0 && ", "}
            <a href={`/machines/${encodeURIComponent(equipment)}`}>{equipment}</a>
          </span>
        ))}{" "}
        · <a href={ownAddress(pdf_link)}>{texts.manualPage}</a>
      </p>
      <div className="figure">
        <div>
          {drawings.map((drawing) => (
            <Drawing key={drawing.page} drawing={drawing} chosen={chosen} onChoose={chooseInDrawing} />
          ))}
          {drawings.length === 0 && <img src={ownAddress(found.imageUrl)} alt={names.figure} className="drawn" />}
        </div>
        <div ref={list}>
          <FigureParts parts={parts} chosen={chosen} drawn={drawnIn(found, parts)} onChoose={setChosen} />
          <PageLinks
            page={pagination.page}
            pages={pagination.totalPages}
            addressOf={(page) =>
              `/figures/${encodeURIComponent(found.id)}?${new URLSearchParams({ model, page: String(page) }).toString()}`
            }
          />
        </div>
      </div>
    </Layout>
  );
}

/** The numbers that can be shown in a drawing. */
function drawnIn({ drawings }: FitmentFigure, parts: readonly FigurePart[]): ReadonlySet<string> {
  const drawn = new Set(drawings.flatMap(({ callouts }) => callouts.map(({ ref }) => ref)));
  return new Set(parts.flatMap(({ reference }) => (reference !== null && drawn.has(reference) ? [reference] : [])));
}
