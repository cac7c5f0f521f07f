import { ObjectStoreError } from "../port.ts";

/** The HTTP status of a client's error; undefined if no answer came. */
export function getStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Gives the error's name alone: its message may hold hosts and keys. */
export function createUnavailable(error: unknown): ObjectStoreError {
  return new ObjectStoreError("UNAVAILABLE", `The object store cannot be used (${getName(error)})`, { cause: error });
}

export function getName(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "error";
}
