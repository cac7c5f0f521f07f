import { UnreadableAnswer } from "./errors.ts";

/** @throws UnreadableAnswer if it is larger than `maxBytes` or no JSON */
export async function readJson({ body, headers }: Response, maxBytes: number): Promise<unknown> {
  const tooLarge = new UnreadableAnswer(`it is larger than ${maxBytes} bytes`);
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    await body?.cancel();
    throw tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new UnreadableAnswer("it is not JSON");
  }
}

/** @throws UnreadableAnswer */
export function asObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UnreadableAnswer(`${what} is not an object`);
  return value as Record<string, unknown>;
}

/** @throws UnreadableAnswer */
export function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableAnswer(`${what} is not a list`);
  return value;
}

/** @throws UnreadableAnswer unless it is a whole number from 0 */
export function readWholeNumber(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new UnreadableAnswer(`${what} is not a whole number from 0`);
  return value as number;
}
