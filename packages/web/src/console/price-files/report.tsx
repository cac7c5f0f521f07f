import type { ImportReport } from "@partline/client";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Button from "@mui/material/Button";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { download } from "../shared/download.ts";
import { count } from "../shared/format.ts";
import { Facts } from "../shared/facts.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { Section } from "../shared/section.tsx";
import { listNoteTexts, formatRemark } from "../shared/remark-text.ts";
import { texts } from "../texts.ts";
import { refusedRows } from "./refused.ts";

const { priceFiles } = texts;
const MOST_SHOWN = 50;

/** What each import answers. */
export type FileReport = Omit<ImportReport, "supersessionCycles">;

interface ReportProps {
  /** The file that was sent, as long as it is at hand. */
  file?: Blob;
  /** The file's name. */
  name?: string;
  isDryRun: boolean;
  report: FileReport;
}

/** What an import did, or would do. */
export function Report({ file, name, isDryRun, report }: ReportProps): ReactNode {
  const { read: readRows, written: writtenRows, unchanged, refused, refusedTotal } = report;
  const { notes = [], remarks, brands = [], keptCounts = [] } = report;
  const keptTotal = Number(remarks?.find(({ code }) => code === "counts_kept")?.values.parts);
  const firstRefused = refused.slice(0, MOST_SHOWN);
  return (
    <Stack spacing={2} role="status">
      <Alert severity={isDryRun ? "info" : "success"}>{isDryRun ? priceFiles.wouldWrite : priceFiles.imported}</Alert>
      <Facts
        facts={[
          [priceFiles.read, count(readRows)],
          [isDryRun ? priceFiles.toWrite : priceFiles.written, count(writtenRows)],
          [priceFiles.unchanged, count(unchanged)],
          [priceFiles.refused, count(refusedTotal)],
        ]}
      />
      {notes.length > 0 && (
        <Alert severity="warning">
          <AlertTitle>{priceFiles.notes}</AlertTitle>
          {listNoteTexts(notes, remarks).map((note) => (
            <div key={note}>{note}</div>
          ))}
        </Alert>
      )}
      {keptCounts.length > 0 && (
        <Section title={priceFiles.keptCounts}>
          <FiguresTable
            label={priceFiles.keptCounts}
            head={[texts.parts.number, priceFiles.shelfCount, priceFiles.fileCount]}
            rows={keptCounts.map(({ id, partNumber, counted, inFile }) => [
              <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>,
              counted === null ? "" : count(counted),
              inFile === null ? "" : count(inFile),
            ])}
          />
          {keptTotal > keptCounts.length && priceFiles.more(keptTotal - keptCounts.length)}
        </Section>
      )}
      {brands.length > 0 && (
        <Section title={priceFiles.brands}>
          <FiguresTable
            label={priceFiles.brands}
            head={[priceFiles.brand, priceFiles.vendor, priceFiles.rows]}
            rows={brands.map(({ brand, vendor, rows }) => [brand, vendor ?? priceFiles.unknownBrand, count(rows)])}
          />
        </Section>
      )}
      {refusedTotal > 0 && (
        <Section title={priceFiles.refusedRows}>
          <Button variant="outlined" onClick={() => void saveRefused(file, name, report)}>
            {priceFiles.refusedFile}
          </Button>
          <List dense>
            {firstRefused.map((row) => (
              <ListItem
                key={row.line}
                disableGutters
              >{`${priceFiles.line} ${row.line}: ${formatRemark(row)}`}</ListItem>
            ))}
          </List>
          {refusedTotal > firstRefused.length && priceFiles.more(refusedTotal - firstRefused.length)}
        </Section>
      )}
    </Stack>
  );
}

async function saveRefused(file: Blob | undefined, name = "rows", { refused }: FileReport): Promise<void> {
  const rows = refused.map((row) => ({ line: row.line, reason: formatRemark(row) }));
  const csv = refusedRows((await file?.text()) ?? "", rows);
  download(`refused-${name.replace(/\.[^.]*$/, "")}.csv`, "text/csv", csv);
}
