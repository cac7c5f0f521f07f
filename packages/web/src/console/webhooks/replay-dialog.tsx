import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { ChoiceField } from "../shared/choice-field.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";

type Selection = "failed" | "all";

/** Sends again what failed, or everything of a period. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose(): void }): ReactNode {
  const t = texts.webhooks;
  const [state, setState] = useState<Selection>("failed");
  const [period, setPeriod] = useState({ from: "", to: "" });
  // As the person's own clock says it.
  const bounds = Object.fromEntries(
    Object.entries(period)
      .filter(([, time]) => time !== "")
      .map(([name, time]) => [name, new Date(time).toISOString()]),
  );
  return (
    <ActionDialog
      title={t.replayMany}
      submit={t.replay}
      done={t.replayed}
      onClose={onClose}
      values={[state, period]}
      run={(call) => partline.webhook.replayDeliveries({ endpointId, state, ...bounds }, call)}
    >
      <ChoiceField<Selection>
        label={t.replayWhat}
        value={state}
        values={[
          ["failed", t.replayFailed],
          ["all", t.replayAll],
        ]}
        onChange={setState}
      />
      {(["from", "to"] as const).map((name) => (
        <TextField
          key={name}
          type="datetime-local"
          label={t[name]}
          value={period[name]}
          onChange={({ target }) => setPeriod({ ...period, [name]: target.value })}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      ))}
    </ActionDialog>
  );
}
