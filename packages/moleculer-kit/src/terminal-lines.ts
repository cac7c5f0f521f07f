import { styleText } from "node:util";
import { asSeen } from "@partline/parts-language";

const COLORS = { info: "green", warn: "yellow", error: "red", fatal: "red" } as const;

type Color = (typeof COLORS)[keyof typeof COLORS] | "gray" | "cyan";

interface LogLine {
  level: string;
  time: string;
  service?: string;
  msg?: string;
  [field: string]: unknown;
}

/** Error as written by the log's serializer. */
interface LoggedError {
  code?: unknown;
  stack: string;
  cause?: string;
}

/**
 * Returns a line of the log as a person reads it: time, level, service, message and fields, then stacks. Node and trace
 * are left out, as tools use them. NO_COLOR is respected.
 */
export function formatForTerminal(json: string): string {
  const line = JSON.parse(json) as LogLine;
  const { level, time, service, msg = "", node: _, trace_id: _trace, span_id: _span, ...rest } = line;
  const fields: string[] = [];
  const stacks: string[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (!isError(value)) {
      fields.push(`${name}=${formatValue(value)}`);
      continue;
    }
    const { code, stack, cause } = value;
    if (code !== undefined) fields.push(`code=${formatValue(code)}`);
    stacks.push(clean(cause === undefined ? stack : `${stack}\ncaused by ${cause}`).replaceAll(/^/gm, "    "));
  }
  const head = [
    color("gray", new Date(time).toTimeString().slice(0, 8)),
    color(COLORS[level as keyof typeof COLORS] ?? "gray", level.toUpperCase().padEnd(5)),
    service && color("cyan", service),
    clean(msg).replaceAll("\n", " "),
    color("gray", clean(fields.join(" "))),
  ];
  return `${[head.filter(Boolean).join(" "), ...stacks.map((stack) => color("gray", stack))].join("\n")}\n`;
}

/** Text of a request cannot steer the terminal. */
const clean = (text: string): string => asSeen(text).replaceAll("\r", "");

const color = (name: Color, text: string): string =>
  text === "" ? "" : styleText(name, text, { stream: process.stdout });

function isError(value: unknown): value is LoggedError {
  return typeof value === "object" && value !== null && "stack" in value && typeof value.stack === "string";
}

function formatValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
