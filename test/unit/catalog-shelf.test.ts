import { describeShelves } from "../../mixins/shop/shelves.ts";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { countOnHand, resolveAvailability } from "../../services/catalog/part.ts";
import {
  addPieces,
  countShelf,
  findCountedAt,
  isLow,
  putBackPieces,
  type Shelf,
  sumShelves,
  takePieces,
} from "../../services/catalog/shelf.ts";

const NOW = new Date("2026-11-29T12:00:00Z");
const LEARNT = { learntAt: NOW };

function stockShelves(...counts: number[]): Shelf[] {
  return counts.reduce<Shelf[]>(
    (shelves, onHand, index) => countShelf(shelves, { place: `p${index}`, onHand }, NOW).shelves,
    [],
  );
}

describe("The shop's shelves", () => {
  it("keep every piece under shipments and returns, and never have fewer than none", () => {
    const counts = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 });
    const steps = fc.array(fc.integer({ min: -10, max: 10 }));
    fc.assert(
      fc.property(counts, steps, (initial, pieces) => {
        let shelves = stockShelves(...initial);
        for (const step of pieces) {
          const before = sumShelves(shelves) ?? 0;
          const taken = step >= 0 ? takePieces(shelves, step) : putBackPieces(shelves, 0 - step);
          const moved = taken.moves.reduce((sum, { change }) => sum + change, 0);
          expect(moved).toBe(0 - Math.min(step, before));
          expect(sumShelves(taken.shelves)).toBe(before + moved);
          expect(taken.shelves.every(({ onHand }) => onHand >= 0)).toBe(true);
          for (const { place, onHand } of taken.moves)
            expect(taken.shelves.find((shelf) => shelf.place === place)?.onHand).toBe(onHand);
          shelves = taken.shelves;
        }
      }),
    );
  });

  it("get the pieces of a cancelled shipment back where it took them", () => {
    const counts = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(counts, fc.nat(60), (initial, pieces) => {
        const shelves = stockShelves(...initial);
        const taken = takePieces(shelves, pieces, ({ place }) => place === "p1");
        expect(taken.shelves.find(({ place }) => place === "p1")?.onHand ?? 0).toBe(
          Math.max(0, (initial[1] ?? 0) - pieces),
        );
        const given = new Map(taken.moves.map(({ place, change }) => [place, 0 - change]));
        const { shelves: after } = putBackPieces(taken.shelves, pieces, given);
        expect(after.map(({ onHand }) => onHand)).toEqual(shelves.map(({ onHand }) => onHand));
      }),
    );
  });

  it("that a count leaves nothing stay, with the time of the count, until another place is counted", () => {
    const bare = { onHand: 0, bin: null, reorderPoint: null };
    const later = new Date(NOW.getTime() + 1);
    const emptied = countShelf(stockShelves(3, 2), { place: "p1", ...bare }, later);
    expect([findCountedAt(emptied.shelves), emptied.move]).toEqual([later, { place: "p1", change: -2, onHand: 0 }]);
    const isLeft = (shelves: Shelf[]): boolean => countShelf(shelves, { place: "p0", ...bare }, NOW).shelves.length > 1;
    expect([isLeft(emptied.shelves), isLeft(addPieces(emptied.shelves, 1, "p1").shelves)]).toEqual([false, true]);
  });

  it("keep bin and reorder point until a count says otherwise", () => {
    const first = countShelf([], { place: "main", onHand: 4, bin: "A-3", reorderPoint: 2 }, NOW);
    expect(first.move).toEqual({ place: "main", change: 4, onHand: 4 });
    const [shelf] = countShelf(first.shelves, { place: "main", onHand: 2 }, NOW).shelves;
    expect(shelf).toMatchObject({ onHand: 2, bin: "A-3", reorderPoint: 2, version: 2 });
    expect([first.shelves.some(isLow), shelf && isLow(shelf)]).toEqual([false, true]);
    const [bare] = countShelf(first.shelves, { place: "main", onHand: 0, bin: null, reorderPoint: null }, NOW).shelves;
    expect([bare?.bin, bare?.reorderPoint, bare && isLow(bare)]).toEqual([undefined, undefined, false]);
  });

  it("keep a person's count under pieces that arrive", () => {
    const counted = countShelf([], { place: "main", onHand: 10, bin: "A-3" }, NOW, { isByHand: true }).shelves;
    const received = addPieces(counted, 5);
    expect(received).toEqual({
      shelves: [{ ...counted[0]!, onHand: 15, version: 2 }],
      move: { place: "main", change: 5, onHand: 15 },
    });
    expect(addPieces(counted, 2, "yard").shelves[1]).toEqual({ place: "yard", onHand: 2, isByHand: true, version: 1 });
  });

  it("add to what the dealer sells, and alone decide where it sells nothing", () => {
    const shelves = stockShelves(3);
    expect(countOnHand({})).toBeNull();
    for (const [available, onHand, shown] of [
      [true, null, "in_stock"],
      [false, 0, "out_of_stock"],
    ] as const) {
      expect(countOnHand({ stock: { available, ...LEARNT } })).toBe(onHand);
      expect(resolveAvailability({ stock: { available, ...LEARNT } })).toBe(shown);
    }
    expect(countOnHand({ stock: { quantityOnHand: 7, ...LEARNT }, shelves })).toBe(10);
    expect(countOnHand({ stock: { quantityOnHand: 7, available: false, ...LEARNT }, shelves })).toBe(3);
    expect(resolveAvailability({ stock: { quantityOnHand: 7, available: false, ...LEARNT }, shelves })).toBe(
      "low_stock",
    );
    expect(resolveAvailability({ shelves: stockShelves(0) })).toBe("out_of_stock");
    expect(resolveAvailability({ shelves }, 3)).toBe("out_of_stock");
  });
});

it.each([
  ["A-3", [{ place: "main", bin: "A-3", onHand: 4 }]],
  ["main", [{ place: "main", onHand: 4 }]],
  [
    "A-3 (4), shed 12 (2)",
    [
      { place: "main", bin: "A-3", onHand: 4 },
      { place: "shed", bin: "12", onHand: 2 },
    ],
  ],
  [
    "shed",
    [
      { place: "main", bin: "A-3", onHand: 0 },
      { place: "shed", onHand: 1 },
    ],
  ],
])("a slip and the shipping dialog say %s", (words, shelves) => {
  expect(describeShelves(shelves)).toBe(words);
});
