import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Chip } from "../kit/chip.tsx";
import { forgetMachine } from "./choose-machine.ts";

/** Renders the machine that the shopper buys for; nothing if they chose none. */
export function MachineChip(): ReactNode {
  const { texts, machine } = useShop();
  if (!machine) return null;
  return (
    <Chip isOn onRemove={forgetMachine} removeLabel={fill(texts.machineForget, { name: machine.name })}>
      <a href={`/machines/${encodeURIComponent(machine.model)}`}>{machine.equipment}</a>
    </Chip>
  );
}
