import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { exactMoment } from "../shared/format.ts";
import { LookDialog } from "../shared/look-dialog.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

interface AttemptsProps {
  endpointId: string;
  messageId: string;
  onClose(): void;
}

/** Lists the attempts of a delivery, and what was answered. */
export function Attempts({ endpointId, messageId, onClose }: AttemptsProps): ReactNode {
  const { data, refusal } = useReading(["attempts", endpointId, messageId], (signal) =>
    partline.webhook.getDelivery({ endpointId, messageId }, { signal }),
  );
  const t = texts.webhooks;
  return (
    <LookDialog title={t.ofDelivery(messageId)} refusal={refusal} onClose={onClose}>
      {data?.log.length === 0 && <p>{t.noAttempt}</p>}
      {data?.log.map(({ attemptedAt, outcome, status, reason, durationMs, answer }) => (
        <Box key={attemptedAt} sx={{ mb: 2 }}>
          <Typography>{t.attempt(exactMoment(attemptedAt), t.states[outcome], durationMs)}</Typography>
          <Typography>{[status, reason].filter(Boolean).join(" · ")}</Typography>
          {answer && (
            <Box component="pre" sx={{ m: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {answer}
            </Box>
          )}
        </Box>
      ))}
    </LookDialog>
  );
}
