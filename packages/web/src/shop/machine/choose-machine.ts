import { forgetChoice, keepChoice } from "../../shared/cookies.ts";
import type { ChosenMachine } from "./chosen-machine.ts";

/** Keeps the machine in this browser and shows a page for it. @param address the page's own unless given */
export function chooseMachine({ model, equipment, name }: ChosenMachine, address?: string): void {
  keepChoice("machine", encodeURIComponent(JSON.stringify({ model, equipment, name })));
  if (address === undefined) location.reload();
  else location.assign(address);
}

/** Forgets the machine and shows the page without it. */
export function forgetMachine(): void {
  forgetChoice("machine");
  location.reload();
}
