import { HARROW } from "./harrow/harrow.ts";
import { KMT } from "./kmt/kmt.ts";
import type { Supplier } from "./port.ts";

/** Every supplier with an API of its own. docs/recipes/a-supplier.md says how to add one. */
export const SUPPLIERS: readonly Supplier[] = [KMT, HARROW];
