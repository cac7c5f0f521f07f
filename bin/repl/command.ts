import type { CallingOptions, ServiceBroker } from "moleculer";

/** What a command answers: a table, and a line below it. */
export interface Answer {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  note?: string;
}

/** A family of commands of the operators' REPL: `orders find …`, `orders history …`. */
export interface Command {
  name: string;
  summary: string;
  /** By the word that follows the name. */
  verbs: Readonly<Record<string, Verb>>;
}

export interface Verb {
  /** What stands after the verb: `<orderId>`. */
  takes: string;
  run(broker: Pick<ServiceBroker, "call">, words: readonly string[]): Promise<Answer>;
}

/** Told in one line, with what the verb takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Who has the REPL is an admin. */
export const AS_ADMIN: CallingOptions = { meta: { caller: { admin: true } } };

/** For a verb that takes nothing. @throws UsageError */
export function noWord([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`"${word}" is one word too many`);
}

/**
 * How many of a list are told: the one word that a verb takes, a number from 1 to `most`, or `usual` without it.
 * @throws UsageError
 */
export function howMany(words: readonly string[], { usual, most }: { usual: number; most: number }): number {
  const count = words.length === 0 ? usual : Number(onlyWord(words, "How many"));
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new UsageError(`"${words[0]}" is not a number from 1 to ${most}`);
  return count;
}

/** The one word that a verb takes. @throws UsageError */
export function onlyWord(words: readonly string[], what: string): string {
  const [word, ...more] = words;
  if (word === undefined) throw new UsageError(`${what} is missing`);
  noWord(more);
  return word;
}

/** `key=value` words. @throws UsageError for what is not one of these keys */
export function filterOf<const K extends string>(
  words: readonly string[],
  keys: readonly K[],
): Partial<Record<K, string>> {
  const filter: Partial<Record<K, string>> = {};
  for (const word of words) {
    const [key, ...rest] = word.split("=");
    const known = keys.find((candidate) => candidate === key);
    if (known === undefined || rest.length === 0)
      throw new UsageError(`"${word}" is not one of ${keys.map((name) => `${name}=…`).join(", ")}`);
    filter[known] = rest.join("=");
  }
  return filter;
}

/** A value as a cell, a moment to the second of UTC; a long one is cut. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace("T", " ")}Z`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Runs `words` of a command. Whatever goes wrong is one line. */
export async function runCommand(
  command: Command,
  broker: Pick<ServiceBroker, "call">,
  words: readonly string[],
): Promise<Answer | string> {
  const [verb = "", ...rest] = words;
  const known = Object.hasOwn(command.verbs, verb) ? command.verbs[verb] : undefined;
  if (!known) return `Usage: ${usagesOf(command).join(" | ")}`;
  try {
    return await known.run(broker, rest);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message}. Usage: ${usageOf(command, verb)}`;
    return lineOf(error);
  }
}

function lineOf(error: unknown): string {
  const { code, type, message, data } = error as Error & { code?: string | number; type?: string; data?: unknown };
  if (type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE") {
    const { action = "" } = data as { action?: string };
    return `No node runs the ${action.slice(0, action.lastIndexOf("."))} service: cluster nodes lists what runs`;
  }
  if (type === "VALIDATION_ERROR" && Array.isArray(data)) {
    return data.map((problem: { message?: unknown }) => String(problem.message)).join("; ");
  }
  return [code, message].filter((part) => part !== undefined).join(": ");
}

export function usagesOf(command: Command): string[] {
  return Object.keys(command.verbs).map((verb) => usageOf(command, verb));
}

function usageOf({ name, verbs }: Command, verb: string): string {
  return [name, verb, verbs[verb]!.takes].filter((word) => word !== "").join(" ");
}
