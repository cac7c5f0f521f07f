import { usagesOf } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export function helpText(): string {
  const commands = COMMANDS.flatMap((command) => [
    `  ${command.summary}:`,
    ...usagesOf(command).map((usage) => `    ${usage}`),
  ]);
  return [
    "Usage: npm run repl",
    "",
    "The operators' REPL. With NATS_URL set it joins the running system and brings no service of its own; without, it is the whole system, on the same",
    "settings as npm start. Beside Moleculer's own commands (help lists them) it has:",
    "",
    ...commands,
    "",
  ].join("\n");
}
