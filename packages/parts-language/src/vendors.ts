/**
 * The vendors of parts with their names, ours first, by the source of their prices: the dealer inventory system, or
 * price files alone. Those with an API of their own are in services/catalog/suppliers. Source: specification, "Vendor
 * codes". It gives no names: a vendor without an evident trade name goes by its code.
 */
const VENDORS = {
  dis: {
    AGC: ["AGCO", "MF", "Massey Ferguson", "Massey"],
    ALM: ["Alamo Industrial", "Alamo"],
    BNS: ["Briggs & Stratton", "B&S", "Briggs and Stratton", "Briggs", "BS"],
    BUS: ["Bush Hog", "BushHog"],
    HON: ["Honda", "Honda Power Equipment"],
    KAW: ["Kawasaki", "Kawasaki Engines", "Kawi"],
    KIN: ["Kinze"],
    KOH: ["Kohler", "Kohler Engines"],
    NHL: ["New Holland", "NewHolland", "NH"],
    VNT: ["Ventrac"],
    WDS: ["Woods", "Woods Equipment"],
  },
  manual: {
    AMC: ["AMC"],
    ART: ["Art's Way", "Arts Way"],
    CLC: ["CLC"],
    DFE: ["DFE"],
    EZT: ["E-Z Trail", "EZ Trail"],
    GRP: ["Great Plains"],
    GRE: ["GRE"],
    HAR: ["Hardi"],
    HLA: ["HLA Attachments"],
    HOT: ["Hotsy"],
    IVA: ["IVA"],
    KIL: ["Kilbros"],
    KNI: ["Knight"],
    KOR: ["KOR"],
    KRE: ["KRE"],
    KUH: ["Kuhn"],
    LAN: ["Land Pride", "LandPride"],
    MAC: ["MacDon"],
    MAR: ["MAR"],
    MCH: ["McHale"],
    MID: ["MID"],
    MIS: ["MIS"],
    PTZ: ["Pöttinger", "Pottinger"],
    RIS: ["RIS"],
    RIT: ["RIT"],
    SNX: ["SNX"],
    SWP: ["Sweepster"],
    TXT: ["Textron"],
    UEB: ["Unverferth"],
    VAL: ["Valmetal"],
    WVR: ["Weaver"],
    RAV: ["Raven", "Raven Industries"],
  },
} as const satisfies Record<string, Record<string, readonly [name: string, ...aliases: string[]]>>;

export type VendorCode<By extends keyof typeof VENDORS = keyof typeof VENDORS> = {
  [Source in By]: keyof (typeof VENDORS)[Source];
}[By];

export const VENDOR_CODES = {
  dis: Object.keys(VENDORS.dis) as VendorCode<"dis">[],
  manual: Object.keys(VENDORS.manual) as VendorCode<"manual">[],
};

export const VENDOR_NAMES: Readonly<Record<VendorCode, readonly [name: string, ...aliases: string[]]>> = {
  ...VENDORS.dis,
  ...VENDORS.manual,
};

/** Returns whether a code, in any case, is retired: nothing may be filed under it or routed to it. */
export function isRetired(code: string): boolean {
  return code.toUpperCase() === "FER";
}

/**
 * Proposes a vendor's code: letters of its name in their order, the first of each word before others; else any that is
 * free. Undefined if none is.
 */
export function proposeVendorCode(name: string, isTaken: (code: string) => boolean): string | undefined {
  const words =
    name
      .normalize("NFKD")
      .toUpperCase()
      .match(/[A-Z]+/g) ?? [];
  const letters = words.join("");
  const isFree = (code: string): boolean => code.length === 3 && !isRetired(code) && !isTaken(code);
  const initials = words
    .map((word) => word[0])
    .join("")
    .slice(0, 3);
  const firstChoices = [letters.slice(0, 3), initials];
  const chosen = firstChoices.find(isFree);
  if (chosen !== undefined) return chosen;
  const [first = "X"] = letters;
  for (const leads of [[first], ALPHABET])
    for (const lead of leads)
      for (const second of [...letters.slice(1), ...ALPHABET])
        for (const third of [...letters.slice(2), ...ALPHABET])
          if (isFree(lead + second + third)) return lead + second + third;
  return undefined;
}

const ALPHABET = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
