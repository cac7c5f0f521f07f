import type { ManualPage, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { DrawnParts, findReference } from "../figure/drawn-parts.tsx";
import type { ListedPart } from "../figure/figure-parts.tsx";
import { ownAddress } from "../format.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { loadStock } from "../parts/load-stock.ts";
import { PageLinks } from "../parts/page-links.tsx";

interface ManualData {
  manual: ManualPage;
  /** The part number that is looked for, as it stands in the address. */
  part: string;
  stock: readonly LiveStock[];
}

/** A page of a manual as it is drawn: where the desk and a part's page lead. */
export const manual: PageDefinition<ManualData> = {
  path: "/manuals/{sha256}/pages/{page}",
  load: async ({ partline, isCrawler, params, query }) => {
    const reading = await partline.ai.manualPage({ sha256: params["sha256"]!, page: Number(params["page"]) });
    const stock = await loadStock(
      { partline, isCrawler },
      reading.callouts.map(({ partId }) => partId),
    );
    return { manual: reading, part: query.get("part")?.trim() ?? "", stock };
  },
  head: ({ manual: reading }, { texts, origin }) => ({
    title: fill(texts.manualTitle, getNames(reading)),
    description: fill(texts.manualDescription, getNames(reading)),
    canonical: origin + getAddress(reading, reading.page),
  }),
  View: Manual,
};

const getAddress = ({ sha256 }: ManualPage, page: number): string => `/manuals/${sha256}/pages/${page}`;

function getNames({ page, manufacturer, equipment }: ManualPage): { page: number; name: string } {
  return { page, name: [manufacturer, equipment.join(", ")].filter(Boolean).join(" ") };
}

function Manual({ data: { manual: reading, part, stock } }: { data: ManualData }): ReactNode {
  const { texts } = useShop();
  const { page, pages, figures, callouts, imageUrl, equipment, pdf_link } = reading;
  const parts = listParts(reading);
  const isMarked = findReference(parts, part) !== undefined;
  const partQuery = part === "" ? "" : `?part=${encodeURIComponent(part)}`;
  const title = fill(texts.manualTitle, getNames(reading));
  return (
    <Layout>
      <h1>{title}</h1>
      <p>
        {equipment.map((model) => (
          <span key={model}>
            <a href={`/machines/${encodeURIComponent(model)}`}>{model}</a>
            {" · "}
          </span>
        ))}
        <a href={ownAddress(pdf_link)}>{texts.openPdf}</a>
      </p>
      {part !== "" && (
        <p role="status">{fill(isMarked ? texts.manualMarked : texts.manualUnmarked, { number: part })}</p>
      )}
      {figures.length > 0 && (
        <p>
          {texts.figuresOfPage}{" "}
          {figures.map(({ id, schema }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <a href={`/figures/${encodeURIComponent(id)}${partQuery}`}>{schema || texts.figure}</a>
            </span>
          ))}
        </p>
      )}
      <PageLinks page={page} pages={pages} addressOf={(number) => getAddress(reading, number)} />
      {callouts.length > 0 ? (
        <DrawnParts drawings={[{ page, imageUrl, callouts }]} parts={parts} stock={stock} part={part} />
      ) : (
        <img src={ownAddress(imageUrl)} alt={title} className="drawn alone" />
      )}
    </Layout>
  );
}

/** The parts of the numbers in the drawing, each once. */
function listParts({ callouts }: ManualPage): ListedPart[] {
  const parts = new Map<string, ListedPart>();
  for (const { ref, box: _, ...offer } of callouts) {
    const key = `${ref} ${offer.partNumber}`;
    if (!parts.has(key)) parts.set(key, { ...offer, reference: ref, description: null, replacedBy: null });
  }
  return [...parts.values()];
}
