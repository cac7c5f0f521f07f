import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { count } from "../shared/format.ts";
import { Long } from "../shared/long.tsx";
import { ListSection } from "../shared/listed.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { search } = texts;
const MOST_LISTED = 20;

/** Lists what shoppers look for in vain; a synonym may help. */
export function ZeroHits({ onTry }: { onTry(query: string): void }): ReactNode {
  const { data, refusal } = useReading(["zero-hits"], (signal) =>
    partline.analytics.zeroHits({ limit: MOST_LISTED }, { signal }),
  );
  return (
    <ListSection
      title={search.zeroHits}
      refusal={refusal}
      emptyText={search.noZeroHits}
      items={data?.queries}
      columns={[
        [search.query, ({ query }) => <Long>{query}</Long>],
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
  );
}
