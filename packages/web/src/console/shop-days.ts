import { daysIn } from "../../../../mixins/shop/shop-days.ts";
import { pageData } from "../shared/hydration.ts";
import type { ConsoleData } from "./page-data.ts";

/** Days and times of lists and figures are the shop's, wherever the person is. */
export const days = daysIn((pageData() as ConsoleData | null)?.timeZone ?? "UTC");
