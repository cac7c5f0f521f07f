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

export const COMMANDS: readonly Command[] = [
  cluster,
  orders,
  jobs,
  sync,
  searchIndex,
  deadLetters,
  eventstore,
  projections,
];

interface ReplHelpers {
  table(rows: readonly (readonly string[])[]): string;
}

type ReplCommands = NonNullable<NonNullable<BrokerOptions["replOptions"]>["customCommands"]>;

/** The commands as moleculer-repl takes them: what `parse` leaves in `params` is what the action gets. */
export function replCommands(): ReplCommands {
  return COMMANDS.map((command) => ({
    command: `${command.name} [words...]`,
    description: `${command.summary} (${usagesOf(command).join(" | ")})`,
    parse: (parsed: { args: string[]; params?: string[] }) => {
      parsed.params = parsed.args;
    },
    action: async (broker, words, { table }: ReplHelpers) => {
      console.log(printed(await runCommand(command, broker, words), table));
    },
  }));
}

function printed(answer: Answer | string, table: ReplHelpers["table"]): string {
  if (typeof answer === "string") return answer;
  const { columns, rows, note } = answer;
  if (rows.length === 0) return note ?? "Nothing.";
  const body = table([columns, ...rows]).trimEnd();
  return note === undefined ? body : `${body}\n${note}`;
}
