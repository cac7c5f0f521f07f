import { notFound } from "../../mixins/errors.ts";
import { fileContent, writeContent } from "@partline/toolkit";
import { hasObjectStoreCode } from "@partline/durable";
import { type ImageDocument, type KeptFile, objectKeyOf, type VariantDocument, VARIANTS } from "./collections.ts";
import type { Images, MediaStores } from "./images.ts";
import { MAX_PROVEN, MAX_VARIANTS, mediaTypeOf } from "./limits.ts";
import { nameOf, type Variant } from "./variant.ts";

export type Variants = ReturnType<typeof createVariants>;

/** @param onUnnoted gets the error if a use could not be recorded; the variant is served all the same */
export function createVariants(
  { documents, objects, renderer, files }: MediaStores,
  images: Pick<Images, "get">,
  onUnnoted: (error: unknown) => void,
) {
  const variants = documents.collection<VariantDocument>(VARIANTS);
  const underWay = new Map<string, Promise<KeptFile>>();
  const idOf = (image: string, variant: Variant): string => `${image}/${nameOf(variant)}`;

  const find = (image: string, variant: Variant): Promise<VariantDocument | null> =>
    variants.findOne({ _id: idOf(image, variant) });

  const noteUse = async (kept: VariantDocument, now: Date): Promise<void> => {
    if (!isNoteworthy(kept, now)) return;
    await variants.updateOne({ _id: kept._id }, { $set: { usedAt: now } }).catch(onUnnoted);
  };

  const rendered = (original: ImageDocument, variant: Variant): Promise<KeptFile> =>
    files.use(async (path) => {
      const [input, output] = [path(), path()];
      const { body } = await objects.get(objectKeyOf(original._id, original)).catch((error: unknown) => {
        throw hasObjectStoreCode(error, "NOT_FOUND") ? notFound("Image", original._id) : error;
      });
      await writeContent(input, body);
      const { format, bytes, sha256 } = await renderer.run({ kind: "variant", input, output, original, variant });
      await objects.put(objectKeyOf(original._id, { sha256 }), fileContent(output), {
        contentType: mediaTypeOf(format),
      });
      return { format, bytes, sha256 };
    });

  /** The document comes last, when all bytes are stored. Returns what is kept in the end. */
  const keep = async (image: string, variant: Variant, made: KeptFile): Promise<KeptFile> => {
    const first = { $setOnInsert: { image, ...made, madeAt: new Date() } };
    return (await variants.findOneAndUpdate({ _id: idOf(image, variant) }, first, { upsert: true }))!;
  };

  const remove = async ({ _id, image, sha256 }: Pick<VariantDocument, "_id" | "image" | "sha256">): Promise<void> => {
    await variants.deleteOne({ _id });
    // Two requests may give the same bytes, even those of the original.
    if ((await variants.count({ image, sha256 })) === 0 && (await images.get(image)).sha256 !== sha256)
      await objects.delete(objectKeyOf(image, { sha256 }));
  };

  const removeSurplus = async (image: string, made: Variant): Promise<void> => {
    if ((await variants.count({ image })) <= MAX_VARIANTS) return;
    const surplus = surplusOf(await variants.find({ image }));
    // With a slow clock the new one may look oldest, and somebody waits for it.
    for (const variant of surplus) if (variant._id !== idOf(image, made)) await remove(variant);
  };

  return {
    findOrMake: async (image: string, variant: Variant, make: () => Promise<KeptFile>): Promise<KeptFile> => {
      const kept = await find(image, variant);
      if (kept) {
        await noteUse(kept, new Date());
        return kept;
      }
      const id = idOf(image, variant);
      const begun = underWay.get(id);
      if (begun) return begun;
      const making = make().finally(() => underWay.delete(id));
      underWay.set(id, making);
      return making;
    },
    /** @throws NOT_FOUND if the image is gone, and what the renderer throws */
    make: async (image: string, variant: Variant): Promise<KeptFile> => {
      const original = await images.get(image);
      const known = await find(image, variant);
      if (known) return known;
      const made = await rendered(original, variant);
      const kept = await keep(image, variant, made);
      try {
        await images.get(image);
      } catch (error) {
        // The image was deleted meanwhile.
        await variants.deleteOne({ _id: idOf(image, variant) });
        await objects.delete(objectKeyOf(image, made));
        throw error;
      }
      await removeSurplus(image, variant);
      return kept;
    },
    forget: async (image: string, variant: Variant) => {
      await variants.deleteOne({ _id: idOf(image, variant) });
    },
  };
}

/** Uses are recorded once in this time, so that reads cost no writes. */
const NOTED_EVERY_MS = 3_600_000;

type Uses = Pick<VariantDocument, "madeAt" | "usedAt">;

export function isNoteworthy(variant: Uses, now: Date): boolean {
  return now.getTime() - lastUseOf(variant) >= NOTED_EVERY_MS;
}

/**
 * Returns the variants that are too many. Half of the room is for variants used again, so that one client's odd sizes
 * cannot displace them; the rest goes by last use.
 */
export function surplusOf<T extends Uses>(variants: readonly T[]): T[] {
  const latestFirst = [...variants].sort((one, other) => lastUseOf(other) - lastUseOf(one));
  const proven = new Set(latestFirst.filter(({ usedAt }) => usedAt !== undefined).slice(0, MAX_PROVEN));
  return latestFirst.filter((variant) => !proven.has(variant)).slice(MAX_VARIANTS - proven.size);
}

function lastUseOf({ madeAt, usedAt }: Uses): number {
  return (usedAt ?? madeAt).getTime();
}
