import { describe, expect, it, test } from "@jest/globals";
import fc from "fast-check";
import { normalizePartNumber } from "@partline/parts-language";
import type { FoundPart, PageFindings } from "@partline/manual-reader";
import { correctFigures, correctRows, createUnreadPage } from "../../services/pipeline/corrections/apply.ts";
import {
  type FigureCorrection,
  getRowId,
  type RowChanges,
  type RowCorrection,
  toRowFields,
} from "../../services/pipeline/corrections/correction.ts";

const SHA = "a".repeat(64);

function row(at: number, fields: Partial<FoundPart> = {}): FoundPart {
  const partNumber = fields.partNumber ?? `${7000 + at}-0${at}1`;
  return {
    ...{ partNumber, pnNorm: normalizePartNumber(partNumber), pattern: "column", confidence: 0.9, page: 3 },
    ...{ box: { x: 72, y: 100 + 20 * at, width: 80, height: 12 }, reference: String(at + 1), quantity: 1 + (at % 3) },
    ...{ description: `PART ${"ABCDEFGHIJKLMNOP"[at]!}`, figure: "4" },
    ...fields,
  };
}

function correctionOf(part: FoundPart, changes: RowChanges | null): RowCorrection {
  return {
    ...{
      _id: `${SHA}-${getRowId(part)}`,
      sha256: SHA,
      page: 3,
      revision: 1,
      actor: "user:u1",
      correctedAt: new Date(0),
    },
    ...{ kind: "row", original: { ...toRowFields(part), box: part.box }, changes },
  };
}

const apply = (parts: FoundPart[], corrections: RowCorrection[]) => correctRows({ parts, applied: [] }, corrections);

const changesOf = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          partNumber: fc.integer({ min: 100_000, max: 999_999 }).map((number) => `X-${number}`),
          description: fc.constantFrom("BELT, DRIVE", "WASHER", null),
          quantity: fc.constantFrom(7, 12, null),
          reference: fc.constantFrom("31", "32A", null),
        },
        { requiredKeys: [] },
      )
      .filter((changes) => Object.keys(changes).length > 0),
  },
);

/** A page of rows, corrections of some of them, and the same rows as a later reader finds them. */
const rereading = fc
  .record({
    rows: fc.integer({ min: 1, max: 12 }),
    changes: fc.dictionary(fc.integer({ min: 0, max: 11 }).map(String), changesOf, { maxKeys: 6 }),
    shift: fc.integer({ min: -60, max: 60 }),
    renamed: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 4 }),
    seed: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ rows, changes, shift, renamed, seed }) => {
    const read = Array.from({ length: rows }, (_, at) => row(at));
    const corrections = Object.entries(changes)
      .filter(([at]) => Number(at) < rows)
      .map(([at, change]) => correctionOf(read[Number(at)]!, change));
    const reread = read
      .map((part, at) => ({
        ...part,
        box: { ...part.box, y: part.box.y + shift },
        ...(renamed.includes(at) &&
        corrections.every(({ original: r, changes: c }) => c !== null || r!.partNumber !== part.partNumber)
          ? { description: `${part.description} (SEE NOTE)` }
          : {}),
      }))
      .sort(
        (a, b) =>
          seed[read.findIndex((r) => r.pnNorm === a.pnNorm)]! - seed[read.findIndex((r) => r.pnNorm === b.pnNorm)]!,
      );
    return { read, corrections, reread };
  });

describe("the correction of a row", () => {
  test("is in the next reading once, also where its row has moved, and no other row changes", () => {
    fc.assert(
      fc.property(rereading, ({ corrections, reread }) => {
        const { parts } = apply(reread, corrections);
        expect(parts).toHaveLength(reread.length - corrections.filter(({ changes }) => changes === null).length);
        for (const part of reread) {
          const correction = corrections.find(({ original }) => original!.partNumber === part.partNumber);
          if (!correction) expect(parts).toContainEqual(part);
          else if (correction.changes) {
            const expected = { ...toRowFields(part), ...correction.changes };
            const found = parts.filter(({ correction: version }) => version?.startsWith(getRowIdOf(correction)));
            expect(found.map(toRowFields)).toEqual([
              Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, value ?? undefined])),
            ]);
          }
        }
      }),
    );
  });

  test("applied twice is applied once", () => {
    fc.assert(
      fc.property(rereading, ({ corrections, reread }) => {
        const once = apply(reread, corrections);
        expect(correctRows(once, corrections)).toEqual({ ...once, unneeded: [] });
      }),
    );
  });

  test("is no longer needed once the reader reads the same", () => {
    fc.assert(
      fc.property(rereading, ({ read, corrections }) => {
        const right = apply(read, corrections).parts.map(({ correction: _, ...part }) => part);
        const again = apply(right, corrections);
        expect(again.unneeded).toHaveLength(corrections.length);
        expect(again.parts.map(toRowFields)).toEqual(right.map(toRowFields));
      }),
    );
  });

  const getRowIdOf = ({ _id }: RowCorrection): string => _id.slice(SHA.length + 1);

  it("finds its row by its place where the number is read otherwise, and adds it where it is lost", () => {
    const misread = row(2, { partNumber: "12A45" });
    const correction = correctionOf(misread, { partNumber: "12A456" });
    const others = [row(0), row(1)];
    const otherwise = apply([...others, row(2, { partNumber: "12A4S6" })], [correction]);
    expect(otherwise.parts.map(({ partNumber }) => partNumber)).toEqual([...others.map((o) => o.partNumber), "12A456"]);
    const lost = apply(others, [correction]);
    expect(lost.parts.at(-1)).toMatchObject({ partNumber: "12A456", reference: "3", figure: "4", page: 3 });
    expect(lost.unneeded).toEqual([]);
    // Another part at that place is not that row.
    expect(apply([row(2, { partNumber: "99-771-B" })], [correction]).parts).toHaveLength(2);
  });
});

describe("the correction of a figure", () => {
  const page = (label: string): PageFindings => ({
    ...createUnreadPage(3),
    figures: [{ label, title: "Carburetor", page: 3, images: [1], callouts: ["1"] }],
    parts: [row(0, { figure: label }), row(1, { figure: "9" })],
  });
  const correction: FigureCorrection = {
    ...{ _id: `${SHA}-f`, sha256: SHA, page: 3, revision: 1, correctedAt: new Date(0) },
    ...{ kind: "figure", original: { label: "8", title: "Carburetor" }, changes: { label: "3" } },
  };

  it("takes its parts with it, however its label is read, and once", () => {
    const corrected = correctFigures(page("8"), [correction]);
    expect(corrected.figures).toMatchObject([{ label: "3", title: "Carburetor", callouts: ["1"] }]);
    expect(corrected.parts.map(({ figure }) => figure)).toEqual(["3", "9"]);
    expect(correctFigures(corrected, [correction])).toEqual(corrected);
    expect(correctFigures(page("B"), [correction]).figures).toEqual(corrected.figures);
    expect(correctFigures(page("3"), [correction]).figures).toEqual(corrected.figures);
  });
});
