import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { count, moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";

const AGAIN_MS = 2_000;

/** Shows how far the figures are counted. A rebuild goes on at the server: its progress is there after a reload. */
export function Projections(): ReactNode {
  const may = useMay();
  const rebuild = useAction(texts.figures.rebuilding);
  const { data, refusal } = useReading(["projections"], (signal) => partline.analytics.projections({}, { signal }), {
    everyMs: AGAIN_MS,
  });
  const t = texts.figures;
  return (
    <Section title={t.counted}>
      <Stack spacing={1} sx={{ alignItems: "flex-start" }}>
        <Refusal error={rebuild.refusal ?? refusal} />
        {data && (
          <FiguresTable
            label={t.counted}
            head={[t.projection, t.state, t.until, t.behind, t.rebuild]}
            rows={data.projections.map(({ name, state, as_of, behind: lag, rebuilding }) => [
              name,
              t.states[state],
              as_of === null ? "–" : moment(as_of),
              lag === null ? "–" : count(lag),
              rebuilding ? t.rebuiltUntil(count(rebuilding.position), moment(rebuilding.startedAt)) : "–",
            ])}
          />
        )}
        {may("analytics:write") && (
          <Button
            variant="outlined"
            disabled={rebuild.isBusy}
            onClick={() => rebuild.act(() => partline.analytics.rebuild())}
          >
            {t.rebuildAll}
          </Button>
        )}
      </Stack>
    </Section>
  );
}
