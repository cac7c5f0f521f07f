import type { JsonSchema } from "@partline/api-contracts";

/** Returns the TypeScript type of a schema that the contracts' rules become. */
export function writeType(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, type, items, additionalProperties, properties } = schema as Schema;
  if ($ref !== undefined) return nameComponent($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return writeUnion(values.map((value) => JSON.stringify(value)));
  if (anyOf?.every(({ format }) => format === "date" || format === "date-time")) return "string | Date";
  if (anyOf) return writeUnion(anyOf.map((member) => writeType({ ...member })));
  if (Array.isArray(type))
    return writeUnion(type.map((member) => (member === "null" ? "null" : writeType({ ...schema, type: member }))));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${writeType(items ?? {})})[]`.replace(/^\((\w+)\)/, "$1");
    case "object":
      if (properties) return writeObject(schema as Schema);
      return `Record<string, ${additionalProperties ? writeType(additionalProperties) : "unknown"}>`;
    case undefined:
    default:
      return "unknown";
  }
}

/** Returns the members of an object between braces, each with its description. */
export function writeObject({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = isRequired ? writeType(schema) : writeUnion([writeType(schema), "undefined"]);
    return `${writeComment(schema.description)}${quoteKey(name)}${isRequired ? "" : "?"}: ${type};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

/** Returns a comment before a declaration; nothing without a text. */
export function writeComment(...texts: (string | undefined)[]): string {
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

const nameComponent = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

export function writeUnion(types: readonly string[]): string {
  if (types.includes("unknown")) return "unknown";
  return [...new Set(types)].join(" | ") || "never";
}

export const quoteKey = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Indents what stands between braces. */
export function writeIndented(text: string): string {
  let depth = 0;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("}")) depth -= 1;
    const indented = line && "  ".repeat(depth) + line;
    if (line.endsWith("{")) depth += 1;
    return indented;
  });
  return lines.join("\n");
}
