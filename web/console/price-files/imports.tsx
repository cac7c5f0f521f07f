import type { ImportSummary } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { useState, type ReactNode } from "react";
import { count, moment } from "../format.ts";
import { Section } from "../orders/section.tsx";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { Status } from "../status.tsx";
import { texts } from "../texts.ts";
import { useWatched } from "../use-watched.ts";
import { ImportDialog } from "./import-dialog.tsx";

const { priceFiles } = texts;

/** Imports that run, also those of other staff, and their reports: a reload loses neither. */
export function Imports(): ReactNode {
  const [open, setOpen] = useState<string>();
  const { data, error } = useWatched<ImportSummary & { id: string }>("imports", {
    isRunning: ({ status }) => status === "running",
  });
  return (
    <Section title={priceFiles.imports}>
      <Refusal of={error} />
      <Listed
        name={priceFiles.imports}
        none={priceFiles.noImport}
        of={data}
        columns={[
          [priceFiles.begun, ({ startedAt }) => moment(startedAt)],
          [priceFiles.vendor, ({ vendor }) => vendor],
          [priceFiles.kind, ({ dryRun }) => (dryRun ? priceFiles.check : priceFiles.import)],
          [priceFiles.state, ({ status }) => <Status of={status} />],
          [priceFiles.rows, (each) => <Progress of={each} />],
          [
            priceFiles.report,
            ({ importId, vendor, startedAt }) => (
              <Button
                size="small"
                aria-label={`${priceFiles.look}: ${vendor} ${moment(startedAt)}`}
                onClick={() => setOpen(importId)}
              >
                {priceFiles.look}
              </Button>
            ),
          ],
        ]}
      />
      {open !== undefined && <ImportDialog importId={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Progress({ of: { status, read, refusedTotal } }: { of: ImportSummary }): ReactNode {
  const said = priceFiles.rowsSoFar(count(read), count(refusedTotal));
  if (status !== "running") return said;
  return (
    <Box sx={{ minWidth: "8rem" }}>
      <LinearProgress aria-label={said} />
      {said}
    </Box>
  );
}
