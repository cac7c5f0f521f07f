import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { followSuccessors, findCycles, type Supersession } from "../../services/catalog/supersession.ts";

const parts = (edges: Record<string, string | undefined>) =>
  new Map(
    Object.entries(edges).map(([_id, successorId]) => [
      _id,
      { _id, partNumber: _id.toUpperCase(), ...(successorId === undefined ? {} : { successorId }) },
    ]),
  );
const chain = async (edges: Record<string, string | undefined>, from: string) => {
  const all = parts(edges);
  const { chain: found, cycle, unknown } = await followSuccessors(all.get(from)!, async (id) => all.get(id));
  return { ids: found.map(({ _id }) => _id).join(" "), ...(cycle ? { cycle } : {}), ...(unknown ? { unknown } : {}) };
};

describe("the parts that replace a part", () => {
  it("are followed to the last, to one that is not there, or to where they lead back", async () => {
    expect(await chain({ a: "b", b: "c", c: undefined }, "a")).toEqual({ ids: "b c" });
    expect(await chain({ a: undefined }, "a")).toEqual({ ids: "" });
    expect(await chain({ a: "b", b: "gone" }, "a")).toEqual({ ids: "b", unknown: true });
    expect(await chain({ a: "b", b: "c", c: "b" }, "a")).toEqual({ ids: "b c", cycle: true });
    expect(await chain({ a: "a" }, "a")).toEqual({ ids: "", cycle: true });
  });

  it("are reported as circles, each once", () => {
    expect(findCycles(parts({ x: "a", a: "b", b: "c", c: "a", d: "e", e: "d", f: "gone", g: undefined }))).toEqual([
      ["A", "B", "C"],
      ["D", "E"],
    ]);
    expect(findCycles(parts({ a: "b", b: "c", c: undefined }))).toEqual([]);
  });

  it("lead in a circle exactly where following them does not end", () => {
    const edges = fc.dictionary(fc.constantFrom(..."abcdefgh"), fc.constantFrom(..."abcdefghi"));
    fc.assert(
      fc.property(edges, (drawn) => {
        const all: Map<string, Supersession> = parts(drawn);
        const inCircle = [...all.keys()].filter((start) => {
          let at: string | undefined = all.get(start)!.successorId;
          for (let step = 0; step < 10 && at !== undefined && at !== start; step += 1) at = all.get(at)?.successorId;
          return at === start;
        });
        expect(findCycles(all).flat().sort()).toEqual(inCircle.map((id) => id.toUpperCase()).sort());
      }),
    );
  });
});
