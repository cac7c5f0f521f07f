import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { UploadOutcome } from "./outcome.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const { manuals } = texts;

/** A PDF, and what it does not say of itself. */
export function Upload(): ReactNode {
  const [file, setFile] = useState<File>();
  const [equipment, setEquipment] = useState("");
  const [manufacturer, setManufacturer] = useState("");
  const [notTaken, setNotTaken] = useState<readonly string[]>([]);
  const [batchId, setBatchId] = useState<string>();
  const { act, refusal, isBusy } = useAction(manuals.taken);
  const send = (chosenFile: File) => async () => {
    const models = equipment.split(",").map((model) => model.trim());
    const { not_taken = [], batch_id } = await partline.pipeline.upload({
      file: chosenFile,
      equipment: models.filter((model) => model !== ""),
      ...(manufacturer.trim() === "" ? {} : { manufacturer: manufacturer.trim() }),
    });
    setNotTaken(not_taken);
    setBatchId(batch_id);
  };
  return (
    <Section title={manuals.upload}>
      <Stack
        component="form"
        spacing={1}
        sx={{ maxWidth: "40rem" }}
        onChange={() => setNotTaken([])}
        onSubmit={(event: React.SyntheticEvent) => {
          event.preventDefault();
          if (file) act(send(file));
        }}
      >
        <TextField
          type="file"
          label={manuals.file}
          onChange={({ target }) => setFile((target as HTMLInputElement).files?.[0])}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: "application/pdf" } }}
        />
        <TextInput label={manuals.models} value={equipment} onChange={setEquipment} />
        <TextInput label={manuals.manufacturer} value={manufacturer} onChange={setManufacturer} />
        <Button type="submit" variant="contained" disabled={!file || isBusy} sx={{ alignSelf: "start" }}>
          {manuals.send}
        </Button>
        {isBusy && <LinearProgress aria-label={manuals.sending} />}
        {notTaken.length > 0 && <Alert severity="info">{manuals.notTaken(notTaken.join(", "))}</Alert>}
        <Refusal error={refusal} />
        {batchId !== undefined && <UploadOutcome key={batchId} batchId={batchId} />}
      </Stack>
    </Section>
  );
}
