/** The machine that a shopper buys for: pages mark what fits it. */
export interface ChosenMachine {
  /** Id or name in the address of its page. */
  model: string;
  /** As `equipment` of a search takes it: `GT-2254`. */
  equipment: string;
  /** With its maker. */
  name: string;
}

const LONGEST = 120;

/** Reads what the browser keeps; undefined if it is none of ours. */
export function parseChosenMachine(cookie: string | undefined): ChosenMachine | undefined {
  if (cookie === undefined) return undefined;
  try {
    const { model, equipment, name } = JSON.parse(cookie) as Partial<Record<string, unknown>>;
    return isName(model) && isName(equipment) && isName(name) ? { model, equipment, name } : undefined;
  } catch {
    return undefined;
  }
}

const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= LONGEST;
