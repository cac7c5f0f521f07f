import { pageSizeNames } from "../../../broker/contract/common.ts";
import { parseMoment } from "../../../broker/contract/period.ts";
import { mayBeAbsent, type NumberRule, type Rule, type Rules } from "@partline/api-contracts";
import { validationFailed } from "../../../mixins/errors.ts";
import { isPercentEncoded, isSafeText } from "@partline/parts-language";
import { createFieldError } from "@partline/http-edge";

/**
 * How a query is read: `lenient` (of reads) ignores names that the contract does not have in the query (the action may
 * have a param of that name), and empty values of params that may be absent; `strict` refuses them.
 */
export type QueryHandling = "lenient" | "strict";

/**
 * Returns the params of a query.
 * @throws VALIDATION_FAILED for a repeated scalar, two page sizes, unsafe text, and what is not percent-encoded UTF-8
 */
export function parseQuery(query: string, rules: Rules, handling: QueryHandling): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  if (query === "") return params;
  if (!isPercentEncoded(query))
    throw validationFailed({ field: "query", message: "The query is not percent-encoded UTF-8." });
  const isLenient = handling === "lenient";
  const isKnown = (name: string): boolean => Object.hasOwn(rules, name);
  const isCounted = ([name, text]: [string, string]): boolean =>
    !isLenient || text !== "" || (isKnown(name) && !mayBeAbsent(rules[name]!));
  const entries = [...new URLSearchParams(query)].filter(isCounted);
  for (const [name, text] of mergePageSize(new URLSearchParams(entries), rules)) {
    if (isLenient && !isKnown(name)) continue;
    if (!isSafeText(name) || !isSafeText(text)) throw createFieldError(name, "must not contain null characters");
    if (!isKnown(name)) throw createFieldError(name, "is not allowed in the query");
    const rule = rules[name]!;
    if (rule.type === "array") {
      const list = (params[name] ??= []) as unknown[];
      list.push(coerceText(text, rule.items));
    } else if (Object.hasOwn(params, name)) {
      throw createFieldError(name, "must be given once");
    } else {
      params[name] = coerceText(text, rule);
    }
  }
  return params;
}

function mergePageSize(queryParams: URLSearchParams, rules: Rules): URLSearchParams {
  const { name, alias } = pageSizeNames(rules) ?? {};
  if (!name || !alias || !queryParams.has(alias)) return queryParams;
  const sizes = new Set([...queryParams.getAll(name), ...queryParams.getAll(alias)]);
  if (sizes.size > 1) throw createFieldError(alias, `is another name of '${name}' and must say the same`);
  const [size] = sizes;
  // The action's check would name a field that the client did not send.
  const { min = 0, max = Infinity } = rules[name] as NumberRule;
  if (!Number.isInteger(Number(size)) || Number(size) < min || Number(size) > max)
    throw createFieldError(alias, `must be a whole number from ${min} to ${max}`);
  queryParams.delete(alias);
  queryParams.set(name, size!);
  return queryParams;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Converts a text by its rule. One that does not fit stays: the action's check refuses it as it refuses a body's. */
export function coerceText(text: string, rule: Rule): unknown {
  if (rule.type === "number") return DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  if (rule.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (rule.type === "date") return parseMoment(text) ?? text;
  if (rule.type === "enum") return rule.values.find((value) => String(value) === text) ?? text;
  return rule.type === "array" ? [coerceText(text, rule.items)] : text;
}
