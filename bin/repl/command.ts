import type { CallingOptions, ServiceBroker } from "moleculer";
import type { Input, Result } from "@partline/api-contracts";
import { call, type Actions } from "../../services/contracts.ts";

/** A table, and a line below it. */
export interface Answer {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  note?: string;
}

export interface Command {
  name: string;
  summary: string;
  verbs: Readonly<Record<string, Verb>>;
}

interface Verb {
  /** Arguments after the verb: `<orderId>`. Empty for a verb without arguments. */
  takes: string;
  run(broker: Caller, words: readonly string[]): Promise<Answer>;
}

export type Caller = Pick<ServiceBroker, "call">;

/** Is printed with what the verb takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Calls as an admin: anyone with the REPL is one. */
export const AS_ADMIN: CallingOptions = { meta: { caller: { admin: true } } };

export function ask<K extends keyof Actions>(
  broker: Caller,
  action: K,
  params: Input<Actions[K]>,
  options?: CallingOptions,
): Promise<Result<Actions[K]>> {
  return call(broker, action, params, { ...AS_ADMIN, ...options });
}

/** Returns a table with a row for each record; the names of the first one's fields are the columns. */
export function toListing(records: readonly Readonly<Record<string, unknown>>[], note?: string): Answer {
  return {
    columns: Object.keys(records[0] ?? {}),
    rows: records.map((record) => Object.values(record).map(formatCell)),
    note,
  };
}

/** @throws UsageError */
export function assertNoWord([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected "${word}"`);
}

/** The one word that a verb takes as a number from 1 to `most`; `usual` without it. @throws UsageError */
export function readCount(words: readonly string[], { usual, most }: { usual: number; most: number }): number {
  const count = words.length === 0 ? usual : Number(readOnlyWord(words, "How many"));
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new UsageError(`"${words[0]}" is not a number from 1 to ${most}`);
  return count;
}

export function readOnlyWord(words: readonly string[], what: string): string {
  const [word, ...more] = words;
  if (word === undefined) throw new UsageError(`${what} is missing`);
  assertNoWord(more);
  return word;
}

/** A verb of one word. @param what it is, for a missing one */
export function createVerb(takes: string, what: string, run: (broker: Caller, word: string) => Promise<Answer>): Verb {
  return { takes, run: async (broker, words) => run(broker, readOnlyWord(words, what)) };
}

/** `key=value` words. @throws UsageError for what is not one of these keys */
export function readFilter<const K extends string>(
  words: readonly string[],
  keys: readonly K[],
): Partial<Record<K, string>> {
  const filter: Partial<Record<K, string>> = {};
  for (const word of words) {
    const [key, ...rest] = word.split("=");
    const knownKey = keys.find((candidate) => candidate === key);
    if (knownKey === undefined || rest.length === 0)
      throw new UsageError(`"${word}" is not one of ${keys.map((name) => `${name}=…`).join(", ")}`);
    filter[knownKey] = rest.join("=");
  }
  return filter;
}

/** Returns a value as a cell: a moment to the second in UTC, a long text cut. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace("T", " ")}Z`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Runs `words` of a command. Any error is one line. */
export async function runCommand(command: Command, broker: Caller, words: readonly string[]): Promise<Answer | string> {
  const [verb = "", ...rest] = words;
  const knownVerb = Object.hasOwn(command.verbs, verb) ? command.verbs[verb] : undefined;
  if (!knownVerb) return `Usage: ${listUsages(command).join(" | ")}`;
  try {
    if (knownVerb.takes === "") assertNoWord(rest);
    return await knownVerb.run(broker, rest);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message}. Usage: ${formatUsage(command, verb)}`;
    return formatError(error);
  }
}

function formatError(error: unknown): string {
  const { code, type, message, data } = error as Error & { code?: string | number; type?: string; data?: unknown };
  if (type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE") {
    const { action = "" } = data as { action?: string };
    return `No node runs the ${action.slice(0, action.lastIndexOf("."))} service; cluster nodes lists what runs`;
  }
  if (type === "VALIDATION_ERROR" && Array.isArray(data)) {
    return data.map((problem: { message?: unknown }) => String(problem.message)).join("; ");
  }
  return [code, message].filter((part) => part !== undefined).join(": ");
}

export function listUsages(command: Command): string[] {
  return Object.keys(command.verbs).map((verb) => formatUsage(command, verb));
}

function formatUsage({ name, verbs }: Command, verb: string): string {
  return [name, verb, verbs[verb]!.takes].filter((word) => word !== "").join(" ");
}
