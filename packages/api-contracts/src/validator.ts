import Library from "fastest-validator";
import type { CompilationFunction, SyncCheckFunction, ValidationRule, ValidationSchema } from "fastest-validator";
import { type InferRules, toValidatorRules, type Rules } from "./rules.ts";

/** Most errors of one validation; its loops end there, so that a body with more errors costs no more. */
export const MOST_ERRORS = 100;

/** Characters of a client's field name in an error. */
const LONGEST_NAME = 200;

type Rule = ReturnType<Library.default["getRuleFromSchema"]>;

/** Keywords of a rule; the library declares each as `any`. */
type Keywords = {
  min?: number;
  max?: number;
  pattern?: RegExp;
  within?: string;
  fromScalar?: true;
  ignored?: true;
  optional?: boolean;
  nullable?: boolean;
  emptyIsAbsent?: true;
  default?: unknown;
} & Record<"items" | "key" | "value", ValidationRule> &
  Partial<Record<"props" | "properties", ValidationSchema>>;

/** Missing in the library's declarations. */
type Compiler = Library.default & {
  compileRule(
    rule: Rule,
    context: Parameters<CompilationFunction>[2],
    path: string | null,
    check: string,
    variable: string,
  ): string;
  wrapRequiredCheckSourceCode(
    rule: Rule,
    check: string,
    context: Parameters<CompilationFunction>[2],
    variable: string,
  ): string;
};

/** Source of a test for what is no object. */
const NO_OBJECT = 'typeof value !== "object" || value === null || Array.isArray(value)';

/** Source of a check against a limit, if there is one. */
function limit(
  compiler: Compiler,
  test: string,
  expected: number | undefined,
  error: { type: string; messages: Rule["messages"] },
  then = "",
): string {
  if (expected === undefined) return "";
  return `if (${test} ${expected}) { ${compiler.makeError({ ...error, expected })} ${then} }`;
}

/**
 * `array` as far as contracts use it. Unlike the library's own it names the item that is missing or fails a custom
 * check (`items[2]`), and looks at no item of a list that is too long.
 */
const compileArray: CompilationFunction = function (this: Compiler, { schema, messages }, path, context) {
  const { items, min, max } = schema as Keywords;
  const item = this.getRuleFromSchema(items);
  const check = "list[i] = context.fn[%%INDEX%%](list[i], field, parent, errors, context);";
  return {
    source: `
      if (!Array.isArray(value)) {
        ${this.makeError({ type: "array", messages })}
        return value;
      }
      const list = value;
      const listField = field;
      ${limit(this, "list.length <", min, { type: "arrayMin", messages })}
      ${limit(this, "list.length >", max, { type: "arrayMax", messages }, "return list;")}
      for (let i = 0; i < list.length && errors.length < ${MOST_ERRORS}; i++) {
        value = list[i];
        field = (listField || "") + "[" + i + "]";
        ${this.compileRule(item, context, `${path}[]`, check, "list[i]")}
      }
      return list;`,
  };
};

/** Source that removes a field: one that is ignored, or null or "" where that only says that there is no value. */
function renderRemoval({ schema }: Rule, target: string): string {
  const { ignored, optional, default: instead, nullable, emptyIsAbsent } = schema as Keywords;
  const remove = `{ delete ${target}; value = undefined; }`;
  if (ignored) return `if (value !== undefined) ${remove}`;
  const isNothing = [
    !nullable && (optional || instead !== undefined) && "value === null",
    emptyIsAbsent && 'value === ""',
  ].filter((test) => test !== false && test !== undefined);
  return isNothing.length > 0 ? `if (${isNothing.join(" || ")}) ${remove}` : "";
}

/**
 * `object` as far as contracts use it. The library's own makes a single error with all names that are not allowed, and
 * leaves null in optional fields.
 */
const compileObject: CompilationFunction = function (this: Compiler, { schema, messages }, path, context) {
  const { props: declared, properties = declared } = schema as Keywords;
  const props = Object.entries<ValidationRule>(properties ?? {});
  const checks = props.map(([name, prop]) => {
    const rule = this.getRuleFromSchema(prop);
    const target = `object[${JSON.stringify(name)}]`;
    const check = `${target} = context.fn[%%INDEX%%](value, field, object, errors, context);`;
    return `
      field = inObject + ${JSON.stringify(name)};
      value = ${target};
      ${renderRemoval(rule, target)}
      ${this.compileRule(rule, context, path ? `${path}.${name}` : name, check, target)}`;
  });
  return {
    source: `
      if (${NO_OBJECT}) {
        ${this.makeError({ type: "object", messages })}
        return value;
      }
      const object = value;
      const inObject = field ? field + "." : "";
      parent = object;
      ${checks.join("\n")}
      const names = ${JSON.stringify(props.map(([name]) => name))};
      for (const name of Object.keys(object)) {
        if (errors.length >= ${MOST_ERRORS}) break;
        if (names.includes(name)) continue;
        field = inObject + name.slice(0, ${LONGEST_NAME});
        ${this.makeError({ type: "objectStrict", messages })}
      }
      return object;`,
  };
};

/** `record` with a `max` of keys. An entry that is null counts as left out. */
const recordRule: CompilationFunction = function (this: Compiler, { schema, messages }, path, context) {
  const { max, ...rules } = schema as Keywords;
  const key = this.getRuleFromSchema(rules.key);
  key.messages = Object.fromEntries(
    Object.entries(key.messages).map(([type, text]) => [type, text.replace(" field ", " key ")]),
  );
  const value = this.getRuleFromSchema(rules.value);
  const check = "value = context.fn[%%INDEX%%](value, field, record, errors, context);";
  return {
    source: `
      if (${NO_OBJECT}) {
        ${this.makeError({ type: "record", messages })}
        return value;
      }
      const record = value;
      const inRecord = field ? field + "." : "";
      const keys = Object.keys(record);
      ${limit(this, "keys.length >", max, { type: "recordMax", messages }, "return record;")}
      for (const key of keys) {
        if (errors.length >= ${MOST_ERRORS}) break;
        ${value.schema.nullable ? "" : "if (record[key] === null) { delete record[key]; continue; }"}
        field = inRecord + key.slice(0, ${LONGEST_NAME});
        value = key;
        ${this.compileRule(key, context, null, check, "value")}
        value = record[key];
        ${this.compileRule(value, context, `${path}[key]`, check, "value")}
        record[key] = value;
      }
      return record;`,
  };
};

/**
 * `string` as far as contracts use it. Its length is in code points, as in JSON Schema; no pattern reads a text that is
 * too long.
 */
const compileString: CompilationFunction = function (this: Compiler, { schema, messages }) {
  const { min, max, pattern, within, fromScalar } = schema as Keywords;
  return {
    source: `
      ${within === undefined ? "" : `if (typeof value === "object" && !Array.isArray(value)) value = value[${JSON.stringify(within)}];`}
      ${fromScalar ? 'if (typeof value === "number" || typeof value === "boolean") value = String(value);' : ""}
      if (typeof value !== "string") {
        ${this.makeError({ type: "string", messages })}
        return value;
      }
      ${min === undefined && max === undefined ? "" : "const length = /[\\ud800-\\udbff]/.test(value) ? Array.from(value).length : value.length;"}
      ${limit(this, "length >", max, { type: "stringMax", messages }, "return value;")}
      ${limit(this, "length <", min, { type: "stringMin", messages })}
      ${pattern === undefined ? "" : `if (!${pattern}.test(value)) { ${this.makeError({ type: "stringPattern", messages })} }`}
      return value;`,
  };
};

/**
 * Unknown fields are refused at every depth. Null is a value in nullable fields alone: it counts as absent in other
 * optional fields and those with a default, and is refused in all others.
 */
export const VALIDATOR_OPTIONS = {
  useNewCustomCheckerFunction: true,
  considerNullAsAValue: true,
  customRules: { array: compileArray, object: compileObject, record: recordRule, string: compileString },
  messages: {
    objectStrict: "The '{field}' field is not allowed.",
    recordMax: "The '{field}' field must have at most {expected} keys.",
    notNull: "The '{field}' field must not be null.",
  },
  plugins: [hideValues, refuseNull],
  defaults: Object.fromEntries(
    ["any", "array", "boolean", "date", "enum", "number", "object", "record", "string"].map((type) => [
      type,
      { nullable: false },
    ]),
  ),
};

/** Compiles rules that are no action's params. */
export function compileRules(rules: Rules, messages: Readonly<Record<string, string>> = {}): SyncCheckFunction {
  // The module is the class itself, unlike in the library's declarations.
  const Validator = Library as unknown as typeof Library.default;
  const options = { ...VALIDATOR_OPTIONS, messages: { ...VALIDATOR_OPTIONS.messages, ...messages } };
  return new Validator(options).compile(toValidatorRules(rules) as ValidationSchema) as SyncCheckFunction;
}

/** Returns a reader of values that are no params: it returns the value, or what is wrong with it. */
export function createReader<R extends Rules>(
  fields: R,
): (value: unknown) => { value: InferRules<R>; problems?: undefined } | { value?: undefined; problems: string[] } {
  const check = compileRules(fields);
  return (value) => {
    const flaws = check(value);
    if (flaws === true) return { value: value as InferRules<R> };
    return { problems: flaws.map(({ message }) => message ?? "") };
  };
}

/** Keeps values out of errors: they may be personal, and long. */
function hideValues(validator: Library.default): void {
  const makeError = validator.makeError.bind(validator);
  validator.makeError = (options) => makeError({ ...options, actual: undefined });
}

/** Refuses null as what it is, in items and required fields: the library would call the field missing. */
function refuseNull(validator: Library.default): void {
  const compiler = validator as Compiler;
  const wrap = compiler.wrapRequiredCheckSourceCode.bind(compiler);
  compiler.wrapRequiredCheckSourceCode = (rule, check, context, variable) => {
    const source = wrap(rule, check, context, variable);
    if (rule.schema.nullable) return source;
    return `if (value === null) { ${compiler.makeError({ type: "notNull", messages: rule.messages })} } else { ${source} }`;
  };
}
