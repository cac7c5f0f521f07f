import type { VendorCode } from "../../../../mixins/vendors.ts";

interface Maker {
  name: string;
  vendor?: VendorCode;
  pattern: RegExp;
}

// As a name is written or all in capitals: words alone are no makers.
const maker = (name: string, vendor?: VendorCode, also: readonly string[] = []): Maker => ({
  name, ...(vendor && { vendor }),
  pattern: new RegExp(String.raw`(?<![\p{L}\d])(?:${[name, ...also].flatMap((each) => [each, each.toUpperCase()]).map((each) => each.replace(/[.*+?^${"$"}()|]/g, String.raw`\$&`).replace(/ /g, String.raw`\s+`)).join("|")})(?![\p{L}\d])`, "u"),
});

/** Makers of equipment and engines whose manuals a shop for spare parts is given. */
const MAKERS: readonly Maker[] = [
  maker("AGCO", "AGC", ["Massey Ferguson", "Challenger", "Hesston", "Gleaner"]), maker("Alamo Industrial", "ALM"),
  maker("Briggs & Stratton", "BNS", ["Briggs and Stratton"]), maker("Bush Hog", "BUS", ["BushHog"]), maker("Honda", "HON"), maker("Kawasaki", "KAW"), maker("Kinze", "KIN"),
  maker("Kohler", "KOH"), maker("New Holland", "NHL"), maker("Ventrac", "VNT"), maker("Woods", "WDS"), maker("Art's Way", "ART"),
  maker("E-Z Trail", "EZT"), maker("Great Plains", "GRP"), maker("Hardi", "HAR"), maker("HLA Attachments", "HLA"), maker("Hotsy", "HOT"), maker("Kilbros", "KIL"),
  maker("Kuhn", "KUH"), maker("Land Pride", "LAN", ["LandPride"]), maker("MacDon", "MAC"), maker("McHale", "MCH"), maker("Pöttinger", "PTZ", ["Pottinger"]),
  maker("Sweepster", "SWP"), maker("Unverferth", "UEB"), maker("Valmetal", "VAL"), maker("Raven", "RAV"),
  maker("John Deere"), maker("Husqvarna"), maker("Toro"), maker("MTD"), maker("Cub Cadet"), maker("Ariens"), maker("Gravely"), maker("Exmark"), maker("Scag"), maker("Snapper"),
  maker("Simplicity"), maker("Craftsman"), maker("Kubota"), maker("Yamaha"), maker("Stihl"), maker("Tecumseh"), maker("Polaris"), maker("Bobcat"), maker("Case IH"),
];

/** The maker that a text names first; undefined for none that is known. */
export function makerIn(text: string): { name: string; vendor?: VendorCode } | undefined {
  const found = MAKERS.map(({ pattern, ...known }) => ({ known, at: text.search(pattern) })).filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
  return found?.known;
}
