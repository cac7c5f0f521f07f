import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { moment } from "../shared/format.ts";
import { formatRemark } from "../shared/remark-text.ts";
import { LookDialog } from "../shared/look-dialog.tsx";
import { useReading } from "../shared/use-reading.ts";
import { Report } from "./report.tsx";

/**
 * Shows how an import ended, also someone else's. The file is no longer at hand, so refused rows are named by their
 * lines.
 */
export function ImportDialog({ importId, onClose }: { importId: string; onClose(): void }): ReactNode {
  const { data, refusal } = useReading(["import", importId], (signal) =>
    partline.catalog.importReport({ importId }, { signal }),
  );
  const title = data && `${data.vendor} · ${moment(data.startedAt)}`;
  const reason = data?.reason && formatRemark({ ...data, reason: data.reason });
  return (
    <LookDialog title={title} refusal={refusal ?? reason} onClose={onClose}>
      {data?.status === "completed" && <Report isDryRun={data.dryRun} report={data} />}
    </LookDialog>
  );
}
