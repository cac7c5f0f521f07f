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
    "The operators' REPL. It joins the running system (over NATS_URL, or without it the one of the same DATA_DIR) and brings no service of its own;",
    "where none runs it is the whole system, on the same settings as npm start. Beside Moleculer's own commands (help lists them) it has:",
    "",
    ...commands,
    "",
  ].join("\n");
}
