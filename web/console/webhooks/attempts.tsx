import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";
import { exactMoment } from "../format.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../use-reading.ts";

interface AttemptsProps {
  endpointId: string;
  messageId: string;
  onClose(): void;
}

/** How a delivery was tried, and what was answered. */
export function Attempts({ endpointId, messageId, onClose }: AttemptsProps): ReactNode {
  const id = useId();
  const { data, refusal } = useReading(["attempts", endpointId, messageId], (signal) =>
    partline.webhook.getDelivery({ endpointId, messageId }, { signal }),
  );
  const t = texts.webhooks;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: "anywhere" }}>
        {t.ofDelivery(messageId)}
      </DialogTitle>
      <DialogContent tabIndex={0}>
        <Refusal of={refusal} />
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
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
