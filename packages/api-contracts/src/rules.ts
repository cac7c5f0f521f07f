import { isWholeCents } from "@partline/parts-language";

/**
 * The closed list of fastest-validator rules for contracts, and their TypeScript types. One rule is the run-time check,
 * the type and the JSON Schema of a field.
 */

interface Common {
  /** For OpenAPI. */
  description?: string;
  example?: unknown;
  optional?: true;
  nullable?: true;
  /** An empty text counts as absent, as null does: so clients with typed fields send what they do not set. */
  emptyIsAbsent?: true;
  /** Personal data: erased and exported with its owner, and never in a durable event. */
  personal?: true;
}

interface StringRule extends Common {
  type: "string";
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** The pattern in words, for a refusal after "must be": `an e-mail address`. Without them it shows the example. */
  words?: string;
  /** A field: an object is taken as the text that it has there. */
  within?: string;
  /** A number or a boolean is taken as its text. */
  fromScalar?: true;
  /** JSON Schema annotation (`moment`: `date` or `date-time`); `pattern` or `custom` checks it. */
  format?: "uri" | "uuid" | "moment";
  default?: string;
  /** Message if it is missing, empty or not of the pattern. */
  missing?: string;
  custom?: CustomCheck<string>;
}

export interface NumberRule extends Common {
  type: "number";
  integer?: true;
  min?: number;
  max?: number;
  default?: number;
  /** An amount, in currency units with at most two decimals or in whole cents. */
  money?: keyof typeof MONEY;
  /** Why it may be null where a client took it from, as a sentence behind the refusal. */
  whenNull?: string;
}

export const MONEY = { units: "Currency units, at most two decimals", cents: "Whole cents" } as const;

interface BooleanRule extends Common {
  type: "boolean";
  default?: boolean;
}

/** A Date inside, an ISO 8601 string at the edge. */
interface DateRule extends Common {
  type: "date";
}

interface EnumRule extends Common {
  type: "enum";
  values: readonly (string | number | boolean)[];
  default?: string | number | boolean;
}

interface ArrayRule extends Common {
  type: "array";
  items: Rule;
  min?: number;
  max?: number;
}

export interface ObjectRule extends Common {
  type: "object";
  props: Rules;
  /** Name of the component in OpenAPI. */
  title?: string;
}

/** An entry that is null is left out, unless values are nullable. */
interface RecordRule extends Common {
  type: "record";
  key: StringRule;
  value: Rule;
  max?: number;
}

/** Any JSON value, passed through unread. */
interface AnyRule extends Common {
  type: "any";
  /** Accepts the field, so that a client can send back an answer, and drops it before the action. */
  ignored?: true;
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

/** fastest-validator's custom check: pushes errors and returns the value. */
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

/** The whole union is not followed: it contains itself. */
type Base<R> = Rule extends R
  ? unknown
  : R extends { type: infer T extends keyof ByType<unknown> }
    ? ByType<R>[T]
    : unknown;

export type Infer<R> = R extends { nullable: true } ? Base<R> | null : Base<R>;

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { optional: true } ? K : never }[keyof P];
type IgnoredKeys<P> = { [K in keyof P]: P[K] extends { ignored: true } ? K : never }[keyof P];

export type InferRules<P> = { -readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Infer<P[K]> } & {
  -readonly [K in Exclude<OptionalKeys<P>, IgnoredKeys<P>>]?: Infer<P[K]>;
};

type DefaultedKeys<P> = { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P];

/** Input of a caller: fields with a default are optional. */
export type InferInput<P> = { -readonly [K in Exclude<keyof P, OptionalKeys<P> | DefaultedKeys<P>>]: Infer<P[K]> } & {
  -readonly [K in OptionalKeys<P> | DefaultedKeys<P>]?: Infer<P[K]>;
};

type Options<R extends Rule, Given extends string = never> = Omit<R, "type" | Given>;
/** A rule with the options of its caller; what it stands in says nothing of them. */
type RuleWith<R, O> = R & NoInfer<O>;

function build<const R extends Pick<Rule, "type">, O>(definition: R, options: O | undefined) {
  return { ...definition, ...options } as RuleWith<R, O>;
}

export const string = <const O extends Options<StringRule> = object>(options?: O) => build({ type: "string" }, options);
export const number = <const O extends Options<NumberRule> = object>(options?: O) => build({ type: "number" }, options);
export const integer = <const O extends Options<NumberRule, "integer"> = object>(options?: O) =>
  build({ type: "number", integer: true }, options);
export const boolean = <const O extends Options<BooleanRule> = object>(options?: O) =>
  build({ type: "boolean" }, options);
export const date = <const O extends Options<DateRule> = object>(options?: O) => build({ type: "date" }, options);
export const any = <const O extends Options<AnyRule> = object>(options?: O) => build({ type: "any" }, options);
export const oneOf = <const V extends EnumRule["values"], const O extends Options<EnumRule, "values"> = object>(
  values: V,
  options?: O,
) => build({ type: "enum", values }, options);
export const array = <const I extends Rule, const O extends Options<ArrayRule, "items"> = object>(
  items: I,
  options?: O,
) => build({ type: "array", items }, options);
export const record = <
  const K extends StringRule,
  const V extends Rule,
  const O extends Options<RecordRule, "key" | "value"> = object,
>(
  key: K,
  value: V,
  options?: O,
) => build({ type: "record", key, value }, options);

type ObjectOptions = Options<ObjectRule, "props" | "title">;

/** @param title name of the component in OpenAPI */
export function object<const P extends Rules, const O extends ObjectOptions = object>(
  title: string,
  props: P,
  options?: O,
): RuleWith<{ type: "object"; props: P }, O>;
export function object<const P extends Rules, const O extends ObjectOptions = object>(
  props: P,
  options?: O,
): RuleWith<{ type: "object"; props: P }, O>;
export function object(...args: [string, Rules, ObjectOptions?] | [Rules, ObjectOptions?]): ObjectRule {
  const [title, props, options] = typeof args[0] === "string" ? args : [undefined, ...args];
  return { type: "object", ...(title !== undefined && { title }), props, ...options } as ObjectRule;
}

/** Returns whether a client may leave the field out. */
export function mayBeAbsent(rule: Rule): boolean {
  return rule.optional === true || ("default" in rule && rule.default !== undefined);
}

/** A field that an action takes and drops: see `ignored` of the rule. */
const createIgnoredField = (description: string) => any({ optional: true, nullable: true, ignored: true, description });

export function ignored<const N extends string>(names: readonly N[], description: string) {
  return Object.fromEntries(names.map((name) => [name, createIgnoredField(description)])) as Record<
    N,
    ReturnType<typeof createIgnoredField>
  >;
}

/** Returns the fields of a change with all others of its resource ignored: what was read can be sent back. */
export function sentBack<const R extends Rules, const F extends Rules>(resource: R, fields: F) {
  const readOnly = Object.entries(resource)
    .filter(([name]) => !(name in fields))
    .map(([name, { personal }]) => [name, { ...createIgnoredField("Ignored; answers have it"), personal }]);
  return { ...fields, ...Object.fromEntries(readOnly) } as F & {
    [K in Exclude<keyof R, keyof F>]: ReturnType<typeof createIgnoredField>;
  };
}

/** Keeps the literal types of a shared rule. */
export function rule<const R extends Rule>(definition: R): R {
  return definition;
}

/** Keeps the literal types of shared fields. */
export function rules<const R extends Rules>(definition: R): R {
  return definition;
}

/** Returns the rules of some fields, in the order of the names. */
export function pickRules<const R extends Rules, const N extends keyof R & string>(fields: R, ...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<R, N>;
}

/**
 * Returns fastest-validator's rules, with messages that say in words what a pattern expects and which values are
 * allowed: copies, because the library writes its defaults into what it compiles.
 */
export function toValidatorRules(fields: Rules): Rules {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toValidatorRule(field)]));
}

function toValidatorRule(field: Rule): Rule {
  switch (field.type) {
    case "string": {
      const { missing } = field;
      if (missing !== undefined) {
        const types = ["required", "notNull", "stringEmpty", "stringMin", "stringPattern"];
        return withMessages(field, Object.fromEntries(types.map((type) => [type, escapeForCode(missing)])));
      }
      const expectation = describePattern(field);
      if (expectation === undefined) return { ...field };
      return withMessages(field, { stringPattern: `The '{field}' field must be ${escapeForCode(expectation)}.` });
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
    case "number": {
      const { money, whenNull } = field;
      const checked = (money === "units" ? { ...field, custom: checkTwoDecimals } : { ...field }) as NumberRule;
      if (whenNull === undefined) return checked;
      return withMessages(checked, { notNull: `The '{field}' field must not be null. ${escapeForCode(whenNull)}` });
    }
    case "boolean":
    case "any":
      return { ...field };
  }
}

function describePattern({ pattern, words, example }: StringRule): string | undefined {
  if (!pattern) return undefined;
  return words ?? (typeof example === "string" ? `like ${example}` : undefined);
}

const checkTwoDecimals: CustomCheck<number> = (value, errors, _schema, path) => {
  if (typeof value === "number" && !isWholeCents(value)) {
    errors.push({ type: "decimals", message: `The '${path}' field must have at most two decimals.` });
  }
  return value;
};

function withMessages<R extends Rule>(field: R, messages: Readonly<Record<string, string>>): R {
  return { ...field, messages };
}

/** fastest-validator puts a message between double quotes into generated code. */
function escapeForCode(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
