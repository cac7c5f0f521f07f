import type { BrokerOptions } from "moleculer";
import { cluster } from "./cluster.ts";
import { runCommand, usagesOf, type Answer, type Command } from "./command.ts";
import { deadLetters } from "./dead-letters.ts";
import { eventstore } from "./eventstore.ts";
import { jobs } from "./jobs.ts";
import { orders } from "./orders.ts";
import { projections } from "./projections.ts";
import { searchIndex } from "./search-index.ts";
import { sync } from "./sync.ts";
import { tasks } from "./tasks.ts";
import { paragraph, table } from "./table.ts";

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

/** For moleculer-repl: the action gets what `parse` leaves in `params`. */
export function replCommands(): ReplCommands {
  return COMMANDS.map((command) => ({
    command: `${command.name} [words...]`,
    description: `${command.summary} (${usagesOf(command).join(" | ")})`,
    parse: (parsed: { args: string[]; params?: string[] }) => {
      parsed.params = parsed.args;
    },
    action: async (broker, words) => {
      console.log(printed(await runCommand(command, broker, words)));
    },
  }));
}

function printed(answer: Answer | string): string {
  if (typeof answer === "string") return paragraph(answer);
  const { columns, rows, note } = answer;
  const told = note === undefined ? [] : [paragraph(note)];
  return rows.length === 0 ? (told[0] ?? "Nothing.") : [table(columns, rows), ...told].join("\n");
}
