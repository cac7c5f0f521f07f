import { KMT } from "./kmt/kmt.ts";
import type { Supplier } from "./port.ts";

/** Suppliers with an API of their own; see docs/recipes/a-supplier.md. */
export const SUPPLIERS: readonly Supplier[] = [KMT];
