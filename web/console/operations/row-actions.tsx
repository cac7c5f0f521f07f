import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Confirm } from "react-admin";
import { useMay } from "../may.ts";
import { useAction } from "../orders/use-action.ts";
import { Payload } from "./payload.tsx";
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
  const [asks, setAsks] = useState(false);
  const retry = useAction(again.done);
  const dropping = useAction(texts.deadLetters.dropped);
  const mayChange = useMay()("system:write");
  const isBusy = retry.isBusy || dropping.isBusy;
  const refusal = retry.refusal ?? dropping.refusal;
  return (
    <Stack spacing={0.5}>
      <Stack direction="row" spacing={1}>
        {mayChange && (
          <>
            {" "}
            <Button
              size="small"
              variant="outlined"
              disabled={isBusy}
              aria-label={`${again.label}: ${name}`}
              onClick={() => retry.act(() => again.run())}
            >
              {again.label}
            </Button>
            <Button
              size="small"
              color="error"
              disabled={isBusy}
              aria-label={`${texts.deadLetters.drop}: ${name}`}
              onClick={() => setAsks(true)}
            >
              {texts.deadLetters.drop}
            </Button>
          </>
        )}{" "}
        <Payload name={name} of={content} />
      </Stack>
      {refusal && <Alert severity="error">{refusal}</Alert>}
      <Confirm
        isOpen={asks}
        title={texts.deadLetters.drop}
        content={texts.deadLetters.confirm(name)}
        onConfirm={() => {
          setAsks(false);
          dropping.act(() => drop());
        }}
        onClose={() => setAsks(false)}
      />
    </Stack>
  );
}
