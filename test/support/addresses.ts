/** A whole address. */
export const AUSTIN = {
  name: "Ada Mechanic",
  street: "1 Main St",
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  country: "US",
};
