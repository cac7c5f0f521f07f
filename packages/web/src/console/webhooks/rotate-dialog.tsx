import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { ActionDialog, type Act } from "../shared/action-dialog.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";

interface RotateDialogProps {
  endpointId: string;
  onSecret(secret: string): void;
  onClose(): void;
}

const DEFAULT_HOURS = "24";

export function RotateDialog({ endpointId, onSecret, onClose }: RotateDialogProps): ReactNode {
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const t = texts.webhooks;
  // An emptied field is no zero: that would end the old secret at once.
  const isGiven = hours.trim() !== "";
  const run: Act = async (call) => {
    const { secret } = await partline.webhook.rotateSecret({ endpointId, overlapHours: Number(hours) }, call);
    onSecret(secret);
  };
  return (
    <ActionDialog
      title={t.rotate}
      submit={t.rotate}
      done={t.rotated}
      hint={texts.actions.noNumber}
      onClose={onClose}
      values={hours}
      run={isGiven ? run : undefined}
    >
      <TextField
        type="number"
        label={t.overlap}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
        slotProps={{ htmlInput: { min: 0, max: 168 } }}
      />
    </ActionDialog>
  );
}
