import type { ReactNode } from "react";
import { SuggestField, type Suggestion, type SuggestionSource } from "../suggest-field.tsx";
import { chooseMachine } from "./choose-machine.ts";
import type { ChosenMachine } from "./chosen-machine.ts";

const MOST = 8;

interface MachineSuggestion extends Suggestion {
  machine: ChosenMachine;
}

interface MachineFieldProps {
  label: string;
  placeholder?: string;
  /** A model is chosen; unless given, it becomes the shopper's machine and its page opens. */
  onMachine?: (machine: ChosenMachine) => void;
  /** The form's button. */
  children: ReactNode;
}

/** Renders one field for a machine's make and model, which suggests the models that the shop knows. */
export function MachineField({ label, placeholder, onMachine, children }: MachineFieldProps): ReactNode {
  return (
    <SuggestField
      label={label}
      isLabelShown
      {...(placeholder !== undefined && { placeholder })}
      name="q"
      suggest={suggestModels}
      onTake={(suggestion) => {
        const { machine, address } = suggestion as MachineSuggestion;
        if (onMachine) onMachine(machine);
        else chooseMachine(machine, address);
      }}
    >
      {children}
    </SuggestField>
  );
}

/** Lists the models that a text may mean. */
export async function suggestModels(
  text: string,
  { partline }: SuggestionSource,
  signal: AbortSignal,
): Promise<MachineSuggestion[]> {
  const { models } = await partline.ai.fitmentModels({ q: text.slice(0, 100), pageSize: MOST }, { signal });
  return models.map(({ id, equipment, manufacturer }) => {
    const name = [manufacturer, equipment].filter(Boolean).join(" ");
    return { address: `/machines/${encodeURIComponent(id)}`, content: name, machine: { model: id, equipment, name } };
  });
}
