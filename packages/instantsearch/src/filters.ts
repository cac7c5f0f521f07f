import { getAt } from "@partline/toolkit";
import { createFieldError } from "./refusal.ts";
import { AVAILABILITIES, type Cents, HIGHEST_PRICE, PART_STATUSES } from "@partline/parts-language";
import { ATTRIBUTES } from "@partline/parts-search";

export type Term = { attribute: Valued; value: string } | { attribute: "price"; min: Cents; max: Cents };

const VALUED = ["manufacturer", "category", "availability", "status", ...ATTRIBUTES] as const;
export type Valued = (typeof VALUED)[number];
const ONE_STATUS = "must filter status by active or by discontinued";
const MAX_TERMS = 100;

/**
 * Parses Algolia's `facetFilters`: all members must be met; any member of an inner list. A member is `attribute:value`;
 * a backslash escapes a leading `-`, which would mean "not". @throws VALIDATION_FAILED naming the field, like the other
 * two
 */
export function parseFacetFilters(value: unknown, field: string): Term[][] {
  return readGroups(value, field, (text) => {
    const colon = text.indexOf(":");
    if (colon < 1) throw createFieldError(field, "must have filters like category:Belts");
    const raw = text.slice(colon + 1);
    if (raw.startsWith("-") || text.startsWith("-"))
      throw createFieldError(field, "must not have a negation, which is not supported");
    return toValueTerm(text.slice(0, colon), raw.replace(/^\\-/, "-"), field);
  });
}

/** Parses Algolia's `numericFilters` on price: `price>=10`, `price:10 TO 20`, in currency units. */
export function parseNumericFilters(value: unknown, field: string): Term[][] {
  const members = typeof value === "string" ? value.split(",") : value;
  return readGroups(members, field, (text) => {
    const [range, attribute = "", min = "", max = ""] = /^\s*(\w+)\s*:\s*(\S+)\s+TO\s+(\S+)\s*$/.exec(text) ?? [];
    if (range !== undefined) return toRangeTerm(attribute, min, max, field);
    const comparison = /^\s*(\w+)\s*(<=|>=|!=|<|>|=)\s*(\S+)\s*$/.exec(text);
    if (!comparison) throw createFieldError(field, "must have filters like price>=10");
    const [, name = "", operator = "", operand = ""] = comparison;
    return toPriceTerm(name, [[operator, operand]], field);
  });
}

const TOKEN = /\s*(?:([()])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(<=|>=|!=|[:<>=])|([^\s()"':<>=!]+))/y;

interface Token {
  text: string;
  /** Quoted text is never a keyword. */
  quoted: boolean;
}

/**
 * A part of Algolia's `filters`: terms and alternatives joined by AND; alternatives are terms of one attribute joined
 * by OR, with or without parentheses. `category:"Fuel Pumps" AND (manufacturer:BNS OR manufacturer:HON) AND
 * price>=10`.
 */
export function parseFilters(value: unknown, field: string): Term[][] {
  if (typeof value !== "string") throw createFieldError(field, "must be a string");
  const tokens = tokenize(value, field);
  const groups: Term[][] = [];
  let position = 0;
  const is = (word: string): boolean => tokens[position]?.quoted === false && getAt(tokens, position).text === word;
  const next = (): string => {
    const token = tokens[position];
    if (!token) throw createFieldError(field, "ends in the middle of a filter");
    position += 1;
    return token.text;
  };
  const readTerm = (): Term => {
    if (is("NOT")) throw createFieldError(field, "must not have NOT, which is not supported");
    if (is("(")) throw createFieldError(field, "must not have parentheses within parentheses");
    const attribute = next();
    const operator = next();
    const operand = next();
    if (operator !== ":") return toPriceTerm(attribute, [[operator, operand]], field);
    if (!is("TO")) return toValueTerm(attribute, operand, field);
    next();
    return toRangeTerm(attribute, operand, next(), field);
  };
  while (position < tokens.length) {
    if (groups.length > 0 && next() !== "AND") throw createFieldError(field, "must join its filters by AND");
    const opened = is("(");
    if (opened) next();
    const group = [readTerm()];
    while (is("OR")) {
      next();
      group.push(readTerm());
    }
    if (opened && next() !== ")") throw createFieldError(field, "must join the filters in parentheses by OR");
    groups.push(group);
  }
  return assertConsistent(groups, field);
}

function tokenize(text: string, field: string): Token[] {
  const tokens: Token[] = [];
  const source = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const match = TOKEN.exec(source);
    if (!match) throw createFieldError(field, "cannot be read: are the quotes closed?");
    const [, parenthesis, double, single, operator, word] = match;
    const quoted = double ?? single;
    tokens.push(
      quoted === undefined
        ? { text: parenthesis ?? operator ?? word ?? "", quoted: false }
        : { text: quoted.replace(/\\(.)/g, "$1"), quoted: true },
    );
    if (tokens.length > MAX_TERMS * 4) throw createFieldError(field, `must have at most ${MAX_TERMS} filters`);
  }
  return tokens;
}

function readGroups(value: unknown, field: string, parse: (text: string) => Term): Term[][] {
  const members: unknown[] = Array.isArray(value) ? value : value === "" ? [] : [value];
  const readTerm = (member: unknown): Term => {
    if (typeof member !== "string") throw createFieldError(field, "must be a list of texts, or of lists of them");
    return parse(member);
  };
  return assertConsistent(
    members
      .map((member) => (Array.isArray(member) ? member.map(readTerm) : [readTerm(member)]))
      .filter((group) => group.length > 0),
    field,
  );
}

function assertConsistent(groups: Term[][], field: string): Term[][] {
  if (groups.reduce((count, group) => count + group.length, 0) > MAX_TERMS)
    throw createFieldError(field, `must have at most ${MAX_TERMS} filters`);
  for (const group of groups) {
    if (group.some(({ attribute }) => attribute !== getAt(group, 0).attribute))
      throw createFieldError(field, "must not join filters of different attributes by OR");
    if (new Set(group.map((term) => term.attribute === "status" && term.value)).size > 1)
      throw createFieldError(field, ONE_STATUS);
    if (group.length > 1 && getAt(group, 0).attribute === "price")
      throw createFieldError(field, "must not join filters of price by OR");
  }
  return groups;
}

function toValueTerm(attribute: string, value: string, field: string): Term {
  const knownAttribute = VALUED.find((name) => name === attribute);
  if (!knownAttribute)
    throw createFieldError(field, `must be of ${VALUED.join(", ")}; ${attribute.slice(0, 100)} cannot be filtered by`);
  if (value.trim() === "" || value.length > 200)
    throw createFieldError(field, "must have values of 1 to 200 characters");
  if (knownAttribute !== "status" && knownAttribute !== "availability") return { attribute: knownAttribute, value };
  const values: readonly string[] = knownAttribute === "status" ? PART_STATUSES : AVAILABILITIES;
  const knownValue = values.find((candidate) => candidate === value.toLowerCase());
  if (knownValue === undefined)
    throw createFieldError(
      field,
      knownAttribute === "status" ? ONE_STATUS : `must filter availability by ${AVAILABILITIES.join(", ")}`,
    );
  return { attribute: knownAttribute, value: knownValue };
}

function toRangeTerm(attribute: string, min: string, max: string, field: string): Term {
  const comparisons = [
    [">=", min],
    ["<=", max],
  ] as const;
  return toPriceTerm(attribute, comparisons, field);
}

function toPriceTerm(
  attribute: string,
  comparisons: readonly (readonly [operator: string, text: string])[],
  field: string,
): Term {
  if (attribute !== "price")
    throw createFieldError(field, `must compare price; ${attribute.slice(0, 100)} cannot be compared`);
  let min: Cents = 0;
  let max: Cents = HIGHEST_PRICE;
  for (const [operator, text] of comparisons) {
    const value = Number(text);
    if (!Number.isFinite(value)) throw createFieldError(field, "must compare with numbers");
    // Whole cents are exact; fractions are rounded into the range.
    const cents = Math.round(value * 1e6) / 1e4;
    if (operator === ">=" || operator === "=") min = Math.ceil(cents);
    if (operator === "<=" || operator === "=") max = Math.floor(cents);
    if (operator === ">") min = Math.floor(cents) + 1;
    if (operator === "<") max = Math.ceil(cents) - 1;
    if (operator === "!=") throw createFieldError(field, "must not have !=, which is not supported");
  }
  return { attribute: "price", min: Math.max(0, min), max: Math.min(HIGHEST_PRICE, max) };
}
