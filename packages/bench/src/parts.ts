/**
 * How many of the part numbers that a manual names are found, and how many that are found it names: precision and
 * recall for each family and each layout, over manuals that are generated with their facts; and how often
 * what a row says of its part is read as printed. How many callouts of drawings are found where they are drawn, and
 * lead to the row of their part. `npm run bench -- parts [MANUALS] [failing] [set=NAME] [others=DIR]`, 60 unless given;
 * `failing` lists what is missed, wrongly found or read otherwise, another name makes other manuals, `others` has PDF
 * files that list no parts.
 */
import { serialsIn } from "../../manual-reader/src/models/serials.ts";
import { judgeCallouts, NEAR } from "./support/manuals/score-callouts.ts";
import { computeAgreement, FACTS, judgeParts, type Fact, type Judged } from "./support/manuals/score-parts.ts";
import { readFolder, readSet, type ReadManual } from "./support/manuals/read-set.ts";
import { manualSet } from "./support/manuals/sets.ts";
import { printTable } from "./support/table.ts";

const AIM = 0.97;
const AIM_LAYOUT = 0.9;
const AIM_CALLOUTS = 0.95;

const count = Number(process.argv[2] ?? 60);
const isFailing = process.argv.includes("failing");
const findOption = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
const set = findOption("set") ?? "parts";
const otherFolder = findOption("others");
const readManuals: ReadManual[] = [];
for await (const manual of readSet(manualSet(set, count))) readManuals.push(manual);
const judged = readManuals.flatMap(judgeParts);
const callouts = readManuals.flatMap(judgeCallouts);

const printByGroup = (title: string, groupOf: (judgedPart: Judged) => string | undefined): void => {
  const groups = [...Map.groupBy(judged, groupOf)]
    .filter(([name]) => name !== undefined)
    .sort(([a], [b]) => a!.localeCompare(b!));
  printTable(
    title,
    ["", "named", "found", "precision", "recall"],
    [["all", judged] as const, ...groups].map(([name, judgedParts]) => toRow(name!, judgedParts)),
  );
};
printByGroup(`Part numbers of ${count} manuals, by family (aim: at least ${AIM})`, ({ family }) => family);
printByGroup(`By layout (aim: none under ${AIM_LAYOUT})`, ({ layout }) => layout);
printByGroup("By what leads to the number", ({ ledBy }) => ledBy);
printTable(
  "What rows say of their parts",
  ["", "told", "read as printed"],
  (Object.keys(FACTS) as Fact[]).map((fact) => {
    const { compared, same } = computeAgreement(fact, judged);
    return [fact, String(compared), (same / compared).toFixed(3)];
  }),
);
tellPages();
tellCallouts();
if (isFailing) listFailing();
if (otherFolder !== undefined) await tellOthers(otherFolder);
const { precision, recall } = measure(judged);
const worst = [...Map.groupBy(judged, ({ layout }) => layout).values()]
  .filter((judgedParts) => judgedParts.some(({ truth }) => truth))
  .map(measure);
const verdict = (holds: boolean): string => {
  if (!holds) process.exitCode = 1;
  return holds ? "holds" : "does not hold";
};
console.log(`\nPrecision and recall at least ${AIM}: ${verdict(precision >= AIM && recall >= AIM)}.`);
console.log(
  `No layout under ${AIM_LAYOUT}: ${verdict(worst.every((rates) => rates.precision >= AIM_LAYOUT && rates.recall >= AIM_LAYOUT))}.`,
);
const inText = callouts.filter(({ drawn }) => drawn === "lines");
const right = inText.filter(({ isNear, isLinked }) => isNear && isLinked).length / inText.length;
console.log(
  `At least ${AIM_CALLOUTS} of the callouts in place and linked to their row: ${right.toFixed(3)}, ${verdict(right >= AIM_CALLOUTS)}.`,
);

function measure(judgedParts: readonly Judged[]): { named: number; found: number; precision: number; recall: number } {
  const [namedCount, foundCount, matchCount] = [
    judgedParts.filter(({ truth }) => truth).length,
    judgedParts.filter((item) => item.found).length,
    judgedParts.filter((item) => item.truth && item.found).length,
  ];
  return { named: namedCount, found: foundCount, precision: matchCount / foundCount, recall: matchCount / namedCount };
}

function toRow(name: string, judgedParts: readonly Judged[]): string[] {
  const { named, found, precision, recall } = measure(judgedParts);
  return [
    name,
    String(named),
    String(found),
    found > 0 ? precision.toFixed(3) : "-",
    named > 0 ? recall.toFixed(3) : "-",
  ];
}

function tellPages(): void {
  const pages = readManuals.flatMap(({ truth, pages: findings }) =>
    truth.pages.map((pageTruth) => ({
      expected: pageTruth,
      actual: findings.find(({ page }) => page === pageTruth.page),
    })),
  );
  const scanned = pages.filter(({ expected }) => expected.isScanned);
  const planted = readManuals.flatMap(({ truth, pages: findings }) =>
    truth.planted
      .filter(({ manner }) => manner !== "visible")
      .flatMap(({ page, numbers }) =>
        numbers.filter((number) =>
          findings.some((each) => each.page === page && each.parts.some(({ partNumber }) => partNumber === number)),
        ),
      ),
  );
  const figures = readManuals.flatMap(({ truth, manual }) =>
    truth.figures.map((pageTruth) => ({
      expected: pageTruth,
      actual: manual.figures.find(({ label }) => label === pageTruth.label),
    })),
  );
  const callouts = figures.filter(({ expected }) => expected.callouts.length > 0);
  const models = readManuals.map(({ truth, manual }) => truth.models.join() === manual.equipment.join());
  printTable(
    "Pages, figures and models",
    ["", "there", "said so"],
    [
      ["scanned pages", String(scanned.length), String(scanned.filter(({ actual }) => actual?.isScanned).length)],
      [
        "pages that are not scanned",
        String(pages.length - scanned.length),
        String(pages.filter(({ expected, actual }) => !expected.isScanned && actual && !actual.isScanned).length),
      ],
      [
        "figures with their title",
        String(figures.length),
        String(
          figures.filter(({ expected, actual }) => actual?.title.toLowerCase() === expected.title.toLowerCase()).length,
        ),
      ],
      [
        "figures with their page",
        String(figures.length),
        String(figures.filter(({ expected, actual }) => actual?.page === expected.page).length),
      ],
      [
        "figures with all callouts",
        String(callouts.length),
        String(
          callouts.filter(({ expected, actual }) =>
            expected.callouts.every((callout) => actual?.callouts.includes(callout)),
          ).length,
        ),
      ],
      [
        "manuals with their serial numbers",
        String(readManuals.length),
        String(
          readManuals.filter(({ truth, pages: findings }) =>
            findings.every(({ page, figures: on, text }) => {
              const ranges = on.length < 2 ? serialsIn(text) : [];
              return page === 1 ? ranges.length === 1 && ranges[0]!.from === truth.serialFrom : ranges.length === 0;
            }),
          ).length,
        ),
      ],
      ["manuals with their models", String(models.length), String(models.filter(Boolean).length)],
      [
        "manuals with their maker",
        String(models.length),
        String(readManuals.filter(({ truth, manual }) => truth.manufacturer === manual.manufacturer).length),
      ],
    ],
  );
  console.log(
    `Numbers of hidden text that became parts: ${planted.length}. Pages that could not be read: ${readManuals.flatMap(({ failed }) => failed).length}.`,
  );
}

function tellCallouts(): void {
  printTable(
    `Callouts of drawings (aim: ${AIM_CALLOUTS} of those in text)`,
    ["", "there", "found", `within ${NEAR * 100} % of the width`, "linked to their row"],
    (["lines", "image", undefined] as const).map((how) => {
      const judgedParts = callouts.filter(({ drawn }) => drawn === how);
      const count = (is: "isFound" | "isNear" | "isLinked"): string =>
        String(judgedParts.filter((item) => item[is]).length);
      const name = { lines: "in text", image: "in pictures, without OCR", none: "" }[how ?? "none"];
      return [
        name || "what is no callout",
        String(how ? judgedParts.length : 0),
        count("isFound"),
        count("isNear"),
        count("isLinked"),
      ];
    }),
  );
}

async function tellOthers(folder: string): Promise<void> {
  const numbers: string[] = [];
  let pages = 0;
  for await (const file of readFolder(folder)) {
    pages += file.pages.length;
    numbers.push(
      ...file.pages.flatMap(({ page, parts }) =>
        parts.map(({ partNumber, pattern }) => `${partNumber} (${pattern}), ${file.filename} page ${page}`),
      ),
    );
  }
  console.log(
    `Part numbers found on ${pages} pages that have none: ${numbers.length}.${numbers.map((line) => `\n  ${line}`).join("")}`,
  );
}

function listFailing(): void {
  for (const { manual, page, layout, number, truth, found } of judged) {
    const where = `${manual} page ${page} (${layout})`;
    if (!found) console.log(`missed  ${number}  ${truth!.ledBy}  ${where}`);
    else if (!truth) console.log(`wrong   ${number}  ${found.pattern} ${found.confidence}  ${where}`);
    else if (truth.ledBy === "column-header") {
      for (const [fact, values] of Object.entries(FACTS)) {
        const [expected, actual] = values(truth, found);
        if (expected !== actual)
          console.log(`${fact}  ${number}  ${JSON.stringify(expected)} read as ${JSON.stringify(actual)}  ${where}`);
      }
    }
  }
  for (const { manual, page, ref, drawn, isFound, isNear, isLinked } of callouts) {
    if (drawn === "image" || (isNear && isLinked)) continue;
    const how = !drawn ? "wrong" : !isFound ? "missed" : !isNear ? "elsewhere" : "not linked";
    console.log(`callout ${how}  ${ref}  ${manual} page ${page}`);
  }
  for (const { truth, manual } of readManuals) {
    if (truth.models.join() !== manual.equipment.join())
      console.log(`models  ${truth.filename}  ${truth.models.join(", ")} read as ${manual.equipment.join(", ")}`);
    for (const figureTruth of truth.figures) {
      const actual = manual.figures.find(({ label }) => label === figureTruth.label);
      if (
        actual?.title.toLowerCase() !== figureTruth.title.toLowerCase() ||
        actual.page !== figureTruth.page ||
        !figureTruth.callouts.every((callout) => actual.callouts.includes(callout))
      )
        console.log(`figure  ${truth.filename}  ${JSON.stringify(figureTruth)} read as ${JSON.stringify(actual)}`);
    }
  }
}
