type Schema = Record<string, unknown>;
type Schemas = Record<string, Schema>;

/** Bounds whose growth or decline narrows what a field can hold. */
const LOWER = ["minimum", "minLength", "minItems"];
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"];

/**
 * Says what readers of the events before can no longer count on: schemas and fields that are gone, fields that may be
 * absent or null or are of another type now, values that no longer come, narrower bounds. New fields, new schemas and
 * wider lists of values break nobody.
 */
export function breaksOf(before: Schemas, after: Schemas): string[] {
  return Object.entries(before).flatMap(([name, schema]) =>
    after[name]
      ? breaksAt(name, { schema, schemas: before }, { schema: after[name], schemas: after })
      : [`${name} is gone`],
  );
}

interface Place {
  schema: Schema;
  schemas: Schemas;
}

function breaksAt(path: string, before: Place, after: Place): string[] {
  const [was, is] = [resolved(before), resolved(after)];
  const known = typesOf(was);
  // An integer is a number.
  const others = typesOf(is).filter(
    (type) => !known.includes(type) && !(type === "integer" && known.includes("number")),
  );
  const breaks = [
    ...others.map((type) => `${path} can be ${type} now`),
    ...gone(was.enum, is.enum).map((value) => `${path} is never ${String(value)} now`),
    ...LOWER.flatMap((bound) => (rises(was[bound], is[bound], 1) ? [`${bound} of ${path} is narrower`] : [])),
    ...UPPER.flatMap((bound) => (rises(was[bound], is[bound], -1) ? [`${bound} of ${path} is narrower`] : [])),
    ...(is.pattern !== undefined && is.pattern !== was.pattern ? [`the pattern of ${path} is another`] : []),
  ];
  const required = (schema: Schema): string[] => (schema.required as string[] | undefined) ?? [];
  const properties = (schema: Schema): Schemas => (schema.properties as Schemas | undefined) ?? {};
  for (const [name, schema] of Object.entries(properties(was))) {
    const now = properties(is)[name];
    if (!now) breaks.push(`${path}.${name} is gone`);
    else breaks.push(...breaksAt(`${path}.${name}`, { ...before, schema }, { ...after, schema: now }));
    if (now && required(was).includes(name) && !required(is).includes(name))
      breaks.push(`${path}.${name} can be absent now`);
  }
  for (const inner of ["items", "additionalProperties"]) {
    const [from, to] = [was[inner], is[inner]];
    if (isSchema(from) && isSchema(to))
      breaks.push(...breaksAt(`${path}[]`, { ...before, schema: from }, { ...after, schema: to }));
  }
  return breaks;
}

/** Follows a reference, and joins `anyOf: [reference, null]` into one schema. */
function resolved({ schema, schemas }: Place): Schema {
  if (typeof schema.$ref === "string") return resolved({ schema: schemas[schema.$ref.split("/").at(-1)!]!, schemas });
  const [first, second] = (schema.anyOf as Schema[] | undefined) ?? [];
  if (!first || second?.type !== "null") return schema;
  const inner = resolved({ schema: first, schemas });
  return { ...inner, type: [...typesOf(inner), "null"] };
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

function gone(before: unknown, after: unknown): unknown[] {
  if (!Array.isArray(after)) return [];
  return Array.isArray(before) ? before.filter((value) => !after.includes(value)) : ["any other value"];
}

/** Whether a bound appears or moves by the sign. */
function rises(before: unknown, after: unknown, sign: 1 | -1): boolean {
  if (typeof after !== "number") return false;
  return typeof before !== "number" || (after - before) * sign > 0;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}
