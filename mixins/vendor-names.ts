import type { VendorCode } from "./vendors.ts";

/** What vendors are called, first as we write it. The specification gives codes and no names: one whose trade name is not evident goes by its code. */
export const VENDOR_NAMES: Readonly<Record<VendorCode, readonly [name: string, ...aliases: string[]]>> = {
  AGC: ["AGCO"],
  ALM: ["Alamo Industrial", "Alamo"],
  BNS: ["Briggs & Stratton", "B&S", "Briggs and Stratton", "Briggs"],
  BUS: ["Bush Hog", "BushHog"],
  HON: ["Honda", "Honda Power Equipment"],
  KAW: ["Kawasaki", "Kawasaki Engines"],
  KIN: ["Kinze"],
  KOH: ["Kohler", "Kohler Engines"],
  NHL: ["New Holland", "NewHolland"],
  VNT: ["Ventrac"],
  WDS: ["Woods", "Woods Equipment"],
  AMC: ["AMC"], ART: ["Art's Way", "Arts Way"], CLC: ["CLC"], DFE: ["DFE"], EZT: ["E-Z Trail", "EZ Trail"],
  GRP: ["Great Plains"], GRE: ["GRE"], HAR: ["Hardi"], HLA: ["HLA Attachments"], HOT: ["Hotsy"], IVA: ["IVA"],
  KIL: ["Kilbros"], KNI: ["Knight"], KOR: ["KOR"], KRE: ["KRE"], KUH: ["Kuhn"], LAN: ["Land Pride", "LandPride"],
  MAC: ["MacDon"], MAR: ["MAR"], MCH: ["McHale"], MID: ["MID"], MIS: ["MIS"], PTZ: ["Pöttinger", "Pottinger"], RIS: ["RIS"],
  RIT: ["RIT"], SNX: ["SNX"], SWP: ["Sweepster"], TXT: ["Textron"], UEB: ["Unverferth"], VAL: ["Valmetal"], WVR: ["Weaver"],
  RAV: ["Raven", "Raven Industries"],
  KMT: ["K&M Tire", "K&M", "KM Tire"],
};
