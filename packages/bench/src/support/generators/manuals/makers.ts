/** A maker of manuals: its printed name, where it is, and how it names its equipment (patterns of random.ts). */
export interface Maker {
  vendor: string;
  name: string;
  city: string;
  kinds: readonly string[];
  models: readonly string[];
  figures: readonly ("engine" | "mower" | "tractor" | "sprayer")[];
}

export const MAKERS: readonly Maker[] = [
  {
    vendor: "BNS",
    name: "Briggs & Stratton",
    city: "Milwaukee, WI 53201",
    kinds: ["Garden Tractor", "Zero-Turn Mower", "Lawn Tractor"],
    models: ["{GT-}0000", "{ZT }0000", "{LT-2}00A"],
    figures: ["mower", "engine"],
  },
  {
    vendor: "KOH",
    name: "Kohler",
    city: "Kohler, WI 53044",
    kinds: ["Horizontal Engine", "Vertical Engine"],
    models: ["{CH-7}00{S}", "{SV-}0000", "{CV 7}00"],
    figures: ["engine"],
  },
  {
    vendor: "HON",
    name: "Honda",
    city: "Alpharetta, GA 30004",
    kinds: ["Walk-Behind Mower", "Engine", "Water Pump"],
    models: ["{HRX-}000A", "{GXV-}0000", "{WB }00{X}0"],
    figures: ["engine", "mower"],
  },
  {
    vendor: "KAW",
    name: "Kawasaki",
    city: "Grand Rapids, MI 49512",
    kinds: ["Engine", "V-Twin Engine"],
    models: ["{FR-}000A", "{FX-}0000", "{FS }000A"],
    figures: ["engine"],
  },
  {
    vendor: "AGC",
    name: "AGCO",
    city: "Duluth, GA 30096",
    kinds: ["Tractor", "Baler"],
    models: ["{MT-}000A", "{MF }0000", "{HB-}0000"],
    figures: ["tractor"],
  },
  {
    vendor: "NHL",
    name: "New Holland",
    city: "New Holland, PA 17557",
    kinds: ["Round Baler", "Compact Tractor"],
    models: ["{BR-}0000", "{TX }00.00", "{WM-}000"],
    figures: ["tractor"],
  },
  {
    vendor: "VNT",
    name: "Ventrac",
    city: "Orrville, OH 44667",
    kinds: ["Mower Deck", "Compact Tractor"],
    models: ["{HM-}000A", "{MJ }0000", "{KV-}0000"],
    figures: ["mower"],
  },
  {
    vendor: "WDS",
    name: "Woods",
    city: "Oregon, IL 61061",
    kinds: ["Rotary Cutter", "Finish Mower"],
    models: ["{BB-}000{X}", "{DS }0000", "{RM-}0000"],
    figures: ["mower"],
  },
  {
    vendor: "LAN",
    name: "Land Pride",
    city: "Salina, KS 67402",
    kinds: ["Grooming Mower", "Rotary Cutter"],
    models: ["{RCR-}0000", "{FDR }0000", "{AFM-}0000"],
    figures: ["mower"],
  },
  {
    vendor: "RAV",
    name: "Raven",
    city: "Sioux Falls, SD 57104",
    kinds: ["Sprayer Control System", "Injection System"],
    models: ["{SCS-}0000", "{ISO-}00A", "{VP }0000"],
    figures: ["sprayer"],
  },
  {
    vendor: "KUH",
    name: "Kuhn",
    city: "Brodhead, WI 53520",
    kinds: ["Disc Mower", "Rotary Rake"],
    models: ["{GMD-}0000", "{FC }0000", "{SR-}000A"],
    figures: ["tractor"],
  },
];
