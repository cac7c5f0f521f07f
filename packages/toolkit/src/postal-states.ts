/** Countries whose addresses need a state or province. Source: Google's libaddressinput, fields required by country. */
export const NEED_STATE: ReadonlySet<string> = new Set("AU BR CA CN CO ES IN IT JP KR MX TW US".split(" "));

export interface State {
  /** As mail is addressed. */
  code: string;
  name: string;
  /** What its postal codes begin with. */
  postalCodes: RegExp;
}

/** Each state as its code, its name, and the beginnings of its postal codes. Source: libaddressinput. */
const readStates = (table: string): ReadonlyMap<string, State> =>
  new Map(
    table
      .trim()
      .split(/,\s*/)
      .map((entry) => {
        const [, code = "", name = "", postalCodes = ""] = /^(\w\w) (.+) (\S+)$/.exec(entry) ?? [];
        return [code, { code, name, postalCodes: new RegExp(`^(?:${postalCodes})`) }];
      }),
  );

/** States and provinces of the countries where they are looked up. */
export const STATES: Readonly<Record<string, ReadonlyMap<string, State>>> = {
  US: readStates(`
    AL Alabama 3[56], AK Alaska 99[5-9], AZ Arizona 8[56], AR Arkansas 71[6-9]|72, CA California 9[0-5]|96[01],
    CO Colorado 8[01], CT Connecticut 06, DE Delaware 19[7-9], DC District of Columbia 20[02-5]|569,
    FL Florida 3[23]|34, GA Georgia 3[01]|39[89], HI Hawaii 96[78], ID Idaho 83[2-9], IL Illinois 6[0-2],
    IN Indiana 4[67], IA Iowa 5[0-2], KS Kansas 6[67], KY Kentucky 4[0-2], LA Louisiana 70|71[0-5],
    ME Maine 039|04, MD Maryland 20[36-9]|21, MA Massachusetts 01|02[0-7]|055, MI Michigan 4[89],
    MN Minnesota 55|56[0-7], MS Mississippi 38[6-9]|39[0-7], MO Missouri 6[3-5], MT Montana 59, NE Nebraska 6[89],
    NV Nevada 88[19]|89, NH New Hampshire 03[0-8], NJ New Jersey 0[78], NM New Mexico 87|88[0-4],
    NY New York 005|06390|1[0-4], NC North Carolina 2[78], ND North Dakota 58, OH Ohio 4[3-5], OK Oklahoma 7[34],
    OR Oregon 97, PA Pennsylvania 1[5-8]|19[0-6], RI Rhode Island 02[89], SC South Carolina 29, SD South Dakota 57,
    TN Tennessee 37|38[0-5], TX Texas 7[5-9]|885|733, UT Utah 84, VT Vermont 05, VA Virginia 201|2[23]|24[0-6],
    WA Washington 98|99[0-4], WV West Virginia 24[7-9]|2[56], WI Wisconsin 5[34], WY Wyoming 82|83[014],
    PR Puerto Rico 00[679], GU Guam 969, VI U.S. Virgin Islands 008, AS American Samoa 96799,
    MP Northern Mariana Islands 969, AA Armed Forces Americas 340, AE Armed Forces Europe 09,
    AP Armed Forces Pacific 96[2-6]`),
  CA: readStates(`
    AB Alberta T, BC British Columbia V, MB Manitoba R, NB New Brunswick E, NL Newfoundland and Labrador A,
    NS Nova Scotia B, NT Northwest Territories X, NU Nunavut X, ON Ontario [K-P], PE Prince Edward Island C,
    QC Quebec [GHJ], SK Saskatchewan S, YT Yukon Y`),
};
