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
  onRetry: { label: string; done: string; run(): Promise<unknown> };
  drop(): Promise<unknown>;
}

/** Again, or never: the second asks first. */
export function RowActions({ name, content, onRetry, drop }: RowActionsProps): ReactNode {
  const retry = useAction(onRetry.done);
  const mayChange = useMay()("system:write");
  return (
    <Stack spacing={0.5}>
      <Stack
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ flexWrap: { xs: "wrap", md: "nowrap" }, whiteSpace: "nowrap" }}
      >
        {mayChange && (
          <>
            {" "}
            <Button
              size="small"
              variant="outlined"
              disabled={retry.isBusy}
              aria-label={`${onRetry.label}: ${name}`}
              onClick={() => retry.act(() => onRetry.run())}
            >
              {onRetry.label}
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
        <Payload name={name} value={content} />
      </Stack>
      <Refusal error={retry.refusal} />
    </Stack>
  );
}
