import { describe, expect, it } from "@jest/globals";
import { readTireFacts, type TireFacts } from "../src/tire-facts.ts";

describe("what the title of a tire says", () => {
  it.each<[title: string, brand: string, facts: Partial<TireFacts>]>([
    ["Turf Tire 20x10.00-8 Turf Saver, 2 ply, ATV", "Hi-Run", { size: "20x10.00-8", pattern: "Turf Saver", ply: 2 }],
    ["Turf Saver, 4 ply, 18x8.50-8", "Carlisle", { size: "18x8.50-8", pattern: "Turf Saver", ply: 4 }],
    [
      "BKT Agrimax RT 657 460/85R38 149A8/B TL",
      "BKT",
      { pattern: "Agrimax RT 657", loadIndex: 149, speed: "A8", tube: "tubeless" },
    ],
    [
      "ST225/75R15 Load Range D Radial Trail HD 117/112M",
      "Carlisle",
      { ply: 8, loadIndex: 117, loadIndexDual: 112, speed: "M" },
    ],
    ["4.80/4.00-8 Sawtooth 4PR TT", "Kenda", { otherWidth: 4, ply: 4, tube: "tube_type", pattern: "Sawtooth" }],
    [
      "VF480/80R50 Michelin YieldBib 176D",
      "Michelin",
      { prefix: "VF", loadIndex: 176, speed: "D", pattern: "YieldBib" },
    ],
    ["11.2-24 R-1 Lug Tire 8 PR", "Titan", { pattern: "R-1 Lug", ply: 8 }],
    ["Tire 23x8.50-12, 6 ply rated", "Deestone", { ply: 6 }],
    ["16.9-30 Traction Field & Road LRC", "Firestone", { ply: 6, pattern: "Traction Field & Road" }],
  ])("%s", (title, brand, facts) => {
    expect(readTireFacts(title, brand)).toMatchObject(facts);
  });

  it("is nothing it does not say", () => {
    expect(readTireFacts("Tire 23x8.50-12", "Titan")).toEqual({
      size: "23x8.50-12",
      system: "inch",
      construction: "bias",
      diameter: 23,
      width: 8.5,
      rim: 12,
    });
    expect(readTireFacts("Valve Stem TR413", "Slime")).toBeUndefined();
    expect(readTireFacts("Tire 18x8.50-8 20 in, 48V", "(x")).not.toHaveProperty("loadIndex");
  });
});
