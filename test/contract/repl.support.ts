import type { ServiceBroker } from "moleculer";
import { type Answer, runCommand } from "../../bin/repl/command.ts";
import { COMMANDS } from "../../bin/repl/commands.ts";

/** Runs what a person types into the REPL. */
export function runLine(broker: ServiceBroker, line: string): Promise<Answer | string> {
  const [name, ...words] = line.split(" ");
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`There is no command ${name}`);
  return runCommand(command, broker, words);
}
