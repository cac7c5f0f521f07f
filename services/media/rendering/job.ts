import type { ImageFormat } from "../limits.ts";
import type { Picture, Variant } from "../variant.ts";

/** From file to file. */
export type RenderJob = { input: string; output: string } & (
  | { kind: "original"; format: ImageFormat }
  | { kind: "variant"; original: Pick<Picture, "format" | "pages">; variant: Variant }
);

export interface Rendered extends Picture {
  bytes: number;
  sha256: string;
}
