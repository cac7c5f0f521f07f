import { notFound } from "../../mixins/errors.ts";
import { readFileContent, writeContent } from "@partline/toolkit";
import { hasObjectStoreCode } from "@partline/durable";
import { type ImageDocument, type KeptFile, getObjectKey, type VariantDocument, VARIANTS } from "./collections.ts";
import type { Images, MediaStores } from "./images.ts";
import { MAX_PROVEN, MAX_VARIANTS, toMediaType } from "./limits.ts";
import { formatVariantName, type Variant } from "./variant.ts";

export type Variants = ReturnType<typeof createVariants>;

/** @param onUnnoted gets the error if a use could not be recorded; the variant is served all the same */
export function createVariants(
  { documents, objects, renderer, files }: MediaStores,
  images: Pick<Images, "get">,
  onUnnoted: (error: unknown) => void,
) {
  const variants = documents.collection<VariantDocument>(VARIANTS);
  const pendingFiles = new Map<string, Promise<KeptFile>>();
  const getVariantId = (image: string, variant: Variant): string => `${image}/${formatVariantName(variant)}`;

  const find = (image: string, variant: Variant): Promise<VariantDocument | null> =>
    variants.findOne({ _id: getVariantId(image, variant) });

  const noteUse = async (document: VariantDocument, now: Date): Promise<void> => {
    if (!isNoteworthy(document, now)) return;
    await variants.updateOne({ _id: document._id }, { $set: { usedAt: now } }).catch(onUnnoted);
  };

  const renderAndStore = (original: ImageDocument, variant: Variant): Promise<KeptFile> =>
    files.use(async (path) => {
      const [input, output] = [path(), path()];
      const { body } = await objects.get(getObjectKey(original._id, original)).catch((error: unknown) => {
        throw hasObjectStoreCode(error, "NOT_FOUND") ? notFound("Image", original._id) : error;
      });
      await writeContent(input, body);
      const { format, bytes, sha256 } = await renderer.run({ kind: "variant", input, output, original, variant });
      await objects.put(getObjectKey(original._id, { sha256 }), readFileContent(output), {
        contentType: toMediaType(format),
      });
      return { format, bytes, sha256 };
    });

  /** Stores the document of a variant, after all its bytes. Returns what is kept in the end. */
  const keep = async (image: string, variant: Variant, file: KeptFile): Promise<KeptFile> => {
    const first = { $setOnInsert: { image, ...file, madeAt: new Date() } };
    return (await variants.findOneAndUpdate({ _id: getVariantId(image, variant) }, first, { upsert: true }))!;
  };

  const remove = async ({ _id, image, sha256 }: Pick<VariantDocument, "_id" | "image" | "sha256">): Promise<void> => {
    await variants.deleteOne({ _id });
    // Two requests may give the same bytes, even those of the original.
    if ((await variants.count({ image, sha256 })) === 0 && (await images.get(image)).sha256 !== sha256)
      await objects.delete(getObjectKey(image, { sha256 }));
  };

  const removeSurplus = async (image: string, newVariant: Variant): Promise<void> => {
    if ((await variants.count({ image })) <= MAX_VARIANTS) return;
    const surplus = selectSurplus(await variants.find({ image }));
    // With a slow clock the new one may look oldest, and somebody waits for it.
    for (const variant of surplus) if (variant._id !== getVariantId(image, newVariant)) await remove(variant);
  };

  return {
    findOrMake: async (image: string, variant: Variant, make: () => Promise<KeptFile>): Promise<KeptFile> => {
      const existing = await find(image, variant);
      if (existing) {
        await noteUse(existing, new Date());
        return existing;
      }
      const id = getVariantId(image, variant);
      const pending = pendingFiles.get(id);
      if (pending) return pending;
      const making = make().finally(() => pendingFiles.delete(id));
      pendingFiles.set(id, making);
      return making;
    },
    /** @throws NOT_FOUND if the image is gone, and what the renderer throws */
    make: async (image: string, variant: Variant): Promise<KeptFile> => {
      const original = await images.get(image);
      const existing = await find(image, variant);
      if (existing) return existing;
      const rendered = await renderAndStore(original, variant);
      const stored = await keep(image, variant, rendered);
      try {
        await images.get(image);
      } catch (error) {
        // The image was deleted meanwhile.
        await variants.deleteOne({ _id: getVariantId(image, variant) });
        await objects.delete(getObjectKey(image, rendered));
        throw error;
      }
      await removeSurplus(image, variant);
      return stored;
    },
    forget: async (image: string, variant: Variant) => {
      await variants.deleteOne({ _id: getVariantId(image, variant) });
    },
  };
}

/** Uses are recorded once in this time, so that reads cost no writes. */
const NOTED_EVERY_MS = 3_600_000;

type Uses = Pick<VariantDocument, "madeAt" | "usedAt">;

export function isNoteworthy(variant: Uses, now: Date): boolean {
  return now.getTime() - getLastUse(variant) >= NOTED_EVERY_MS;
}

/**
 * Returns the variants that are too many. Half of the room is for variants used again, so that one client's odd sizes
 * cannot displace them; the rest goes by last use.
 */
export function selectSurplus<T extends Uses>(variants: readonly T[]): T[] {
  const latestFirst = [...variants].sort((a, b) => getLastUse(b) - getLastUse(a));
  const proven = new Set(latestFirst.filter(({ usedAt }) => usedAt !== undefined).slice(0, MAX_PROVEN));
  return latestFirst.filter((variant) => !proven.has(variant)).slice(MAX_VARIANTS - proven.size);
}

function getLastUse({ madeAt, usedAt }: Uses): number {
  return (usedAt ?? madeAt).getTime();
}
