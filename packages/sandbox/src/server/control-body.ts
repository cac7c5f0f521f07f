import { type Exchange, Refusal } from "./http-server.ts";

export function createRefusal(status: 400 | 403 | 415, error: string): Refusal {
  return new Refusal(status, { error });
}

export function isLocal({ remoteAddress }: Exchange): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}

/** The JSON object that a control request carries; `{}` without a body. */
export type ControlBody = Readonly<Record<string, unknown>>;

/** Reads it. @throws Refusal: 415 for a body that is not declared as JSON, 400 for one that is not a JSON object */
export async function readControlBody({ method, header, mediaType, object }: Exchange): Promise<ControlBody> {
  const isEmpty = mediaType === undefined && !Number(header("content-length")) && !header("transfer-encoding");
  if (method !== "GET" && mediaType !== "application/json" && !isEmpty)
    throw createRefusal(415, "Send application/json.");
  const body = await object();
  if (!body) throw createRefusal(400, "The body must be a JSON object.");
  return body;
}

function createReader<T>(fits: (value: unknown) => value is T, what: string) {
  return (body: ControlBody, name: string): T | undefined => {
    const value = body[name];
    if (value === undefined || fits(value)) return value;
    throw createRefusal(400, `${name} must be ${what}.`);
  };
}

export const readText = createReader((value) => typeof value === "string", "text");
export const flag = createReader((value) => typeof value === "boolean", "true or false");
export const positiveInteger = createReader(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "an integer that is not negative",
);
