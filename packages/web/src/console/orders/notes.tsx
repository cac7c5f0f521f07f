import type { AdminOrder } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { Actor } from "../shared/actor.tsx";
import { moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { Section } from "../shared/section.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { useAction } from "../shared/use-action.ts";

/** Shows the notes that staff write for each other. */
export function Notes({ order }: { order: AdminOrder }): ReactNode {
  const { orderId, notes = [] } = order;
  const [text, setText] = useState("");
  const add = useAction(texts.order.noteAdded, () => setText(""));
  const remove = useAction(texts.order.noteRemoved);
  const mayNote = useMay()("orders:write");
  const refusal = add.refusal ?? remove.refusal;
  return (
    <Box className={notes.length === 0 ? "no-print" : undefined}>
      <Section title={texts.order.notes}>
        <Stack spacing={1}>
          {notes.map(({ noteId, text: noteText, actor, createdAt }) => (
            <Box key={noteId}>
              <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{noteText}</Typography>
              <Stack direction="row" spacing={1} sx={{ alignItems: "center" }}>
                <Typography variant="body2" sx={{ color: "text.secondary" }}>
                  <Actor name={actor} /> · {moment(createdAt)}
                </Typography>
                {mayNote && (
                  <Button
                    size="small"
                    disabled={remove.isBusy}
                    aria-label={`${texts.order.removeNote}: ${noteText.slice(0, 40)}`}
                    onClick={() => remove.act(() => partline.order.adminRemoveNote({ orderId, noteId }))}
                  >
                    {texts.order.removeNote}
                  </Button>
                )}
              </Stack>
            </Box>
          ))}
          {mayNote && (
            <Stack
              component="form"
              className="no-print"
              spacing={1}
              onSubmit={(event: React.SyntheticEvent) => {
                event.preventDefault();
                add.act(() => partline.order.adminNote({ orderId, text: text.trim() }));
              }}
            >
              <TextInput
                multiline

                label={texts.order.note}
                value={text}
                onChange={setText}
              />
              <Button type="submit" variant="outlined" disabled={add.isBusy || text.trim() === ""}>
                {texts.order.addNote}
              </Button>
            </Stack>
          )}
          <Refusal error={refusal} />
        </Stack>
      </Section>
    </Box>
  );
}
