import { computeMean, type Scored } from "./score.ts";

/** Least nDCG of each of the product's engines: over all classes, and for numbers as they are written and otherwise. */
export const AIM = 0.95;
export const AIM_NUMBERS = 1;
/** Largest difference of the two engines over all classes. */
const AIM_APART = 0.02;

/** A sum of logarithms over its like is not 1 to the last bit. */
const ROUNDING = 1e-9;

export interface RelevanceAim {
  what: string;
  /** Of the engine that does worst. */
  figure: number;
  isMet: boolean;
}

/** Lists the aims, and whether the engines reach them. */
export function relevanceAims(engines: readonly (readonly Scored[])[]): RelevanceAim[] {
  const means = (...classes: string[]): number[] =>
    engines.map((scored) =>
      computeMean(
        scored.filter(({ query }) => classes.length === 0 || classes.includes(query.class)),
        ({ ndcg }) => ndcg,
      ),
    );
  const meanList = means();
  const worst = Math.min(...meanList);
  const numbers = Math.min(...means("exact number", "number spelt otherwise"));
  const apart = Math.max(...meanList) - worst;
  return [
    { what: `At least ${AIM} over all classes`, figure: worst, isMet: worst >= AIM },
    {
      what: `${AIM_NUMBERS} for exact numbers and their spellings`,
      figure: numbers,
      isMet: numbers >= AIM_NUMBERS - ROUNDING,
    },
    ...(engines.length > 1
      ? [{ what: `The engines within ${AIM_APART} of each other`, figure: apart, isMet: apart <= AIM_APART }]
      : []),
  ];
}
