import { browserClient } from "../shared/partline.ts";

export const partline = browserClient("catalog", "eventstore");
