import type { ImageFormat } from "../limits.ts";
import type { Picture, Variant } from "../variant.ts";

/** Work on one image: from a file into a file. */
export type RenderJob = { input: string; output: string } &
  /** The original, as it is kept. */
  (
    | { kind: "original"; format: ImageFormat }
    | { kind: "variant"; original: Pick<Picture, "format" | "pages">; variant: Variant }
  );

/** What is in the output. */
export interface Rendered extends Picture {
  bytes: number;
  sha256: string;
}

/**
 * How a job ended; `refused` is what is wrong with the image, in words for who sent it; `code` is the system's, of a
 * file that could not be written.
 */
export type RenderOutcome = { rendered: Rendered } | { refused: string } | { failed: string; code?: string };
