import type Library from "fastest-validator";
import type { CompilationFunction } from "fastest-validator";

/** What the library's own rules compile their parts with; its declarations leave it out. */
type Compiler = Library.default & {
  compileRule(
    rule: ReturnType<Library.default["getRuleFromSchema"]>,
    context: Parameters<CompilationFunction>[2],
    path: string,
    check: string,
    variable: string,
  ): string;
};

/**
 * fastest-validator's `array` as far as contracts use it. The library's own names the list where an item is missing or fails a
 * custom check; this one names the item: `items[2]`.
 */
export const arrayRule: CompilationFunction = function (this: Compiler, { schema, messages }, path, context) {
  const item = this.getRuleFromSchema(schema.items);
  const check = "list[i] = context.fn[%%INDEX%%](list[i], field, parent, errors, context);";
  return {
    source: `
      if (!Array.isArray(value)) {
        ${this.makeError({ type: "array", actual: "value", messages })}
        return value;
      }
      const list = value;
      const listField = field;
      ${schema.min === undefined ? "" : `if (list.length < ${schema.min}) { ${this.makeError({ type: "arrayMin", expected: schema.min, actual: "list.length", messages })} }`}
      ${schema.max === undefined ? "" : `if (list.length > ${schema.max}) { ${this.makeError({ type: "arrayMax", expected: schema.max, actual: "list.length", messages })} }`}
      for (let i = 0; i < list.length; i++) {
        value = list[i];
        field = (listField || "") + "[" + i + "]";
        ${this.compileRule(item, context, `${path}[]`, check, "list[i]")}
      }
      return list;`,
  };
};
