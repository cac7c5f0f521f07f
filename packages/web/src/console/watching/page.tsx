import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { exactMoment } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { PeriodForm, usePeriod } from "../shared/period-form.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { HistorySections } from "./history.tsx";
import { NowSections } from "./now.tsx";
import { readHistory, readNow } from "./read.ts";

const DAYS = 1;
/** Nodes report every five seconds. */
const NOW_MS = 5_000;
const HISTORY_MS = 30_000;

/** Nodes, incidents, queues and latencies, live. */
export default function WatchingPage(): ReactNode {
  const [period, setPeriod] = usePeriod(DAYS);
  const now = useReading(["watching-now"], readNow, { everyMs: NOW_MS });
  const history = useReading(["watching", period], (signal) => readHistory(period, signal), {
    everyMs: HISTORY_MS,
  });
  return (
    <Page title={texts.menu.watching}>
      <Refusal error={now.refusal} />
      {now.data && (
        <>
          <Typography variant="body2">{texts.watching.asOf(exactMoment(now.data.overview.asOf))}</Typography>
          <NowSections now={now.data} />
        </>
      )}
      <PeriodForm period={period} onChange={setPeriod} />
      <Refusal error={history.refusal} />
      {history.data && <HistorySections history={history.data} />}
    </Page>
  );
}
