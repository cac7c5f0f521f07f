import { mayBeAbsent, MONEY, type ObjectRule, type Rule, type Rules } from "./rules.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };
export type Json = Record<string, unknown>;

/** Direction of a schema: the client's input (fields with a default are optional), or its output. */
export type Direction = "input" | "output";

/** The schema of an object with these properties alone, all required unless given. */
export function createClosedSchema(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** The gateway refuses null characters in any text. */
const NO_NULL_CHARACTER = "^[^\\u0000]*$";

const ANY_TEXT: JsonSchema = { type: "string", pattern: NO_NULL_CHARACTER };

const SENT_MOMENT: JsonSchema = { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] };

/**
 * Turns rules into schemas and collects titled objects as components. If a field has a default or is checked at the
 * edge, the sent form is `${title}Input`.
 */
export class SchemaWriter {
  readonly #components = new Map<string, JsonSchema>();

  listComponents(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => a.localeCompare(b)));
  }

  of(rule: Rule, direction: Direction): JsonSchema {
    const schema =
      rule.type === "object" && rule.title
        ? this.#writeComponent(rule, rule.title, direction)
        : this.#writeInline(rule, direction);
    const described = { ...schema, ...toAnnotations(rule) };
    return rule.nullable ? makeNullable(described) : described;
  }

  writeFields(fields: Rules, direction: Direction): JsonSchema {
    const required = Object.entries(fields)
      .filter(([, rule]) => isRequired(rule, direction))
      .map(([name]) => name);
    return {
      type: "object",
      properties: Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, this.of(rule, direction)])),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    };
  }

  #writeComponent(rule: ObjectRule, title: string, direction: Direction): JsonSchema {
    const name = direction === "input" && isDirectional(rule) ? `${title}Input` : title;
    const schema = this.writeFields(rule.props, direction);
    const existing = this.#components.get(name);
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`Two different objects have the title ${title}`);
    this.#components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** An entry of a record that is sent as null counts as left out. */
  #writeEntry(value: Rule, direction: Direction): JsonSchema {
    const schema = this.of(value, direction);
    return direction === "input" && !value.nullable ? makeNullable(schema) : schema;
  }

  #writeInline(rule: Rule, direction: Direction): JsonSchema {
    switch (rule.type) {
      case "string":
        if (rule.format === "moment") return SENT_MOMENT;
        if (rule.within !== undefined && direction === "input") {
          const { within, ...plain } = rule;
          const text = this.#writeInline(plain, direction);
          const openProperties = { propertyNames: ANY_TEXT, additionalProperties: {} };
          return {
            anyOf: [text, { type: "object", properties: { [within]: text }, required: [within], ...openProperties }],
          };
        }
        return {
          type: rule.fromScalar && direction === "input" ? ["string", "number", "boolean"] : "string",
          minLength: rule.min,
          maxLength: rule.max,
          pattern: toPattern(rule.pattern, direction),
          not:
            direction === "input" && acceptsNullCharacter(rule.pattern)
              ? { type: "string", pattern: "\\u0000" }
              : undefined,
          format: rule.format,
          default: rule.default,
        };
      case "number":
        return {
          type: rule.integer ? "integer" : "number",
          minimum: rule.min,
          maximum: rule.max,
          multipleOf: rule.money === "units" && direction === "input" ? 0.01 : undefined,
          default: rule.default,
        };
      case "boolean":
        return { type: "boolean", default: rule.default };
      case "date":
        return direction === "input" ? SENT_MOMENT : { type: "string", format: "date-time" };
      case "enum":
        return {
          enum: rule.values,
          type: rule.values.every((value) => typeof value === "string") ? "string" : undefined,
          default: rule.default,
        };
      case "array":
        return {
          type: "array",
          items: this.of(rule.items, direction),
          minItems: rule.min,
          maxItems: rule.max,
        };
      case "object":
        return this.writeFields(rule.props, direction);
      case "record":
        return {
          type: "object",
          propertyNames: this.of(rule.key, direction),
          additionalProperties: this.#writeEntry(rule.value, direction),
          maxProperties: rule.max,
        };
      case "any":
        if (rule.ignored) return { readOnly: true };
        // Generators of clients stumble over a schema of all JSON, which holds itself.
        return {};
    }
  }
}

export function isRequired(rule: Rule, direction: Direction): boolean {
  return direction === "output" ? rule.optional !== true : !mayBeAbsent(rule);
}

function isDirectional(rule: Rule): boolean {
  if ("default" in rule && rule.default !== undefined) return true;
  switch (rule.type) {
    case "string":
      return (
        toPattern(rule.pattern, "input") !== toPattern(rule.pattern, "output") || acceptsNullCharacter(rule.pattern)
      );
    case "array":
      return isDirectional(rule.items);
    case "object":
      return Object.values(rule.props).some(isDirectional);
    case "record":
      return isDirectional(rule.key) || isDirectional(rule.value);
    case "number":
      return rule.money === "units";
    case "date":
      return true;
    case "any":
    case "boolean":
    case "enum":
      return false;
  }
}

const CONTROL_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f";

/** Few readers of schemas know Unicode classes: control characters and Default_Ignorable_Code_Point. */
const CLASSES = {
  "\\p{Cc}": CONTROL_CHARACTERS,
  "\\p{DI}":
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f" +
    "\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}",
};

/** The schemas of durable events are recorded with this class as it is. */
const SENT_CLASSES = { ...CLASSES, "\\P{Cc}": `[^${CONTROL_CHARACTERS}]` };

/** A pattern with flags has no JSON Schema and is left out. */
function toPattern(pattern: RegExp | undefined, direction: Direction): string | undefined {
  if (!pattern) return direction === "input" ? NO_NULL_CHARACTER : undefined;
  if (pattern.flags !== "" && pattern.flags !== "u") return undefined;
  return expandClasses(pattern.source, direction === "input" ? SENT_CLASSES : CLASSES);
}

/** Puts the members of classes in place of their names; outside of brackets they get some of their own. */
function expandClasses(source: string, classes: Readonly<Record<string, string>>): string {
  let isInBrackets = false;
  return source.replace(/\\[pP]\{\w+\}|\\.|[[\]]/gu, (token) => {
    if (token === "[" || token === "]") isInBrackets = token === "[";
    const members = classes[token];
    if (members === undefined) return token;
    return isInBrackets || members.startsWith("[") ? members : `[${members}]`;
  });
}

/** Returns whether a pattern only excludes characters. */
function acceptsNullCharacter(pattern: RegExp | undefined): boolean {
  return pattern !== undefined && /\\S|\[\^/.test(pattern.source) && !pattern.source.includes("\\p{Cc}");
}

function toAnnotations(rule: Rule): JsonSchema {
  const { description, example } = rule;
  const unit = rule.type === "number" && rule.money ? MONEY[rule.money] : undefined;
  const fullDescription = unit && description ? `${unit}. ${description}` : (unit ?? description);
  return { description: fullDescription, examples: example === undefined ? undefined : [example] };
}

function makeNullable(schema: JsonSchema): JsonSchema {
  if ("$ref" in schema) {
    const { $ref, ...rest } = schema;
    return { ...rest, anyOf: [{ $ref }, { type: "null" }] };
  }
  return {
    ...schema,
    ...(schema.type ? { type: [schema.type, "null"].flat() } : {}),
    ...(schema.enum ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
}
