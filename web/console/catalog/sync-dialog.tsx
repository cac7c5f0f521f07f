import type { SyncReport } from "@partline/client";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";
import { useGetOne } from "react-admin";
import { count, moment } from "../format.ts";
import { Facts } from "../orders/facts.tsx";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";

const { syncs } = texts;
const MOST_SHOWN = 100;

/** What a sync read and wrote, and what it missed. */
export function SyncDialog({ syncId, onClose }: { syncId: string; onClose(): void }): ReactNode {
  const id = useId();
  const { data, error } = useGetOne<SyncReport & { id: string }>("sync-reports", { id: syncId });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>{data ? `${data.vendor} · ${moment(data.startedAt)}` : texts.loading}</DialogTitle>
      <DialogContent>
        <Refusal of={error} />
        {data && <Report of={data} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Report({ of: { rows, notes, errors, refused, failed, finishedAt, status } }: { of: SyncReport }): ReactNode {
  return (
    <Stack spacing={1}>
      <Facts
        facts={[
          [syncs.state, texts.statuses[status] ?? status],
          [syncs.ended, finishedAt ? moment(finishedAt) : undefined],
          ...(Object.entries(rows) as [string, number][]).map(
            ([name, value]) => [syncs.counts[name] ?? name, count(value)] as const,
          ),
        ]}
      />
      <Words title={syncs.notes} of={notes} />
      <Words title={syncs.errors} of={errors.map(({ page, reason }) => syncs.ofPage(page, reason))} />
      <Words title={syncs.refused} of={refused.map(({ page, item, reason }) => syncs.ofItem(page, item, reason))} />
      <Words title={syncs.failed} of={failed.map(({ partNumber, reason }) => `${partNumber}: ${reason}`)} />
    </Stack>
  );
}

function Words({ title, of }: { title: string; of: readonly string[] }): ReactNode {
  if (of.length === 0) return null;
  return (
    <div>
      <Typography component="h3" variant="subtitle1">
        {title}
      </Typography>
      <ul>
        {of.slice(0, MOST_SHOWN).map((text, at) => (
          <li key={at}>{text}</li>
        ))}
      </ul>
      {of.length > MOST_SHOWN && syncs.more(of.length - MOST_SHOWN)}
    </div>
  );
}
