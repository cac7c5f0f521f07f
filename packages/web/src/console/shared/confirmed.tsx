import Button, { type ButtonProps } from "@mui/material/Button";
import { useState, type ReactNode } from "react";
import { Confirm } from "react-admin";
import { texts } from "../texts.ts";
import { useAction } from "./use-action.ts";
import { Refusal } from "./refusal.tsx";

interface ConfirmedProps extends Pick<ButtonProps, "variant" | "color" | "size" | "sx"> {
  label: string;
  /** What the button acts on, for screen readers where a page has several. */
  name?: string;
  question: string;
  done: string;
  run(): Promise<unknown>;
  onDone?: () => void;
}

/** A button for what cannot be undone: it asks first. */
export function Confirmed({ label, name, question, done, run, onDone, ...look }: ConfirmedProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const { act, refusal, isBusy } = useAction(done, onDone);
  return (
    <>
      <Button
        {...look}
        disabled={isBusy}
        aria-label={name === undefined ? undefined : `${label}: ${name}`}
        onClick={() => setAsks(true)}
      >
        {label}
      </Button>
      <Refusal error={refusal} />
      <Confirm
        isOpen={asks}
        title={name === undefined ? label : `${label}: ${name}`}
        content={question}
        // Of what is cancelled, "Cancel" would say two things.
        cancel={texts.actions.close}
        onConfirm={() => {
          setAsks(false);
          act(run);
        }}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
