import { conversionProjection } from "./conversion.ts";
import { ordersProjection } from "./orders.ts";
import type { Projection } from "./projection.ts";
import { searchesProjection } from "./searches.ts";

export const PROJECTIONS: readonly Projection[] = [ordersProjection, conversionProjection, searchesProjection];
