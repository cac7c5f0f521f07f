import type { ImportReport } from "@partline/client";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useEffect, useState, type ReactNode } from "react";
import { Title, useAuthProvider } from "react-admin";
import { ChoiceField } from "../orders/choice-field.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Report } from "./report.tsx";

const { priceFiles } = texts;

const TYPES: Record<string, "text/csv" | "application/x-ndjson"> = {
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
};

interface Sent {
  file: File;
  isDryRun: boolean;
  report: ImportReport;
}

/** A vendor's price file: what it would do, then the import itself. */
export function PriceFilePage(): ReactNode {
  const authProvider = useAuthProvider();
  const [vendors, setVendors] = useState<(readonly [string, string])[]>([]);
  const [vendor, setVendor] = useState("");
  const [file, setFile] = useState<File>();
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const [refusal, setRefusal] = useState<string>();

  async function told(work: () => Promise<void>): Promise<void> {
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      await authProvider?.checkError(error);
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  }

  useEffect(() => {
    void told(async () => {
      const known = (await partline.catalog.vendors()).vendors;
      setVendors(known.map(({ code, name }) => [code, `${name} (${code})`] as const));
      setVendor(known[0]?.code ?? "");
    });
  }, []);

  const contentType = file && TYPES[file.name.split(".").at(-1)!.toLowerCase()];
  const send = (isDryRun: boolean) =>
    void told(async () => {
      if (!file || !contentType) return;
      setBusy(true);
      setSent(undefined);
      try {
        const report = await partline.catalog.import({ vendor, dryRun: isDryRun, contentType, body: file });
        setSent({ file, isDryRun, report });
      } finally {
        setBusy(false);
      }
    });

  return (
    <Stack spacing={2} sx={{ mt: 2, maxWidth: "48rem" }}>
      <Title title={priceFiles.title} />
      <Typography component="h1" variant="h5">
        {priceFiles.title}
      </Typography>
      <ChoiceField label={priceFiles.vendor} value={vendor} values={vendors} onChange={setVendor} />
      <TextField
        type="file"
        label={priceFiles.file}
        onChange={({ target }) => {
          setFile((target as HTMLInputElement).files?.[0]);
          setSent(undefined);
        }}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: ".csv,.ndjson,.jsonl" } }}
      />
      {file && !contentType && <Alert severity="error">{priceFiles.kinds}</Alert>}
      <Stack direction="row" spacing={1}>
        <Button variant="outlined" disabled={!contentType || isBusy} onClick={() => send(true)}>
          {priceFiles.check}
        </Button>
        <Button variant="contained" disabled={!contentType || isBusy} onClick={() => send(false)}>
          {priceFiles.import}
        </Button>
      </Stack>
      {isBusy && <LinearProgress aria-label={priceFiles.checking} />}
      {refusal && (
        <Alert severity="error" role="alert">
          {refusal}
        </Alert>
      )}
      {sent && <Report {...sent} />}
    </Stack>
  );
}
