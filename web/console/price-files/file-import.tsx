import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { useAction } from "../shared/use-action.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { Report, type FileReport } from "./report.tsx";

const { priceFiles } = texts;

const TYPES: Record<string, "text/csv" | "application/x-ndjson"> = {
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
};

interface Given {
  body: File;
  contentType: "text/csv" | "application/x-ndjson";
}

interface FileImportProps {
  label: string;
  /** Says what the import would do. */
  check?: (given: Given) => Promise<FileReport>;
  run(given: Given): Promise<FileReport>;
}

interface Sent {
  file: File;
  isDryRun: boolean;
  report: FileReport;
}

/** A file of rows: what it would do, then the import itself, with its report. */
export function FileImport({ label, check, run }: FileImportProps): ReactNode {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<Sent>();
  const { act, refusal, isBusy } = useAction(undefined);
  const contentType = file && TYPES[file.name.split(".").at(-1)!.toLowerCase()];
  const send = (how: FileImportProps["run"], isDryRun: boolean): void =>
    act(async () => {
      if (!file || !contentType) return;
      setSent(undefined);
      setSent({ file, isDryRun, report: await how({ body: file, contentType }) });
    });
  return (
    <>
      <TextField
        type="file"
        label={label}
        onChange={({ target }) => {
          setFile((target as HTMLInputElement).files?.[0]);
          setSent(undefined);
        }}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: ".csv,.ndjson,.jsonl" } }}
      />
      {file && !contentType && <Alert severity="error">{priceFiles.kinds}</Alert>}
      <Stack direction="row" spacing={1}>
        {check && (
          <Button variant="outlined" disabled={!contentType || isBusy} onClick={() => send(check, true)}>
            {priceFiles.check}
          </Button>
        )}
        <Button variant="contained" disabled={!contentType || isBusy} onClick={() => send(run, false)}>
          {priceFiles.import}
        </Button>
      </Stack>
      {isBusy && <LinearProgress aria-label={priceFiles.checking} />}
      <Refusal of={refusal} />
      {sent && <Report {...sent} />}
    </>
  );
}
