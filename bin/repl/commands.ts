import type { BrokerOptions } from "moleculer";
import { cluster } from "./cluster.ts";
import { runCommand, listUsages, type Answer, type Command } from "./command.ts";
import { wrapParagraph, renderTable } from "./table.ts";
import { deadLetters } from "./dead-letters.ts";
import { tasks } from "./tasks.ts";
import { eventstore } from "./eventstore.ts";
import { projections } from "./projections.ts";
import { jobs } from "./jobs.ts";
import { orders } from "./orders.ts";
import { searchIndex } from "./search-index.ts";
import { sync } from "./sync.ts";

export const COMMANDS: readonly Command[] = [
  cluster,
  orders,
  jobs,
  sync,
  searchIndex,
  deadLetters,
  tasks,
  eventstore,
  projections,
];

type ReplCommands = NonNullable<NonNullable<BrokerOptions["replOptions"]>["customCommands"]>;

/** Creates the commands for moleculer-repl; an action gets what `parse` leaves in `params`. */
export function createReplCommands(): ReplCommands {
  return COMMANDS.map((command) => ({
    command: `${command.name} [words...]`,
    description: `${command.summary} (${listUsages(command).join(" | ")})`,
    parse: (parsed: { args: string[]; params?: string[] }) => {
      parsed.params = parsed.args;
    },
    action: async (broker, words) => {
      console.log(formatAnswer(await runCommand(command, broker, words)));
    },
  }));
}

function formatAnswer(answer: Answer | string): string {
  if (typeof answer === "string") return wrapParagraph(answer);
  const { columns, rows, note } = answer;
  const notes = note === undefined ? [] : [wrapParagraph(note)];
  return rows.length === 0 ? (notes[0] ?? "Nothing.") : [renderTable(columns, rows), ...notes].join("\n");
}

export function helpText(): string {
  const commands = COMMANDS.flatMap((command) => [
    `  ${command.summary}:`,
    ...listUsages(command).map((usage) => `    ${usage}`),
  ]);
  return [
    "Usage: npm run repl",
    "",
    "A REPL for operators. It joins the running system: the one at NATS_URL, or else the one with the same DATA_DIR. If none",
    "runs, it starts the whole system with the settings of npm start. Besides Moleculer's own commands (type help), it has:",
    "",
    ...commands,
    "",
  ].join("\n");
}
