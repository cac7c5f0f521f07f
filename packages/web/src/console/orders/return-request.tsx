import type { AdminOrder } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { Confirmed } from "../shared/confirmed.tsx";
import { partline } from "../partline.ts";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const t = texts.order;

/** Approves a return that the buyer requested, or refuses it with a reason that the buyer reads. */
export function Decision({ orderId, returnId }: { orderId: string; returnId: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState("");
  const ids = { orderId, returnId };
  return (
    <>
      <Confirmed
        size="small"
        variant="contained"
        label={t.approveReturn}
        question={t.approveReturnQuestion}
        done={t.returnApproved}
        run={() => partline.order.adminDecideReturn({ ...ids, decision: "approved" })}
      />
      <Button size="small" variant="outlined" className="no-print" onClick={() => setIsOpen(true)}>
        {t.refuseReturn}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t.refuseReturnTitle}
          submit={t.refuseReturn}
          done={t.returnRefused}
          hint={t.refusalMissing}
          onClose={() => setIsOpen(false)}
          values={refusal}
          run={
            refusal.trim() === ""
              ? undefined
              : (call) => partline.order.adminDecideReturn({ ...ids, decision: "refused", refusal }, call)
          }
        >
          <TextInput
            label={t.refusal}
            value={refusal}
            onChange={setRefusal}
            multiline
            minRows={3}
            slotProps={{ htmlInput: { maxLength: 1_000 } }}
          />
        </ActionDialog>
      )}
    </>
  );
}

/** What the buyer wrote and showed, and why the shop refused. */
export function Details({ order, returnId }: { order: AdminOrder; returnId: string }): ReactNode {
  const details = order.returnDetails?.find((candidate) => candidate.returnId === returnId);
  if (!details) return null;
  const { comment, photos = [], refusal } = details;
  const words = [comment && `“${comment}”`, refusal && `${t.returnStates.refused}: ${refusal}`];
  return (
    <>
      {words.filter(Boolean).map((text) => (
        <Typography key={text} variant="body2" sx={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {text}
        </Typography>
      ))}
      <Stack direction="row" spacing={1} className="no-print">
        {photos.map((photo, index) => {
          const address = `/api/admin/orders/${encodeURIComponent(order.orderId)}/photos/${photo}`;
          return (
            <a key={photo} href={address} target="_blank" rel="noreferrer">
              <Box
                component="img"
                src={address}
                alt={t.returnPhoto(index + 1)}
                loading="lazy"
                sx={{ width: 96, height: 96, objectFit: "cover", border: 1, borderColor: "divider" }}
              />
            </a>
          );
        })}
      </Stack>
    </>
  );
}
