import type { Scope } from "../scope.ts";
import { expand } from "./common-parameters.ts";
import type { FormObject } from "./form.ts";
import type { Field, Parameters, Shape } from "./parameters.ts";
import { object } from "./parameters.ts";

/** The named segments of a path. */
export type PathParams = Record<string, string>;

/** One endpoint. `prepare` checks the form and throws before any work is done; what it returns does the work. */
export type Operation = {
  /** `"METHOD /path/:name"`. */
  route: string;
  prepare(form: FormObject): { expand: string[]; run(scope: Scope, path: PathParams & { id: string }): object };
};

/** An endpoint that takes the parameters of `shape` and `expand`, and answers with what `run` returns. */
export function operation<S extends Shape>(
  route: string,
  shape: S,
  run: (scope: Scope, parameters: Parameters<S>, path: PathParams & { id: string }) => object,
): Operation {
  const read = object({ ...shape, expand }) as Field<Parameters<S> & { expand?: string[] }>;
  return {
    route,
    prepare(form) {
      const parameters = read(form, "");
      return { expand: parameters.expand ?? [], run: (scope, path) => run(scope, parameters, path) };
    },
  };
}
