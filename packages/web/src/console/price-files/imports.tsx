import type { ImportSummary } from "@partline/client";
import { useState, type ReactNode } from "react";
import { VendorName } from "../catalog/vendor-name.tsx";
import { partline } from "../partline.ts";
import { count, moment } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { Look } from "../shared/look.tsx";
import { Progress } from "../shared/progress.tsx";
import { WorkStatus } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { ImportDialog } from "./import-dialog.tsx";

const { priceFiles } = texts;

/** Imports that run, also those of other staff, and their reports: a reload loses neither. */
export function Imports(): ReactNode {
  const [open, setOpen] = useState<string>();
  const { data, refusal } = useReading(["imports"], (signal) => partline.catalog.imports({}, { signal }), {
    isRunning: ({ imports }) => imports.some(({ status }) => status === "running"),
  });
  return (
    <ListSection
      title={priceFiles.imports}
      refusal={refusal}
      emptyText={priceFiles.noImport}
      items={data?.imports}
      columns={[
        [priceFiles.begun, ({ startedAt }) => moment(startedAt)],
        [priceFiles.vendor, ({ vendor }) => <VendorName code={vendor} />],
        [priceFiles.kind, ({ dryRun }) => (dryRun ? priceFiles.check : priceFiles.import)],
        [priceFiles.state, ({ status }) => <WorkStatus state={status} />],
        [priceFiles.rows, (summary) => <HowFar of={summary} />],
        [
          priceFiles.report,
          ({ importId, vendor, startedAt }) => (
            <Look name={`${vendor} ${moment(startedAt)}`} onClick={() => setOpen(importId)} />
          ),
        ],
      ]}
    >
      {open !== undefined && <ImportDialog importId={open} onClose={() => setOpen(undefined)} />}
    </ListSection>
  );
}

function HowFar({ of: { status, read: readRows, refusedTotal } }: { of: ImportSummary }): ReactNode {
  return (
    <Progress isRunning={status === "running"}>{priceFiles.rowsSoFar(count(readRows), count(refusedTotal))}</Progress>
  );
}
