import { UnreadableAnswer } from "./errors.ts";

/** @throws UnreadableAnswer if it is larger than `maxBytes` or no JSON */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer("it is not JSON");
  }
}

async function readText({ body, headers }: Response, maxBytes: number): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    await body?.cancel();
    throw new UnreadableAnswer(`it is larger than ${maxBytes} bytes`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new UnreadableAnswer(`it is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
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
export function wholeNumber(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new UnreadableAnswer(`${what} is not a whole number from 0`);
  return value as number;
}
