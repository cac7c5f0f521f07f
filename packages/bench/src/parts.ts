/**
 * How many of the part numbers that a manual names are found, and how many that are found it names: precision and
 * recall for each family and each layout, over manuals that are generated with their facts; and how often
 * what a row says of its part is read as printed. How many callouts of drawings are found where they are drawn, and lead
 * to the row of their part. `npm run bench -- parts [MANUALS] [failing] [set=NAME] [others=DIR]`,
 * 60 unless given; `failing` lists what is missed, wrongly found or read otherwise, another name makes other manuals,
 * `others` has PDF files that list no parts.
 */
import { serialsIn } from "../../manual-reader/src/models/serials.ts";
import { judgeCallouts, NEAR } from "./support/manuals/score-callouts.ts";
import { agreementOf, FACTS, judgeParts, type Fact, type Judged } from "./support/manuals/score-parts.ts";
import { readFolder, readSet, type ReadManual } from "./support/manuals/read-set.ts";
import { manualSet } from "./support/manuals/sets.ts";
import { printTable } from "./support/table.ts";

const AIM = 0.97;
const AIM_LAYOUT = 0.9;
const AIM_CALLOUTS = 0.95;

const count = Number(process.argv[2] ?? 60);
const isFailing = process.argv.includes("failing");
const given = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
const set = given("set") ?? "parts";
const others = given("others");
const read: ReadManual[] = [];
for await (const manual of readSet(manualSet(set, count))) read.push(manual);
const judged = read.flatMap(judgeParts);
const callouts = read.flatMap(judgeCallouts);

const byGroup = (title: string, groupOf: (each: Judged) => string | undefined): void => {
  const groups = [...Map.groupBy(judged, groupOf)]
    .filter(([name]) => name !== undefined)
    .sort(([a], [b]) => a!.localeCompare(b!));
  printTable(
    title,
    ["", "named", "found", "precision", "recall"],
    [["all", judged] as const, ...groups].map(([name, each]) => rowOf(name!, each)),
  );
};
byGroup(`Part numbers of ${count} manuals, by family (aim: at least ${AIM})`, ({ family }) => family);
byGroup(`By layout (aim: none under ${AIM_LAYOUT})`, ({ layout }) => layout);
byGroup("By what leads to the number", ({ ledBy }) => ledBy);
printTable(
  "What rows say of their parts",
  ["", "told", "read as printed"],
  (Object.keys(FACTS) as Fact[]).map((fact) => {
    const { told, same } = agreementOf(fact, judged);
    return [fact, String(told), (same / told).toFixed(3)];
  }),
);
tellPages();
tellCallouts();
if (isFailing) listFailing();
if (others !== undefined) await tellOthers(others);
const { precision, recall } = measure(judged);
const worst = [...Map.groupBy(judged, ({ layout }) => layout).values()]
  .filter((each) => each.some(({ truth }) => truth))
  .map(measure);
const verdict = (holds: boolean): string => {
  if (!holds) process.exitCode = 1;
  return holds ? "holds" : "does not hold";
};
console.log(`\nPrecision and recall at least ${AIM}: ${verdict(precision >= AIM && recall >= AIM)}.`);
console.log(
  `No layout under ${AIM_LAYOUT}: ${verdict(worst.every((each) => each.precision >= AIM_LAYOUT && each.recall >= AIM_LAYOUT))}.`,
);
const inText = callouts.filter(({ drawn }) => drawn === "lines");
const right = inText.filter(({ isNear, isLinked }) => isNear && isLinked).length / inText.length;
console.log(
  `At least ${AIM_CALLOUTS} of the callouts in place and linked to their row: ${right.toFixed(3)}, ${verdict(right >= AIM_CALLOUTS)}.`,
);

function measure(each: readonly Judged[]): { named: number; found: number; precision: number; recall: number } {
  const [named, found, both] = [
    each.filter(({ truth }) => truth).length,
    each.filter((one) => one.found).length,
    each.filter((one) => one.truth && one.found).length,
  ];
  return { named, found, precision: both / found, recall: both / named };
}

function rowOf(name: string, each: readonly Judged[]): string[] {
  const { named, found, precision, recall } = measure(each);
  return [
    name,
    String(named),
    String(found),
    found > 0 ? precision.toFixed(3) : "-",
    named > 0 ? recall.toFixed(3) : "-",
  ];
}

function tellPages(): void {
  const pages = read.flatMap(({ truth, pages: found }) =>
    truth.pages.map((known) => ({ known, seen: found.find(({ page }) => page === known.page) })),
  );
  const scanned = pages.filter(({ known }) => known.isScanned);
  const planted = read.flatMap(({ truth, pages: found }) =>
    truth.planted
      .filter(({ manner }) => manner !== "visible")
      .flatMap(({ page, numbers }) =>
        numbers.filter((number) =>
          found.some((each) => each.page === page && each.parts.some(({ partNumber }) => partNumber === number)),
        ),
      ),
  );
  const figures = read.flatMap(({ truth, manual }) =>
    truth.figures.map((known) => ({ known, seen: manual.figures.find(({ label }) => label === known.label) })),
  );
  const callouts = figures.filter(({ known }) => known.callouts.length > 0);
  const models = read.map(({ truth, manual }) => truth.models.join() === manual.equipment.join());
  printTable(
    "Pages, figures and models",
    ["", "there", "said so"],
    [
      ["scanned pages", String(scanned.length), String(scanned.filter(({ seen }) => seen?.isScanned).length)],
      [
        "pages that are not scanned",
        String(pages.length - scanned.length),
        String(pages.filter(({ known, seen }) => !known.isScanned && seen && !seen.isScanned).length),
      ],
      [
        "figures with their title",
        String(figures.length),
        String(figures.filter(({ known, seen }) => seen?.title.toLowerCase() === known.title.toLowerCase()).length),
      ],
      [
        "figures with their page",
        String(figures.length),
        String(figures.filter(({ known, seen }) => seen?.page === known.page).length),
      ],
      [
        "figures with all callouts",
        String(callouts.length),
        String(
          callouts.filter(({ known, seen }) => known.callouts.every((callout) => seen?.callouts.includes(callout)))
            .length,
        ),
      ],
      [
        "manuals with their serial numbers",
        String(read.length),
        String(
          read.filter(({ truth, pages: found }) =>
            found.every(({ page, figures: on, text }) => {
              const named = on.length < 2 ? serialsIn(text) : [];
              return page === 1 ? named.length === 1 && named[0]!.from === truth.serialFrom : named.length === 0;
            }),
          ).length,
        ),
      ],
      ["manuals with their models", String(models.length), String(models.filter(Boolean).length)],
      [
        "manuals with their maker",
        String(models.length),
        String(read.filter(({ truth, manual }) => truth.manufacturer === manual.manufacturer).length),
      ],
    ],
  );
  console.log(
    `Numbers of hidden text that became parts: ${planted.length}. Pages that could not be read: ${read.flatMap(({ failed }) => failed).length}.`,
  );
}

function tellCallouts(): void {
  printTable(
    `Callouts of drawings (aim: ${AIM_CALLOUTS} of those in text)`,
    ["", "there", "found", `within ${NEAR * 100} % of the width`, "linked to their row"],
    (["lines", "image", undefined] as const).map((how) => {
      const each = callouts.filter(({ drawn }) => drawn === how);
      const count = (is: "isFound" | "isNear" | "isLinked"): string => String(each.filter((one) => one[is]).length);
      const name = { lines: "in text", image: "in pictures, without OCR", none: "" }[how ?? "none"];
      return [
        name || "what is no callout",
        String(how ? each.length : 0),
        count("isFound"),
        count("isNear"),
        count("isLinked"),
      ];
    }),
  );
}

async function tellOthers(folder: string): Promise<void> {
  const found: string[] = [];
  let pages = 0;
  for await (const file of readFolder(folder)) {
    pages += file.pages.length;
    found.push(
      ...file.pages.flatMap(({ page, parts }) =>
        parts.map(({ partNumber, pattern }) => `${partNumber} (${pattern}), ${file.filename} page ${page}`),
      ),
    );
  }
  console.log(
    `Part numbers found on ${pages} pages that have none: ${found.length}.${found.map((each) => `\n  ${each}`).join("")}`,
  );
}

function listFailing(): void {
  for (const { manual, page, layout, number, truth, found } of judged) {
    const where = `${manual} page ${page} (${layout})`;
    if (!found) console.log(`missed  ${number}  ${truth!.ledBy}  ${where}`);
    else if (!truth) console.log(`wrong   ${number}  ${found.pattern} ${found.confidence}  ${where}`);
    else if (truth.ledBy === "column-header") {
      for (const [fact, values] of Object.entries(FACTS)) {
        const [told, seen] = values(truth, found);
        if (told !== seen)
          console.log(`${fact}  ${number}  ${JSON.stringify(told)} read as ${JSON.stringify(seen)}  ${where}`);
      }
    }
  }
  for (const { manual, page, ref, drawn, isFound, isNear, isLinked } of callouts) {
    if (drawn === "image" || (isNear && isLinked)) continue;
    const how = !drawn ? "wrong" : !isFound ? "missed" : !isNear ? "elsewhere" : "not linked";
    console.log(`callout ${how}  ${ref}  ${manual} page ${page}`);
  }
  for (const { truth, manual } of read) {
    if (truth.models.join() !== manual.equipment.join())
      console.log(`models  ${truth.filename}  ${truth.models.join(", ")} read as ${manual.equipment.join(", ")}`);
    for (const known of truth.figures) {
      const seen = manual.figures.find(({ label }) => label === known.label);
      if (
        seen?.title.toLowerCase() !== known.title.toLowerCase() ||
        seen.page !== known.page ||
        !known.callouts.every((callout) => seen.callouts.includes(callout))
      )
        console.log(`figure  ${truth.filename}  ${JSON.stringify(known)} read as ${JSON.stringify(seen)}`);
    }
  }
}
