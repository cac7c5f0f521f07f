import type { WebhookEndpoint } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { EditButton } from "react-admin";
import { useMay } from "../may.ts";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { SecretDialog } from "../shared/secret-dialog.tsx";
import { texts } from "../texts.ts";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

/** Shows what can be done to an endpoint. */
export function WebhookActions({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { endpointId, disabled } = endpoint;
  const t = texts.webhooks;
  const [open, setOpen] = useState<"rotate" | "replay">();
  const [secret, setSecret] = useState<string>();
  const toggle = useAction(disabled ? t.enabledNow : t.disabledNow);
  const test = useAction(t.testSent);
  const close = (): void => setOpen(undefined);
  if (!useMay()("webhooks:write")) return null;
  return (
    <Stack spacing={1}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
        <EditButton variant="outlined" size="medium" />
        <Button variant="outlined" onClick={() => setOpen("rotate")}>
          {t.rotate}
        </Button>
        {!disabled && (
          <Button
            variant="outlined"
            disabled={test.isBusy}
            onClick={() => test.act(() => partline.webhook.sendTest({ endpointId }))}
          >
            {t.test}
          </Button>
        )}
        <Button variant="outlined" onClick={() => setOpen("replay")}>
          {t.replayMany}
        </Button>
        <Button
          variant="outlined"
          disabled={toggle.isBusy}
          onClick={() => toggle.act(() => partline.webhook.updateEndpoint({ endpointId, disabled: !disabled }))}
        >
          {disabled ? t.enable : t.disable}
        </Button>
      </Stack>
      <Refusal error={toggle.refusal ?? test.refusal} />
      {open === "rotate" && <RotateDialog endpointId={endpointId} onSecret={setSecret} onClose={close} />}
      {open === "replay" && <ReplayDialog endpointId={endpointId} onClose={close} />}
      {secret !== undefined && (
        <SecretDialog title={t.newSecret} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Stack>
  );
}
