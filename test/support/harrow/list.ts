import { SUPPLIERS } from "../../../services/catalog/suppliers/list.ts";
import type { Supplier } from "../../../services/catalog/suppliers/port.ts";
import { HARROW } from "./harrow.ts";

// In the product this is a line of the list. Imported before the catalog, it puts Harrow Supply there for a suite.
(SUPPLIERS as Supplier[]).push(HARROW);
