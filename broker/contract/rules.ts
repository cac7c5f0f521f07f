import { isWholeCents } from "../../mixins/money.ts";

/**
 * The closed list of fastest-validator rules that a contract may use, and the TypeScript types they stand for.
 * One rule object gives the run-time check, the compile-time type and the JSON Schema of a field.
 */

interface Common {
  /** Shown in OpenAPI. */
  description?: string;
  example?: unknown;
  optional?: true;
  nullable?: true;
  /** Data of a person: erased and exported with its owner, and never in a durable event. */
  personal?: true;
}

export interface StringRule extends Common {
  type: "string";
  min?: number;
  max?: number;
  pattern?: RegExp;
  /**
   * What the pattern asks for, as a refusal says it after "must be": `an e-mail address`. Without them the refusal
   * shows the example.
   */
  words?: string;
  /** JSON Schema `format` annotation (`moment`: `date` or `date-time`); the check itself is `pattern` or `custom`. */
  format?: "uri" | "uuid" | "moment";
  default?: string;
  /** What is said where it is missing, empty or not of the pattern, in place of the usual words. */
  missing?: string;
  custom?: CustomCheck<string>;
}

export interface NumberRule extends Common {
  type: "number";
  integer?: true;
  min?: number;
  max?: number;
  default?: number;
  /** An amount of money, in currency units with at most two decimals or in whole cents: its description says which. */
  money?: keyof typeof MONEY;
}

/** What OpenAPI says of an amount. */
export const MONEY = { units: "Currency units, at most two decimals", cents: "Whole cents" } as const;

export interface BooleanRule extends Common {
  type: "boolean";
  default?: boolean;
}

/** A moment: a Date inside, an ISO 8601 string at the edge. */
export interface DateRule extends Common {
  type: "date";
}

export interface EnumRule extends Common {
  type: "enum";
  values: readonly (string | number | boolean)[];
  default?: string | number | boolean;
}

export interface ArrayRule extends Common {
  type: "array";
  items: Rule;
  min?: number;
  max?: number;
}

export interface ObjectRule extends Common {
  type: "object";
  props: Rules;
  /** Name of the reusable component in OpenAPI. */
  title?: string;
}

export interface RecordRule extends Common {
  type: "record";
  key: StringRule;
  value: Rule;
  /** Most keys. */
  max?: number;
}

/** Any JSON value, for what is passed through unread. */
export interface AnyRule extends Common {
  type: "any";
}

export type Rule =
  StringRule | NumberRule | BooleanRule | DateRule | EnumRule | ArrayRule | ObjectRule | RecordRule | AnyRule;

export type Rules = { readonly [field: string]: Rule };

export interface CustomError {
  type: string;
  message?: string;
  expected?: unknown;
  actual?: unknown;
}

/** fastest-validator's custom check: pushes what is wrong and returns the value. */
export type CustomCheck<T> = (value: T, errors: CustomError[], schema: unknown, path: string) => T;

interface ByType<R> {
  string: string;
  number: number;
  boolean: boolean;
  date: Date;
  any: unknown;
  enum: R extends { values: readonly (infer V)[] } ? V : never;
  array: R extends { items: infer I } ? Infer<I>[] : never;
  object: R extends { props: infer P } ? InferRules<P> : never;
  record: R extends { value: infer V } ? Record<string, Infer<V>> : never;
}

/** A rule that is not known in detail (the whole union) is not followed: it contains itself. */
type Base<R> = Rule extends R
  ? unknown
  : R extends { type: infer T extends keyof ByType<unknown> }
    ? ByType<R>[T]
    : unknown;

/** The TypeScript type of a rule. */
export type Infer<R> = R extends { nullable: true } ? Base<R> | null : Base<R>;

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { optional: true } ? K : never }[keyof P];

/** The TypeScript type of an object whose fields have these rules. */
export type InferRules<P> = { -readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Infer<P[K]> } & {
  -readonly [K in OptionalKeys<P>]?: Infer<P[K]>;
};

type DefaultedKeys<P> = { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P];

/** What a caller may send: a field with a default may be left out. */
export type InferInput<P> = { -readonly [K in Exclude<keyof P, OptionalKeys<P> | DefaultedKeys<P>>]: Infer<P[K]> } & {
  -readonly [K in OptionalKeys<P> | DefaultedKeys<P>]?: Infer<P[K]>;
};

/** Keeps the literal types of a rule that is shared by several contracts. */
export function rule<const R extends Rule>(definition: R): R {
  return definition;
}

/** Keeps the literal types of a set of fields that is shared by several contracts. */
export function rules<const R extends Rules>(definition: R): R {
  return definition;
}

/**
 * The rules as fastest-validator takes them: whoever misses a pattern is told in words what it asks for, not that there
 * is one, and what may be sent in place of what may not.
 */
export function toValidatorRules(fields: Rules): Rules {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toValidatorRule(field)]));
}

function toValidatorRule(field: Rule): Rule {
  switch (field.type) {
    case "string": {
      const { missing } = field;
      if (missing !== undefined) {
        const text = inCode(missing);
        return withMessages(field, { required: text, stringEmpty: text, stringMin: text, stringPattern: text });
      }
      const asked = wordsOf(field);
      if (asked === undefined) return field;
      return withMessages(field, { stringPattern: `The '{field}' field must be ${inCode(asked)}.` });
    }
    case "array":
      return { ...field, items: toValidatorRule(field.items) };
    case "object":
      return { ...field, props: toValidatorRules(field.props) };
    case "record":
      return { ...field, key: toValidatorRule(field.key) as StringRule, value: toValidatorRule(field.value) };
    case "date":
      return withMessages(field, { date: "The '{field}' field must be a date or a time in ISO 8601." });
    case "enum":
      return withMessages(field, { enumValue: "The '{field}' field must be one of: {expected}." });
    case "number":
      return field.money === "units" ? ({ ...field, custom: atMostTwoDecimals } as NumberRule) : field;
    case "boolean":
    case "any":
      return field;
  }
}

function wordsOf({ pattern, words, example }: StringRule): string | undefined {
  if (!pattern) return undefined;
  return words ?? (typeof example === "string" ? `like ${example}` : undefined);
}

const atMostTwoDecimals: CustomCheck<number> = (value, errors, _schema, path) => {
  if (typeof value === "number" && !isWholeCents(value)) {
    errors.push({ type: "decimals", message: `The '${path}' field must have at most two decimals.` });
  }
  return value;
};

/** fastest-validator's own field, which no contract writes. */
function withMessages<R extends Rule>(field: R, messages: Readonly<Record<string, string>>): R {
  return { ...field, messages };
}

/** fastest-validator puts a message between double quotes into the code that it makes. */
function inCode(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
