import type { SyncReport } from "@partline/client";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { Facts } from "../shared/facts.tsx";
import { count, moment } from "../shared/format.ts";
import { LookDialog } from "../shared/look-dialog.tsx";
import { useReading } from "../shared/use-reading.ts";
import { listNoteTexts, formatRemark } from "../shared/remark-text.ts";
import { texts } from "../texts.ts";

const { syncs } = texts;
const MOST_SHOWN = 100;

/** Shows what a sync read and wrote, and what it missed. */
export function SyncDialog({ syncId, onClose }: { syncId: string; onClose(): void }): ReactNode {
  const { data, refusal } = useReading(["sync", syncId], (signal) => partline.catalog.sync({ syncId }, { signal }));
  const title = data && `${data.vendor} · ${moment(data.startedAt)}`;
  return (
    <LookDialog title={title} refusal={refusal} onClose={onClose}>
      {data && <Report of={data} />}
    </LookDialog>
  );
}

function Report({ of: report }: { of: SyncReport }): ReactNode {
  const { rows, notes, remarks, errors, refused, failed, finishedAt, status } = report;
  return (
    <Stack spacing={1}>
      <Facts
        facts={[
          [syncs.state, texts.workStatuses[status] ?? status],
          [syncs.ended, finishedAt ? moment(finishedAt) : undefined],
          ...(Object.entries(rows) as [string, number][]).map(
            ([name, value]) => [syncs.counts[name] ?? name, count(value)] as const,
          ),
        ]}
      />
      <Words title={syncs.notes} items={listNoteTexts(notes, remarks)} />
      <Words title={syncs.errors} items={errors.map((page) => syncs.ofPage(page.page, formatRemark(page)))} />
      <Words
        title={syncs.refused}
        items={refused.map((item) => syncs.ofItem(item.page, item.item, formatRemark(item)))}
      />
      <Words title={syncs.failed} items={failed.map((part) => `${part.partNumber}: ${formatRemark(part)}`)} />
    </Stack>
  );
}

function Words({ title, items }: { title: string; items: readonly string[] }): ReactNode {
  if (items.length === 0) return null;
  return (
    <div>
      <Typography component="h3" variant="subtitle1">
        {title}
      </Typography>
      <ul>
        {items.slice(0, MOST_SHOWN).map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
      {items.length > MOST_SHOWN && syncs.more(items.length - MOST_SHOWN)}
    </div>
  );
}
