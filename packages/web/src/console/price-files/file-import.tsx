import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { ChoiceField } from "../shared/choice-field.tsx";
import { useAction } from "../shared/use-action.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { ENCODINGS, guessEncoding, toUtf8, type Encoding } from "./encoding.ts";
import { Report, type FileReport } from "./report.tsx";

const { priceFiles } = texts;

const TYPES: Record<string, "text/csv" | "application/x-ndjson"> = {
  csv: "text/csv",
  txt: "text/csv",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
};

interface Given {
  /** In UTF-8. */
  body: Blob;
  contentType: "text/csv" | "application/x-ndjson";
}

interface FileImportProps {
  label: string;
  /** Says what the import would do. */
  check?: (given: Given) => Promise<FileReport>;
  run(given: Given): Promise<FileReport>;
}

interface Sent {
  name: string;
  file: Blob;
  isDryRun: boolean;
  report: FileReport;
}

/** A file of rows: what it would do, then the import itself, with its report. */
export function FileImport({ label, check, run }: FileImportProps): ReactNode {
  const [file, setFile] = useState<File>();
  const [encoding, setEncoding] = useState<Encoding>();
  const [sent, setSent] = useState<Sent>();
  const choose = async (chosen: File | undefined): Promise<void> => {
    setFile(chosen);
    setSent(undefined);
    setEncoding(undefined);
    if (chosen) setEncoding(await guessEncoding(chosen));
  };
  const { act, refusal, isBusy } = useAction(undefined);
  const contentType = file && TYPES[file.name.split(".").at(-1)!.toLowerCase()];
  const send = (how: FileImportProps["run"], isDryRun: boolean): void =>
    act(async () => {
      if (!file || !contentType || !encoding) return;
      setSent(undefined);
      const body = await toUtf8(file, encoding);
      setSent({ name: file.name, file: body, isDryRun, report: await how({ body, contentType }) });
    });
  return (
    <>
      <TextField
        type="file"
        label={label}
        onChange={({ target }) => void choose((target as HTMLInputElement).files?.[0])}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: ".csv,.txt,.ndjson,.jsonl" } }}
      />
      {file && !contentType && <Alert severity="error">{priceFiles.kinds}</Alert>}
      {encoding && contentType && (
        <ChoiceField<Encoding>
          label={priceFiles.encoding}
          value={encoding}
          values={ENCODINGS.map((name) => [name, priceFiles.encodings[name]] as const)}
          onChange={(chosen) => {
            setEncoding(chosen);
            setSent(undefined);
          }}
        />
      )}
      <Stack direction="row" spacing={1}>
        {check && (
          <Button variant="outlined" disabled={!contentType || !encoding || isBusy} onClick={() => send(check, true)}>
            {priceFiles.check}
          </Button>
        )}
        <Button variant="contained" disabled={!contentType || !encoding || isBusy} onClick={() => send(run, false)}>
          {priceFiles.import}
        </Button>
      </Stack>
      {isBusy && <LinearProgress aria-label={priceFiles.checking} />}
      <Refusal of={refusal} />
      {sent && <Report {...sent} />}
    </>
  );
}
