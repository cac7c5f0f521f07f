import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isNoteworthy, selectSurplus } from "../../services/media/variants.ts";
import { MAX_PROVEN, MAX_VARIANTS } from "../../services/media/limits.ts";

const HOUR = 3_600_000;
interface Kept {
  name: string;
  madeAt: Date;
  usedAt?: Date;
}

/** The variants of an image, as they are asked for one after the other. */
class Shelf {
  kept: Kept[] = [];
  rendered = 0;

  ask(name: string, at: number): void {
    const now = new Date(at);
    const known = this.kept.find((variant) => variant.name === name);
    if (known && isNoteworthy(known, now)) known.usedAt = now;
    if (known) return;
    this.rendered += 1;
    this.kept.push({ name, madeAt: now });
    const surplus = selectSurplus(this.kept);
    this.kept = this.kept.filter((variant) => !surplus.includes(variant));
  }
}

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("Of the variants of an image", () => {
  test("those that a shop shows every day stay, however many others are asked for once", () => {
    const shelf = new Shelf();
    const shown = names("shop", MAX_PROVEN);
    for (const at of [0, HOUR]) for (const name of shown) shelf.ask(name, at);
    for (const [index, odd] of names("odd", 500).entries()) shelf.ask(odd, HOUR + index);
    for (const name of shown) shelf.ask(name, 2 * HOUR);
    expect(shelf.rendered).toBe(MAX_PROVEN + 500);
  });

  test("those that were needed once make way for those that are needed now", () => {
    const shelf = new Shelf();
    for (const at of [0, HOUR]) for (const name of names("before", MAX_VARIANTS)) shelf.ask(name, at);
    for (const at of [2 * HOUR, 3 * HOUR, 4 * HOUR]) for (const name of names("now", MAX_PROVEN)) shelf.ask(name, at);
    expect(shelf.rendered).toBe(MAX_VARIANTS + MAX_PROVEN);
    for (const [index, odd] of names("odd", 500).entries()) shelf.ask(odd, 5 * HOUR + index);
    expect(shelf.kept.map(({ name }) => name)).toEqual([
      ...names("now", MAX_PROVEN),
      ...names("odd", 500).slice(-(MAX_VARIANTS - MAX_PROVEN)),
    ]);
  });

  test("no more are kept than may be, the latest always is, and none goes without need", () => {
    const asked = fc.array(fc.record({ name: fc.nat(150), pause: fc.constantFrom(1, 60_000, HOUR) }), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(asked, (asks) => {
        const shelf = new Shelf();
        let at = 0;
        for (const { name, pause } of asks) {
          at += pause;
          const before = shelf.kept.length;
          shelf.ask(String(name), at);
          expect(shelf.kept.some((variant) => variant.name === String(name))).toBe(true);
          expect(shelf.kept.length).toBeGreaterThanOrEqual(before);
          expect(shelf.kept.length).toBeLessThanOrEqual(MAX_VARIANTS);
        }
      }),
      { numRuns: 50 },
    );
  });
});
