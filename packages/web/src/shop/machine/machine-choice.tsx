import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Fact } from "../kit/fact.tsx";
import { ScriptedForm } from "../scripted-form.tsx";
import { chooseMachine } from "./choose-machine.ts";
import type { ChosenMachine } from "./chosen-machine.ts";

/** Renders the button on a machine's page that marks what fits it everywhere; afterwards, that it does. */
export function MachineChoice({ machine }: { machine: ChosenMachine }): ReactNode {
  const { texts, machine: chosen } = useShop();
  if (chosen?.model === machine.model) return <Fact kind="good">{texts.machineChosen}</Fact>;
  return (
    <ScriptedForm
      onSubmit={(event) => {
        event.preventDefault();
        chooseMachine(machine);
      }}
    >
      <Button>{texts.machineChoose}</Button>
    </ScriptedForm>
  );
}
