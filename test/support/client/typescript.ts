import type { JsonSchema } from "../../../gateway/docs/openapi/schema.ts";

/** Returns the TypeScript type of a schema that the contracts' rules become. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, type, items, additionalProperties, properties } = schema as Schema;
  if ($ref !== undefined) return nameOf($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf?.every(({ format }) => format === "date" || format === "date-time")) return "string | Date";
  if (anyOf) return union(anyOf.map((each) => typeOf({ ...each })));
  if (Array.isArray(type))
    return union(type.map((each) => (each === "null" ? "null" : typeOf({ ...schema, type: each }))));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${typeOf(items!)})[]`.replace(/^\((\w+)\)/, "$1");
    case "object":
      if (properties) return objectOf(schema as Schema);
      return `Record<string, ${additionalProperties ? typeOf(additionalProperties) : "unknown"}>`;
    case undefined:
    default:
      return "unknown";
  }
}

/** Returns the members of an object between braces, each with its description. */
export function objectOf({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = isRequired ? typeOf(schema) : union([typeOf(schema), "undefined"]);
    return `${comment(schema.description)}${key(name)}${isRequired ? "" : "?"}: ${type};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

/** Returns a comment before a declaration; nothing without a text. */
export function comment(...texts: (string | undefined)[]): string {
  const lines = texts.filter((text) => text !== undefined && text !== "");
  if (lines.length === 0) return "";
  return `/** ${lines.join("\n * ").replaceAll("*/", "*\\/")} */\n`;
}

export interface Schema extends JsonSchema {
  $ref?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  type?: string | string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  properties?: Record<string, JsonSchema & { description?: string }>;
  required?: string[];
}

const nameOf = (reference: string): string => reference.split("/").at(-1)!;

export function union(types: readonly string[]): string {
  if (types.includes("unknown")) return "unknown";
  return [...new Set(types)].join(" | ") || "never";
}

export const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
