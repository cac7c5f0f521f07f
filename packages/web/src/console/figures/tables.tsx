import type { ReactNode } from "react";
import { count, money } from "../shared/format.ts";
import { Grid } from "../shared/grid.tsx";
import { Long } from "../shared/long.tsx";
import { Section } from "../shared/section.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";
import type { Figures } from "./read.ts";

export function FigureTables({ figures: { parts, searches, zeroHits, revenue } }: { figures: Figures }): ReactNode {
  const t = texts.figures;
  return (
    <Grid>
      <Section title={t.bestParts}>
        <FiguresTable
          label={t.bestParts}
          figuresFrom={1}
          head={[t.part, t.quantity, t.revenue]}
          rows={parts.parts.map(({ partNumber, name, productId, quantity, revenue: sold }) => [
            <Long key="part">{name === null ? `${partNumber} (${productId})` : `${partNumber} · ${name}`}</Long>,
            count(quantity),
            money(sold, revenue.currency),
          ])}
        />
      </Section>
      <Section title={t.topSearches}>
        <FiguresTable
          label={t.topSearches}
          figuresFrom={1}
          head={[t.text, t.searches, t.zeroHits]}
          rows={searches.queries.map((search) => [
            <Long key="text">{search.query}</Long>,
            count(search.searches),
            count(search.zeroHits),
          ])}
        />
      </Section>
      <Section title={t.foundNothing}>
        <FiguresTable
          label={t.foundNothing}
          figuresFrom={1}
          head={[t.text, t.zeroHits, t.searches]}
          rows={zeroHits.queries.map((search) => [
            <Long key="text">{search.query}</Long>,
            count(search.zeroHits),
            count(search.searches),
          ])}
        />
      </Section>
    </Grid>
  );
}
