import type { SyncSummary } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import type { ReactNode } from "react";
import { count, moment } from "../format.ts";
import { Listed } from "../listed.tsx";
import { Status } from "../status.tsx";
import { texts } from "../texts.ts";

const { syncs } = texts;

interface SyncRowsProps {
  name: string;
  none: string;
  of: readonly SyncSummary[] | undefined;
  onLook(syncId: string): void;
}

export function SyncRows({ name, none, of, onLook }: SyncRowsProps): ReactNode {
  return (
    <Listed
      name={name}
      none={none}
      of={of}
      columns={[
        [syncs.begun, ({ startedAt }) => moment(startedAt)],
        [texts.vendors.vendor, ({ vendor, kind }) => `${vendor}: ${syncs.kinds[kind]}`],
        [syncs.state, ({ status }) => <Status of={status} />],
        [syncs.pages, (sync) => <Progress of={sync} />],
        [syncs.rows, ({ rows }) => syncs.rowCounts(count(rows.read), count(rows.written))],
        [
          syncs.details,
          ({ syncId, vendor, startedAt }) => (
            <Button
              size="small"
              aria-label={`${syncs.look}: ${vendor} ${moment(startedAt)}`}
              onClick={() => onLook(syncId)}
            >
              {syncs.look}
            </Button>
          ),
        ],
      ]}
    />
  );
}

function Progress({ of: { pages, status, rate } }: { of: SyncSummary }): ReactNode {
  const said = syncs.pagesDone(pages.done, pages.total);
  if (status !== "running") return said;
  const percent = pages.total ? (100 * pages.done) / pages.total : 0;
  return (
    <Box sx={{ minWidth: "8rem" }}>
      <LinearProgress variant={pages.total ? "determinate" : "indeterminate"} value={percent} aria-label={said} />
      {`${said}, ${syncs.rate(Math.round(rate))}`}
    </Box>
  );
}
