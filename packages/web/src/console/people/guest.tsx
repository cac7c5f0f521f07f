import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Confirmed } from "../shared/confirmed.tsx";
import { download } from "../shared/download.ts";
import { useMay } from "../may.ts";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const { audit, people, queues } = texts;

type GuestErasure = Awaited<ReturnType<typeof partline.order.guestErase>>;

/** What an erasure waits for. */
export type Obstacle = NonNullable<GuestErasure["waitsFor"]>[number];

export const nameObstacle = (obstacle: Obstacle): string =>
  obstacle === "unshipped" || obstacle === "undelivered" ? people[obstacle] : queues[obstacle];

/** A guest has no account: number and address of an order together name the person. */
export function Guest(): ReactNode {
  const [orderNumber, setNumber] = useState("");
  const [email, setEmail] = useState("");
  const [erased, setErased] = useState<GuestErasure>();
  const { act, refusal, isBusy } = useAction(undefined);
  const mayErase = useMay()("users:write");
  const guest = { orderNumber: orderNumber.trim(), email: email.trim() };
  const isGiven = guest.orderNumber !== "" && guest.email !== "";
  const saveExport = async (): Promise<void> =>
    download(
      `${guest.orderNumber}.json`,
      "application/json",
      JSON.stringify(await partline.order.guestExport(guest), null, 2),
    );
  return (
    <Section title={people.guest}>
      <p>{people.guestHint}</p>
      <Stack spacing={1} sx={{ maxWidth: "40rem" }} onChange={() => setErased(undefined)}>
        <TextInput label={people.orderNumber} value={orderNumber} onChange={setNumber} />
        <TextInput type="email" label={people.email} value={email} onChange={setEmail} />
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
          <Button variant="outlined" disabled={!isGiven || isBusy} onClick={() => act(saveExport)}>
            {people.export}
          </Button>
          {mayErase && isGiven && (
            <Confirmed
              variant="outlined"
              color="error"
              label={people.erase}
              question={people.eraseQuestion(guest.orderNumber)}
              done={people.erased}
              run={async () => setErased(await partline.order.guestErase(guest))}
            />
          )}
        </Stack>
        {erased && (
          <Alert severity={erased.waitsFor ? "info" : "success"}>
            {erased.waitsFor
              ? people.describeWait(erased.waitsFor.map(nameObstacle).join(", "))
              : people.erasedFields(erased.erased.map((name) => audit.fields[name] ?? name).join(", "))}
          </Alert>
        )}
        <Refusal error={refusal} />
      </Stack>
    </Section>
  );
}
