import Alert from "@mui/material/Alert";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { isPartlineError, type PriceFileLayout } from "@partline/client";
import { ChoiceField } from "../shared/choice-field.tsx";
import { useAction } from "../shared/use-action.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { ENCODINGS, toUtf8, type Encoding } from "./encoding.ts";
import { LayoutForm, toQuery, toUnderstanding, type Understanding } from "./layout-form.tsx";
import { Report, type FileReport } from "./report.tsx";

const { priceFiles } = texts;

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const TYPES: Record<string, Given["contentType"]> = {
  csv: "text/csv",
  tsv: "text/csv",
  xlsx: XLSX,
  txt: "text/csv",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
};

interface Given extends ReturnType<typeof toQuery> {
  overwriteCounts?: boolean;
  byBrand?: boolean;
  createVendors?: boolean;
  fileName?: string;
  body: Blob;
  contentType: "text/csv" | "application/x-ndjson" | typeof XLSX;
}

interface FileImportProps {
  label: string;
  /** Says what the import would do. */
  check?: (request: Given) => Promise<FileReport>;
  run(request: Given): Promise<FileReport>;
}

interface Sent {
  name: string;
  file?: Blob;
  isDryRun: boolean;
  report: FileReport;
}

/** A file of rows: what it would do, then the import itself, with its report. */
export function FileImport({ label, check, run }: FileImportProps): ReactNode {
  const [file, setFile] = useState<File>();
  const [encoding, setEncoding] = useState<Encoding | "">("");
  const [layout, setLayout] = useState<PriceFileLayout>();
  const [understanding, setUnderstanding] = useState<Understanding>({ columns: {} });
  const [submission, setSubmission] = useState<Sent>();
  const [overwriteCounts, setOverwriteCounts] = useState(false);
  const [isByBrand, setIsByBrand] = useState(false);
  const [newBrands, setNewBrands] = useState<readonly string[]>([]);
  const [createVendors, setCreateVendors] = useState(false);
  const choose = (chosen: File | undefined): void => {
    setFile(chosen);
    setSubmission(undefined);
    setEncoding("");
    setLayout(undefined);
    setUnderstanding({ columns: {} });
    setOverwriteCounts(false);
    setIsByBrand(false);
    setCreateVendors(false);
    setNewBrands([]);
  };
  const show = (understood: PriceFileLayout | undefined): void => {
    setLayout(understood);
    if (!understood) return;
    const { mapping, isSame, rate } = understanding;
    setUnderstanding({ ...toUnderstanding(understood), mapping, isSame, rate });
  };
  const { act, refusal, isBusy } = useAction(undefined);
  const contentType = file && TYPES[file.name.split(".").at(-1)!.toLowerCase()];
  const send = (how: FileImportProps["run"], isDryRun: boolean): void =>
    act(async () => {
      if (!file || !contentType) return;
      setSubmission(undefined);
      const body = encoding === "" ? file : await toUtf8(file, encoding);
      const query = {
        ...(layout && toQuery(layout, understanding)),
        ...(check && {
          fileName: file.name,
          overwriteCounts,
          byBrand: isByBrand,
          createVendors: isByBrand && createVendors,
        }),
      };
      try {
        const report = await how({ body, contentType, ...query });
        show(report.layout);
        const unknownBrands = (report.brands ?? []).flatMap(({ brand, vendor: code }) =>
          code === null ? [brand] : [],
        );
        if (unknownBrands.length > 0) setNewBrands(unknownBrands);
        setSubmission({ name: file.name, file: contentType === XLSX ? undefined : body, isDryRun, report });
      } catch (error) {
        show(findLayout(error));
        throw error;
      }
    });
  return (
    <>
      <TextField
        type="file"
        label={label}
        onChange={({ target }) => choose((target as HTMLInputElement).files?.[0])}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: ".csv,.tsv,.txt,.xlsx,.ndjson,.jsonl" } }}
      />
      {file && !contentType && <Alert severity="error">{priceFiles.kinds}</Alert>}
      {contentType && contentType !== XLSX && (
        <ChoiceField<Encoding | "">
          label={priceFiles.encoding}
          value={encoding}
          values={[["", priceFiles.detected], ...ENCODINGS.map((name) => [name, priceFiles.encodings[name]] as const)]}
          onChange={(chosen) => {
            setEncoding(chosen);
            setSubmission(undefined);
          }}
        />
      )}
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
      <Refusal error={refusal} />
      {layout && <LayoutForm layout={layout} value={understanding} onChange={setUnderstanding} />}
      {submission && <Report {...submission} />}
      {(isByBrand || submission?.report.brands) && (
        <FormControlLabel
          label={priceFiles.byBrand}
          control={<Checkbox checked={isByBrand} onChange={({ target }) => setIsByBrand(target.checked)} />}
        />
      )}
      {isByBrand && newBrands.length > 0 && (
        <FormControlLabel
          label={priceFiles.createVendors(newBrands.join(", "))}
          control={<Checkbox checked={createVendors} onChange={({ target }) => setCreateVendors(target.checked)} />}
        />
      )}
      {(overwriteCounts || submission?.report.remarks?.some(({ code }) => code === "counts_kept")) && (
        <FormControlLabel
          label={priceFiles.overwriteCounts}
          control={<Checkbox checked={overwriteCounts} onChange={({ target }) => setOverwriteCounts(target.checked)} />}
        />
      )}
    </>
  );
}

interface FileProblem {
  layout?: PriceFileLayout;
  values?: { currency?: string };
}

/** How a file was understood that was refused as a whole. */
function findLayout(error: unknown): PriceFileLayout | undefined {
  const details: unknown = isPartlineError(error) ? error.details : undefined;
  const [problem] = Array.isArray(details) ? (details as FileProblem[]) : [];
  const currency = problem?.values?.currency ?? null;
  return problem?.layout && { ...problem.layout, samples: [], decimalSign: null, currency };
}
