import type { Random } from "./random.ts";
import { ENGINE_LINES, MOWER_LINES, SPRAYER_LINES, TRACTOR_LINES, type ProductLine } from "./product-lines.ts";

/** A vendor whose price file the sandbox makes up. */
export interface Supplier {
  vendor: string;
  parts: number;
  lines: readonly ProductLine[];
  /** Shapes of its part numbers, each with its weight: `0` a digit, `A` a letter, `{…}` as it stands. */
  numbers: readonly (readonly [pattern: string, weight: number])[];
  /** The machines that its parts fit. */
  models: readonly string[];
}

/** Number families: specification, "Routing rules", and the families that manuals use (design, Document pipeline). */
export const SUPPLIERS: readonly Supplier[] = [
  {
    vendor: "BNS",
    parts: 900,
    lines: [...ENGINE_LINES, ...MOWER_LINES],
    numbers: [
      ["7{9}{0}000", 12],
      ["{614}000", 4],
      ["{713}000", 4],
      ["{59}0000", 20],
      ["{69}0000", 14],
      ["{84}0000", 10],
      ["{59}0000{S}", 8],
      ["{BER}00000", 4],
      ["{F350}000", 3],
      ["00.0000", 5],
      ["00.{A}000", 3],
    ],
    models: [
      "Intek 17.5 HP",
      "Vanguard 18 HP V-Twin",
      "Vanguard 23 HP V-Twin",
      "Quantum 6 HP",
      "Professional 25 HP",
      "Sprint 3.5 HP",
      "650 Series",
      "Snow 1150",
    ],
  },
  {
    vendor: "KOH",
    parts: 480,
    lines: ENGINE_LINES,
    numbers: [
      ["{24} 000 00{-S}", 6],
      ["{12} 000 00{-S}", 3],
      ["{32} 000 00{-S}", 3],
      ["{25} 000 00", 2],
    ],
    models: [
      "Command CH20",
      "Command CH25",
      "Command PRO CH740",
      "Courage SV590",
      "7000 Series KT735",
      "Confidant ZT720",
    ],
  },
  {
    vendor: "HON",
    parts: 480,
    lines: [...ENGINE_LINES, ...MOWER_LINES.slice(0, 4)],
    numbers: [
      ["16000{-Z}0{A-}000", 5],
      ["17000{-Z}0{A-}000", 4],
      ["00000{-ZE}0{-}000", 6],
      ["00000{-VH}0{-}A00", 2],
    ],
    models: ["GX120", "GX160", "GX200", "GX390", "GXV160", "GCV160", "HRX217", "GX630"],
  },
  {
    vendor: "KAW",
    parts: 380,
    lines: ENGINE_LINES,
    numbers: [
      ["11013-0000", 2],
      ["15004-0000", 2],
      ["00000-0000", 6],
      ["49065-0000", 2],
    ],
    models: ["FR651V", "FR691V", "FS730V", "FX850V", "FX1000V", "FH580V", "FJ180V"],
  },
  {
    vendor: "AGC",
    parts: 300,
    lines: TRACTOR_LINES,
    numbers: [
      ["{AG}000000", 4],
      ["{ACW}000000{A}", 2],
      ["{70}0000000{M1}", 2],
      ["{G}0000", 1],
    ],
    models: ["Challenger MT455", "Massey Ferguson 1835", "Massey Ferguson 4710", "Hesston 1840", "Gleaner S9"],
  },
  {
    vendor: "NHL",
    parts: 300,
    lines: TRACTOR_LINES,
    numbers: [
      ["{84}000000", 5],
      ["{87}000000", 3],
      ["{51}000000", 2],
      ["{86}00000", 1],
    ],
    models: ["BB340 Plus", "BR7060", "Boomer 47", "T6.180", "H7230", "Workmaster 75"],
  },
  {
    vendor: "VNT",
    parts: 160,
    lines: [...MOWER_LINES, ...ENGINE_LINES.slice(2, 4)],
    numbers: [
      ["00.0000", 5],
      ["00.{A}000", 1],
    ],
    models: ["4500Y", "4520N", "HM722", "MJ840", "KW452"],
  },
  {
    vendor: "WDS",
    parts: 200,
    lines: MOWER_LINES,
    numbers: [
      ["{10}00000", 3],
      ["{W}00000", 1],
      ["00000{KT}", 1],
    ],
    models: ["BB72X", "DS1260", "RM990", "TBW150", "S22C"],
  },
  {
    vendor: "LAN",
    parts: 180,
    lines: MOWER_LINES,
    numbers: [
      ["{8}00-000{C}", 3],
      ["{3}00-000{D}", 2],
      ["{FH}000", 1],
    ],
    models: ["RCR1860", "FDR2572", "AFM4211", "RTR1258"],
  },
  {
    vendor: "RAV",
    parts: 100,
    lines: SPRAYER_LINES,
    numbers: [
      ["{063-0}000{-}000", 3],
      ["{115-0}000{-}000", 2],
    ],
    models: ["SCS 440", "Viper 4", "ROS", "AutoBoom XRT"],
  },
  {
    vendor: "KUH",
    parts: 140,
    lines: TRACTOR_LINES,
    numbers: [
      ["{56}000000", 3],
      ["{K}0000000", 2],
      ["{A}0000000", 1],
    ],
    models: ["GMD 3150", "FC 3160", "SR 112", "GF 502"],
  },
];

/** Makes a number of one of the supplier's families; its normal form joins `taken`, where it was not. */
export function newNumber(random: Random, supplier: Supplier, usedNumbers: Set<string>): string {
  const weighted = supplier.numbers.flatMap(([pattern, weight]) => Array.from({ length: weight }, () => pattern));
  for (;;) {
    const number = random.code(random.pick(weighted));
    const norm = number.replace(/[^A-Z0-9]/g, "");
    if (usedNumbers.has(norm)) continue;
    usedNumbers.add(norm);
    return number;
  }
}
