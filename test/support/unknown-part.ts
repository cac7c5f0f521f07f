/** What availability says of a number that nobody has. */
export const createUnknownPart = (partNumber: string) => ({
  partNumber,
  found: false,
  id: null,
  title: null,
  price: null,
  status: null,
  availability: null,
  stock: null,
  live: false,
  ageSeconds: null,
  reason: null,
});
