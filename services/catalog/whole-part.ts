import type { Infer } from "../../broker/contract/rules.ts";
import type { wholePartRule } from "../shared/indexed-part.ts";
import type { ManualFitment } from "../shared/manual-fitment.ts";
import { interchangeOf, kitOf } from "./interchange/answers.ts";
import type { CrossReferences } from "./interchange/cross-references.ts";
import type { PartReader } from "./part-reader.ts";
import { type PartDocument, toIndexedPart } from "./part.ts";
import { supersessionOf } from "./supersession.ts";
import type { Vendor } from "./vendors.ts";

interface Sources {
  reader: PartReader;
  references: Pick<CrossReferences, "reach">;
  fitmentOf: ManualFitment["fitmentOf"];
  /** What it fits could not be read. */
  onError(error: unknown): void;
}

/** A part with all that is known of it. */
export async function wholePart(
  vendor: Vendor,
  document: PartDocument,
  { reader, references, fitmentOf, onError }: Sources,
): Promise<Infer<typeof wholePartRule>> {
  const [fitment, supersession, interchange, kit] = await Promise.all([
    fitmentOf(document).catch((error: unknown) => {
      onError(error);
      return undefined;
    }),
    supersessionOf(reader, vendor, document),
    interchangeOf(document, references, reader),
    kitOf(document, reader),
  ]);
  return {
    ...toIndexedPart(document, vendor),
    fitment: fitment ?? [],
    supersession,
    interchange,
    kit,
    missing: fitment ? undefined : ["fitment"],
  };
}
