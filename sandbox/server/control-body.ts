import type { Exchange } from "./http-server.ts";

/** A control request that is refused. Each sandbox answers it in its own form. */
export class ControlRefusal extends Error {
  readonly status: 400 | 403 | 415;

  constructor(status: ControlRefusal["status"], message: string) {
    super(message);
    this.name = "ControlRefusal";
    this.status = status;
  }
}

/** Whether a request comes from this machine. */
export function isLocal({ remoteAddress }: Exchange): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}

/** The JSON object that a control request carries; `{}` without a body. */
export type ControlBody = Readonly<Record<string, unknown>>;

/**
 * Reads it. Throws ControlRefusal: 415 for a body that is not declared as JSON, 400 for one that is not a JSON object.
 */
export async function readControlBody(exchange: Exchange): Promise<ControlBody> {
  const declared = exchange.header("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
  const isOther = exchange.method !== "GET" && exchange.header("content-type") !== undefined && !declared;
  const text = (await exchange.body()).toString("utf8");
  const isEmpty = text.trim() === "";
  if (isOther || !(isEmpty || declared)) throw new ControlRefusal(415, "Send application/json.");
  if (isEmpty) return {};
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad("The body must be a JSON object.");
  return value as ControlBody;
}

export function textOf(body: ControlBody, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") return value;
  throw bad(`${name} must be text.`);
}

export function flag(body: ControlBody, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw bad(`${name} must be true or false.`);
}

export function positiveInteger(body: ControlBody, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)) return value;
  throw bad(`${name} must be an integer that is not negative.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad("The body is not JSON.");
  }
}

function bad(message: string): ControlRefusal {
  return new ControlRefusal(400, message);
}
