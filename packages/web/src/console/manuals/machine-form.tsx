import type { ManualOverview } from "@partline/client";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const { manuals } = texts;

type Suggestions = NonNullable<ManualOverview["unsure"]>["equipment"];

/**
 * Which machine a manual is for and who made it: asked where the manual is not clear, and corrected here at any time.
 */
export function MachineForm({ of: manual }: { of: ManualOverview }): ReactNode {
  const { sha256, unsure, correction } = manual;
  const [equipment, setEquipment] = useState(manual.equipment.join(", "));
  const [manufacturer, setManufacturer] = useState(manual.manufacturer ?? "");
  const { act, refusal, isBusy } = useAction(manuals.corrected);
  const models = splitModels(equipment);
  const save = () =>
    partline.pipeline.correct({
      sha256,
      equipment: models.length > 0 ? models : null,
      manufacturer: manufacturer.trim() || null,
    });
  return (
    <Section title={manuals.machine}>
      <Stack
        component="form"
        spacing={1}
        sx={{ maxWidth: "40rem" }}
        onSubmit={(event: React.SyntheticEvent) => {
          event.preventDefault();
          act(save);
        }}
      >
        {unsure && <Alert severity="warning">{manuals.unsure}</Alert>}
        {correction === "failed" && <Alert severity="error">{manuals.correctionFailed}</Alert>}
        <TextInput label={manuals.models} value={equipment} onChange={setEquipment} />
        <SuggestionChips
          of={unsure?.equipment}
          onChoose={(name) => setEquipment([...new Set([...models, name])].join(", "))}
        />
        <TextInput label={manuals.manufacturer} value={manufacturer} onChange={setManufacturer} />
        <SuggestionChips of={unsure?.manufacturer} onChoose={setManufacturer} />
        <Button
          type="submit"
          variant={unsure ? "contained" : "outlined"}
          disabled={isBusy || correction === "under_way"}
          sx={{ alignSelf: "start" }}
        >
          {manuals.save}
        </Button>
        <Refusal error={refusal} />
      </Stack>
    </Section>
  );
}

interface SuggestionChipsProps {
  of: Suggestions;
  onChoose(name: string): void;
}

/** What it may be, the likeliest first; a click takes it over. */
function SuggestionChips({ of: suggestions = [], onChoose }: SuggestionChipsProps): ReactNode {
  return (
    suggestions.length > 0 && (
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
        {suggestions.map(({ name, confidence }) => (
          <Chip
            key={name}
            size="small"
            label={`${name} (${Math.round(100 * confidence)} %)`}
            onClick={() => onChoose(name)}
          />
        ))}
      </Stack>
    )
  );
}

function splitModels(text: string): string[] {
  return text
    .split(",")
    .map((model) => model.trim())
    .filter((model) => model !== "");
}
