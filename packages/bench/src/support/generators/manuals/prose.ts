import type { Random } from "../random.ts";

/** A sentence of a manual with what in it looks like a part number and is none. */
export interface Sentence {
  text: string;
  distractors: string[];
}

const MONTHS = ["January", "March", "April", "June", "August", "September", "November"];

/**
 * Things with digits that every manual is full of. Source: design, "Document pipeline": what is never a part number.
 */
const SOMETHING: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) =>
    random.pick([
      random.code("{0}0/{1}0/{20}{1}0"),
      random.code("{20}{1}0-{0}0-{1}0"),
      `${random.pick(MONTHS)} ${random.integer(1, 28)}, ${random.integer(2008, 2024)}`,
      random.code("{0}0/{20}{1}0"),
    ]),
  phone: (random) =>
    random.code(random.pick(["{1-800-555-01}00", "{(414) 555-01}00", "{+1 262 555 01}00", "{1.888.555.01}00"])),
  torque: (random) =>
    random.pick([
      `${random.integer(8, 90)} ft-lb (${random.integer(11, 122)} N·m)`,
      `${random.integer(30, 140)} in-lb`,
      `${random.integer(5, 95)}.${random.integer(0, 9)} Nm`,
      `${random.integer(12, 14)}-${random.integer(15, 19)} ft. lbs.`,
    ]),
  dimension: (random) =>
    random.pick([
      `0.0${random.integer(10, 60)} in (0.${random.integer(25, 99)} mm)`,
      `${random.integer(1, 3)}-${random.pick(["1/8", "3/8", "5/32"])} in x ${random.integer(2, 5)}-${random.pick(["5/32", "1/4"])} in`,
      `${random.integer(20, 140)}.${random.integer(0, 9)} mm`,
    ]),
  thread: (random) =>
    random.pick(["M8 x 1.25 x 30", "3/8-16 x 1-1/4", "1/4-20 UNC", "M10 x 1.5", "5/16-18 x 3/4", "7/16-20 UNF"]),
  tire: (random) =>
    random.pick(["23x8.50-12", "15x6.00-6", "18 x 9.50-8", "LT235/75R15", "20x10.00-10", "4.10/3.50-4"]),
  standard: (random) =>
    random.pick([
      "SAE J1349",
      "ANSI B71.1-2017",
      "ISO 5395-3:2013",
      "DIN 933",
      "EN ISO 14982",
      "SAE J1940",
      "ASAE S390.4",
    ]),
  serial: (random) => random.code(random.pick(["000000000", "{20}00000000", "A00000000", "00A000-0000-A0"])),
  pages: (random) =>
    random.pick([`page ${random.integer(3, 60)}`, `pages ${random.integer(3, 30)}-${random.integer(31, 60)}`]),
  patent: (random) => random.code("{6,}000,000"),
};

const SENTENCES: readonly string[] = [
  "Before any work on the machine, remove the ignition key and disconnect the spark plug wire.",
  "Tighten the blade bolts to {torque}; check them again after the first two hours of use.",
  "Blade mounting hardware is {thread}. Use only hardware of the same grade.",
  "Adjust the air gap of the ignition coil to {dimension} with a brass feeler gauge.",
  "The front tires are {tire}, the rear tires {tire}; inflate them to {pressure} psi.",
  "This machine meets {standard} and {standard} when it is operated as told in this manual.",
  "For the name of your nearest dealer call {phone} or write to {city}.",
  "Record the serial number of your machine here. Serial No. {serial}. The plate is on the right side of the frame.",
  "Engine oil: use SAE 30 above 40 F and 10W-30 below. Capacity is {capacity} fl oz.",
  "Change the oil after the first 5 hours, then every {hours} hours or once a season.",
  "Set the governed speed to {rpm} rpm with a tachometer; idle speed is {idle} rpm.",
  "See {pages} for the maintenance schedule and {pages} for storage.",
  "This edition was revised on {date} and replaces the edition of {date}.",
  "Covered by U.S. Patent No. {patent} and patents pending.",
  "Replace the fuse with one of 15 A; the battery is a 12 volt U1 with {cca} cold cranking amps.",
  "Clearance between valve stem and rocker arm is {dimension} with a cold engine.",
  "Cylinder head bolts are tightened in three steps to {torque}, crosswise.",
  "Deck height is adjusted from {dimension} by turning the lift rod of {thread}.",
  "The warranty card must be returned by {date}. Call {phone} with questions.",
  "Model year begins with serial number {serial}; earlier machines are described in a manual of their own.",
  "Clean the cooling fins every {hours} hours, more often where it is dusty.",
  "Lubricate the spindles with two strokes of lithium grease through the fittings.",
  "Drain the fuel tank before the machine is stored for more than 30 days.",
  "Refer to {figure} for the order in which the parts are put together.",
];

const HEADINGS = [
  "Safety",
  "Maintenance",
  "Lubrication",
  "Storage",
  "Troubleshooting",
  "Service Intervals",
  "Adjustments",
  "Electrical System",
  "Fuel",
  "Specifications",
];

/** Paragraphs about nothing that is sold. `figure` is how this manual refers to one. */
export function proseSentences(
  random: Random,
  count: number,
  { city, figure }: { city: string; figure: () => string },
): Sentence[] {
  return Array.from({ length: count }, () => {
    const distractors: string[] = [];
    const text = random.pick(SENTENCES).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const words = SOMETHING[name]?.(random);
      if (words !== undefined) distractors.push(words);
      return (
        words ??
        {
          city,
          figure: figure(),
          pressure: String(random.integer(10, 32)),
          capacity: String(random.integer(20, 64)),
          hours: String(random.integer(2, 10) * 10),
          rpm: String(random.integer(24, 36) * 100),
          idle: String(random.integer(12, 18) * 100),
          cca: String(random.integer(20, 34) * 10),
        }[name] ??
        name
      );
    });
    return { text, distractors };
  });
}

export function proseHeading(random: Random): string {
  return random.pick(HEADINGS);
}

/** Rows of a table in which nothing is sold: torques, with their threads and places. */
export function torqueRows(random: Random, count: number): { rows: string[][]; distractors: string[] } {
  const places = [
    "Blade bolt",
    "Spindle nut",
    "Flywheel nut",
    "Head bolt",
    "Spark plug",
    "Connecting rod",
    "Oil drain plug",
    "Muffler stud",
    "Wheel nut",
    "Carburetor nut",
  ];
  const rows = places.slice(0, count).map((place) => [place, SOMETHING.thread!(random), SOMETHING.torque!(random)]);
  return { rows, distractors: rows.flatMap(([, ...numbers]) => numbers) };
}

export function phone(random: Random): string {
  return SOMETHING.phone!(random);
}

export function date(random: Random): string {
  return SOMETHING.date!(random);
}

export function serial(random: Random): string {
  return SOMETHING.serial!(random);
}
