import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Confirmed } from "../shared/confirmed.tsx";
import { useMay } from "../may.ts";
import { useAction } from "../shared/use-action.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Payload } from "../shared/payload.tsx";
import { texts } from "../texts.ts";

interface RowActionsProps {
  /** What it is, for people and screen readers. */
  name: string;
  /** What it holds. */
  content: unknown;
  again: { label: string; done: string; run(): Promise<unknown> };
  drop(): Promise<unknown>;
}

/** Again, or never: the second asks first. */
export function RowActions({ name, content, again, drop }: RowActionsProps): ReactNode {
  const retry = useAction(again.done);
  const mayChange = useMay()("system:write");
  return (
    <Stack spacing={0.5}>
      <Stack direction="row" spacing={1}>
        {mayChange && (
          <>
            {" "}
            <Button
              size="small"
              variant="outlined"
              disabled={retry.isBusy}
              aria-label={`${again.label}: ${name}`}
              onClick={() => retry.act(() => again.run())}
            >
              {again.label}
            </Button>
            <Confirmed
              size="small"
              color="error"
              label={texts.deadLetters.drop}
              name={name}
              question={texts.deadLetters.confirm(name)}
              done={texts.deadLetters.dropped}
              run={drop}
            />
          </>
        )}{" "}
        <Payload name={name} of={content} />
      </Stack>
      <Refusal of={retry.refusal} />
    </Stack>
  );
}
