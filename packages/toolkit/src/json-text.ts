declare const contentType: unique symbol;

export type JsonText<T> = string & { readonly [contentType]: T };

export function toJsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>;
}

const texts = new WeakMap<object, string>();

/**
 * Returns an object whose fields' JSON is there already: to be sent, it need not be made. A field that is read is
 * parsed from it, so that the object is like any other.
 */
export function createWrittenObject<T extends object>(fields: { readonly [K in keyof T]: JsonText<T[K]> }): T {
  const object = {};
  let text = "";
  for (const [name, json] of Object.entries<string | undefined>(fields)) {
    if (json === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:${json}`;
    let value: unknown;
    const get = (): unknown => (value ??= JSON.parse(json));
    Object.defineProperty(object, name, { get, enumerable: true });
  }
  texts.set(object, text === "" ? "{}" : `${text}}`);
  return object as T;
}

/** Returns the JSON of a value; null for undefined. */
export function stringifyJson(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  return text ?? JSON.stringify(value ?? null);
}

/** Returns what JSON text holds; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
