import { invalidParameter, missingParameter, unknownParameters } from "./errors.ts";
import type { FormObject, FormValue } from "./form.ts";

/** Reads one parameter from the form, or refuses it (ApiError 400 that names `param`). */
export type Field<T> = (value: FormValue, param: string) => T;

export type Shape = Record<string, Field<unknown> | Required<unknown>>;
type Required<T> = { required: Field<T> };
type Read<F> = F extends Required<infer T> ? T : F extends Field<infer T> ? T | undefined : never;

/** What a shape reads: its required parameters always there, the others perhaps `undefined`. */
export type Parameters<S extends Shape> = { [K in keyof S]: Read<S[K]> };

export function required<T>(field: Field<T>): Required<T> {
  return { required: field };
}

/** An object with the parameters of `shape` and no others. At the top level `param` is empty. */
export function object<S extends Shape>(shape: S): Field<Parameters<S>> {
  return (value, param) => {
    if (typeof value === "string" || Array.isArray(value))
      throw invalidParameter("parameter_invalid_object", param, "Invalid object");
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
    if (unknown.length > 0) throw unknownParameters(unknown.map((name) => nested(param, name)));
    const result: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(shape)) {
      result[name] = readField(spec, value, name, nested(param, name));
    }
    return result as Parameters<S>;
  };
}

function readField(spec: Field<unknown> | Required<unknown>, form: FormObject, name: string, param: string): unknown {
  const given = form[name];
  if (typeof spec === "function") return given === undefined ? undefined : spec(given, param);
  if (given === undefined) throw missingParameter(param);
  return spec.required(given, param);
}

export function list<T>(field: Field<T>, bounds: { max?: number } = {}): Field<T[]> {
  return (value, param) => {
    if (!Array.isArray(value)) throw invalidParameter("parameter_invalid_array", param, "Invalid array");
    if (bounds.max !== undefined && value.length > bounds.max) {
      throw invalidParameter(
        "array_too_large",
        param,
        `Array ${param} exceeded maximum ${bounds.max} allowed elements.`,
      );
    }
    return value.map((entry, index) => field(entry, `${param}[${index}]`));
  };
}

/**
 * Text that is not empty; the provider takes the empty string as an attempt to unset and refuses it elsewhere than in
 * `unsettable`.
 */
export function text(bounds: { max?: number } = {}): Field<string> {
  const max = bounds.max ?? 5_000;
  return (value, param) => {
    if (typeof value !== "string")
      throw invalidParameter("parameter_invalid_string", param, `Invalid string: ${param}`);
    if (value === "") throw emptyParameter(param);
    if (value.length > max) {
      const message = `Invalid string: ${value.slice(0, 8)}...; must be at most ${max} characters`;
      throw invalidParameter("parameter_invalid_string", param, message);
    }
    return value;
  };
}

/** A parameter that the empty string unsets, which is how the provider's requests say `null`. */
export function unsettable<T>(field: Field<T>): Field<T | null> {
  return (value, param) => (value === "" ? null : field(value, param));
}

export function integer(bounds: { min?: number; max?: number } = {}): Field<number> {
  return (value, param) => {
    const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
    if (number === undefined) {
      throw invalidParameter(
        "parameter_invalid_integer",
        param,
        `Invalid integer: ${typeof value === "string" ? value.slice(0, 40) : param}`,
      );
    }
    if (bounds.min !== undefined && number < bounds.min) {
      const message = `This value must be greater than or equal to ${bounds.min}.`;
      throw invalidParameter("parameter_invalid_integer", param, message);
    }
    if (bounds.max !== undefined && number > bounds.max) {
      throw invalidParameter(
        "parameter_invalid_integer",
        param,
        `This value must be less than or equal to ${bounds.max}.`,
      );
    }
    return number;
  };
}

export const boolean: Field<boolean> = (value, param) => {
  if (value === "true") return true;
  if (value === "false") return false;
  throw invalidParameter(
    "parameter_invalid_boolean",
    param,
    `Invalid boolean: ${typeof value === "string" ? value.slice(0, 40) : param}`,
  );
};

export function oneOf<const T extends string>(...choices: T[]): Field<T> {
  return (value, param) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const known = choices.length === 1 ? choices[0] : `one of ${choices.slice(0, -1).join(", ")}, or ${choices.at(-1)}`;
    throw invalidParameter("parameter_invalid", param, `Invalid ${param}: must be ${known}`);
  };
}

export function nested(param: string, name: string): string {
  return param === "" ? name : `${param}[${name}]`;
}

function emptyParameter(param: string) {
  const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
  return invalidParameter("parameter_invalid_empty", param, message);
}
