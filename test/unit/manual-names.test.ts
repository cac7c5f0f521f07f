import { describe, expect, it } from "@jest/globals";
import { Models } from "../../packages/parts-search/src/fitment-index/models.ts";
import type { LiveManual } from "../../packages/parts-search/src/fitment-index/directory.ts";
import { withNamedManuals } from "../../services/ai/sources/manual-names.ts";
import { askDesk } from "../../packages/parts-desk/test/desk.asking.ts";
import { MODELS, shopSources } from "../../packages/parts-desk/test/desk.support.ts";

const manual = (filename: string, title: string, equipment: string[] = [], manufacturer?: string): LiveManual => ({
  _id: filename,
  filename,
  title,
  equipment: equipment.length > 0 ? equipment : [title],
  pages: 4,
  begun: 1,
  live: 1,
  ...(manufacturer !== undefined && { manufacturer }),
});

const MANUALS = [
  manual("torvalla_q700.pdf", "DEALER MANUAL", ["G621.400"]),
  manual("ws-22.pdf", "Post Hole Auger Operator's Manual"),
  manual("a.pdf", "Manual Técnico", ["FBX"], "Bombas Vulcano"),
  manual("global_bike.pdf", "Service", ["SX-1"], "EV Global"),
  manual("gt.pdf", "Lawn Tractor Parts Manual", ["GT-2254"], "Briggs & Stratton"),
  manual("note.pdf", "Carburetor 15964-8141 for FS730V"),
];

/** What a text names, each with the machines that it means. */
const findNames = (text: string): string[] => {
  const manuals = new Map(MANUALS.map((each) => [each._id, each]));
  const models = new Models(
    MANUALS.flatMap(({ equipment, manufacturer }) => equipment.map((name) => ({ equipment: name, manufacturer }))),
  );
  return withNamedManuals(text, models.findMentions(text), { manuals }).map(
    ({ from, to, how, models: named }) =>
      `${text.slice(from, to)} ${how} ${named.map(({ equipment }) => equipment).join("+")}`,
  );
};

describe("a manual is found by what it is called", () => {
  it.each([
    [
      "the maker and the machine of a file's name",
      "left crank for the Torvalla Q700",
      ["Torvalla maker G621.400", "Q700 named G621.400"],
    ],
    [
      "words of a title that names no machine",
      "bolt of a post hole auger",
      ["post", "hole", "auger"].map((word) => `${word} maker Post Hole Auger Operator's Manual`),
    ],
    ["a maker of several words", "motor arm of the EV Global", ["EV Global maker SX-1"]],
    ["a model without digits", "eixo da bomba FBX", ["FBX named FBX"]],
    [
      "a model in a title, and not the part in front of it",
      "carburetor for FS730V",
      ["FS730V named Carburetor 15964-8141 for FS730V"],
    ],
    ["a model beside other words, as ever", "carburetor GT-2254", ["GT-2254 named GT-2254"]],
  ])("%s", (_, text, names) => {
    expect(findNames(text)).toEqual(names);
  });

  it.each(["which parts manual?", "lawn tractor belt", "auger bolt", "operator's manual", "15964-8141"])(
    "and by no everyday word or part number: %s",
    (text) => {
      expect(findNames(text)).toEqual([]);
    },
  );
});

describe("a machine that no manual names", () => {
  const ask = async (titles: string[]) => {
    const sources = {
      ...shopSources(),
      listMachines: async () => [...MODELS, ...titles.map((equipment) => ({ equipment, isTitle: true as const }))],
    };
    return (await askDesk("carburetor for my LX-500", { sources })).answer;
  };

  it("is denied where every manual says which it is for", async () => {
    expect(await ask([])).toContain("I don't have a parts list for that machine");
  });

  it("may be that of a manual that does not say", async () => {
    const answer = await ask(["Spare Parts Book"]);
    expect(answer).toContain(
      "I don't have a manual under that name, but one doesn't say which machine it's for: Spare Parts Book. Is that yours?",
    );
    expect(answer).not.toContain("No manual of that");
    expect(await ask(["Spare Parts Book", "Ersatzteilliste"])).toContain(
      "some don't say which machine they're for: Spare Parts Book and Ersatzteilliste. Is it one of them?",
    );
  });
});
