/** Ids of the account's sections. */
export const SECTIONS = {
  machines: "machines",
  addresses: "addresses",
  cards: "cards",
  returns: "returns",
  personalData: "personal-data",
} as const;
