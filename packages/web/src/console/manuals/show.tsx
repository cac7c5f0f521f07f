import type { ManualOverview } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useRecordContext, useRedirect, type RaRecord } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { Confirmed } from "../shared/confirmed.tsx";
import { useMay } from "../may.ts";
import { Facts } from "../shared/facts.tsx";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Whole } from "../shared/whole.tsx";
import { MachineForm } from "./machine-form.tsx";
import { DrawnPage } from "./drawn-page.tsx";
import { ManualState } from "./manual-state.tsx";
import { PageChoice } from "./page-choice.tsx";
import { PageList } from "./page-list.tsx";

const { manuals } = texts;

export function ManualShow(): ReactNode {
  return (
    <Whole resource="whole-manuals" title={false}>
      <Manual />
    </Whole>
  );
}

/** What was read of a manual, a page at a time; the page is in the address. */
function Manual(): ReactNode {
  const manual = useRecordContext<ManualOverview & RaRecord>();
  const redirect = useRedirect();
  const mayWrite = useMay()("manuals:write");
  const [params, setParams] = useSearchParams();
  const [isCorrecting, setCorrecting] = useState(false);
  if (!manual) return null;
  const {
    sha256,
    title,
    filename,
    equipment,
    manufacturer,
    pages,
    counts,
    pages_scanned,
    pages_to_check,
    checks,
    figures,
  } = manual;
  const asks = manual.unsure !== undefined || manual.correction === "failed";
  const page = Math.min(pages, Math.max(1, Number(params.get("page")) || (checks?.[0]?.page ?? figures[0]?.page ?? 1)));
  return (
    <Page title={title}>
      <Facts
        facts={[
          [manuals.file, filename],
          [
            manuals.equipment,
            <Stack
              key="machine"
              direction="row"
              spacing={1}
              useFlexGap
              sx={{ flexWrap: "wrap", alignItems: "baseline" }}
            >
              {[manufacturer, equipment.join(", ")].filter(Boolean).join(" ")}
              {mayWrite && !asks && (
                <Button
                  size="small"
                  sx={{ py: 0 }}
                  aria-label={`${manuals.correct}: ${manuals.equipment}`}
                  onClick={() => setCorrecting(!isCorrecting)}
                  aria-expanded={isCorrecting}
                >
                  {manuals.correct}
                </Button>
              )}
            </Stack>,
          ],
          [manuals.pages, String(pages)],
          [manuals.found, manuals.counts(counts.parts, counts.tables, counts.figures)],
          [manuals.scanned, pages_scanned?.toString()],
          [manuals.toCheck, pages_to_check?.toString()],
        ]}
      />
      <ManualState of={manual} />
      {mayWrite && (asks || isCorrecting) && <MachineForm key={`${equipment.join()} ${manufacturer}`} of={manual} />}
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
        <Button variant="outlined" href={`/api/manuals/${sha256}/source.pdf#page=${page}`} target="_blank">
          {manuals.source}
        </Button>
        {mayWrite && (
          <Confirmed
            variant="outlined"
            label={manuals.readAgain}
            question={manuals.readAgainQuestion}
            done={manuals.isReadAgain}
            run={() => partline.pipeline.readAgain({ sha256 })}
            onDone={() => redirect("/manuals")}
          />
        )}
        {mayWrite && (
          <Confirmed
            color="error"
            variant="outlined"
            label={manuals.remove}
            question={manuals.removeQuestion(title)}
            done={manuals.isRemoved}
            run={() => partline.pipeline.remove({ sha256 })}
            onDone={() => redirect("/manuals")}
          />
        )}
      </Stack>
      <PageList sha256={sha256} page={page} />
      <PageChoice page={page} pages={pages} onChange={(chosen) => setParams({ page: String(chosen) })} />
      <DrawnPage key={page} of={manual} page={page} />
    </Page>
  );
}
