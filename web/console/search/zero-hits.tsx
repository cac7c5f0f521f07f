import type { ZeroHitAnalytics } from "@partline/client";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { useGetList } from "react-admin";
import { count } from "../format.ts";
import { Section } from "../orders/section.tsx";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { texts } from "../texts.ts";

const { search } = texts;
type Query = ZeroHitAnalytics["queries"][number] & { id: string };

/** What shoppers look for in vain; a synonym may help. */
export function ZeroHits({ onTry }: { onTry(query: string): void }): ReactNode {
  const { data, error } = useGetList<Query>("zero-hits");
  return (
    <Section title={search.zeroHits}>
      <Refusal of={error} />
      <Listed
        name={search.zeroHits}
        none={search.noZeroHits}
        of={data}
        columns={[
          [search.query, ({ query }) => query],
          [search.times, ({ zeroHits }) => count(zeroHits)],
          [
            search.mend,
            ({ query }) => (
              <Button size="small" aria-label={`${search.try}: ${query}`} onClick={() => onTry(query)}>
                {search.try}
              </Button>
            ),
          ],
        ]}
      />
    </Section>
  );
}
