import type { Rules } from "../../broker/contract/rules.ts";
import { validationFailed } from "../../mixins/errors.ts";
import { isPercentEncoded, isSafeText } from "../../mixins/safe-text.ts";
import { coerceText } from "./coerce.ts";
import { refused } from "./json.ts";

/**
 * The params that a query holds. What the rules do not know is handed on as it is, for the action's strict check to
 * refuse beside everything else that is wrong.
 * @throws VALIDATION_FAILED for a scalar that is given twice, a name that is `taken` by the path, unsafe text, and a query that
 * is not percent-encoded UTF-8
 */
export function parseQuery(query: string, rules: Rules, taken: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  if (query === "") return params;
  if (!isPercentEncoded(query))
    throw validationFailed({ field: "query", message: "The query is not percent-encoded UTF-8." });
  for (const [name, text] of new URLSearchParams(query)) {
    if (name === "__proto__" || taken.includes(name)) throw refused(name, "is not allowed");
    if (!isSafeText(name) || !isSafeText(text)) throw refused(name, "must not contain null characters");
    const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined;
    if (rule?.type === "array") {
      const list = (params[name] ??= []) as unknown[];
      list.push(coerceText(text, rule.items));
    } else if (Object.hasOwn(params, name)) {
      throw refused(name, "must be given once");
    } else {
      params[name] = rule ? coerceText(text, rule) : text;
    }
  }
  return params;
}
