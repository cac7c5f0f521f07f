import type { Params, Result } from "@partline/api-contracts";
import { toDecimal } from "@partline/parts-language";
import { listFits } from "@partline/parts-search";
import { readPartNumber, Remark } from "@partline/price-files";
import { assertVersion, invalidField, notFound, type PartlineError } from "../../mixins/errors.ts";
import { paginate } from "../../broker/contract/common.ts";
import { describeShelves } from "../../mixins/shop/shelves.ts";
import type { catalogContract } from "./contract.ts";
import { changeEdits, type EditChange, listEdited, removeEdits } from "./part-edits.ts";
import { findPartsById, getPartById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import { mergeContent, type PartDocument, toDocument, toIndexedPart, type PartEdits } from "./part.ts";
import { announceParts, type PartWriter } from "./part-writer.ts";
import type { Vendor } from "./vendors.ts";

type Actions = (typeof catalogContract)["actions"];
type EditedPart = Result<Actions["adminPart"]>;
type Pagination = Pick<Params<Actions["adminParts"]>, "page" | "pageSize">;

/** The source of a part that was made by hand. */
const BY_HAND = "shop";

interface Deps {
  /** Reads hidden parts too. */
  reader: PartReader;
  writer: PartWriter;
  countHeld: (productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  toImageUrl: (mediaId: string) => string;
  /** Returns which of these images are stored. */
  findImages: (mediaIds: string[]) => Promise<readonly string[]>;
}

const isImageId = (image: string): boolean => /^[0-9a-f]{64}$/.test(image);

/** Returns whether pages can show an address: by https or the product's own, without a password or markup in it. */
const isPublicAddress = (address: string, ownBase: string): boolean =>
  address.startsWith(ownBase) || /^https:\/\/(?![^/?#]*@)[^\s"'<>`\\]+$/i.test(address);

/** Parts as staff sees and changes them: what people say of a part outlives what its sources say later. */
export function createEditing({ reader, writer, countHeld, toImageUrl, findImages }: Deps) {
  const presentAll = async (parts: readonly PartDocument[]) => {
    const heldByPart = await countHeld(parts.map(({ _id }) => _id));
    return parts.map((part) => ({
      ...toIndexedPart(part, reader.names.getByCode(part.manufacturer.code), heldByPart.get(part._id)),
      hidden: part.hidden ?? false,
      edited: listEdited(part),
      shelf: describeShelves(part.shelves ?? []),
    }));
  };

  async function read(id: string): Promise<EditedPart> {
    const { part } = await getPartById(reader, id);
    const [listedPart] = await presentAll([part]);
    if (!listedPart) throw notFound("Part", id);
    const cost = part.cost === undefined ? undefined : toDecimal(part.cost);
    return { ...listedPart, cost, version: part.edits?.version ?? 0, edits: presentEdits(part) };
  }

  /** @throws VALIDATION_FAILED naming an image that is new, and neither stored here nor at an https address */
  async function resolveImages(change: EditChange, part?: PartDocument): Promise<EditChange> {
    const { images } = change;
    if (!images) return change;
    const currentUrls = [part, part && removeEdits(part)].flatMap((version) => version?.media?.images ?? []);
    const urls = images.map((image) => (isImageId(image) ? toImageUrl(image) : image));
    const isNew = (index: number): boolean => !currentUrls.some(({ url }) => url === urls[index]);
    const ids = images.filter((image, index) => isImageId(image) && isNew(index));
    const storedIds = ids.length > 0 ? await findImages(ids) : [];
    for (const [index, image] of images.entries()) {
      const isKnown = isImageId(image) ? storedIds.includes(image) : isPublicAddress(image, toImageUrl(""));
      if (isNew(index) && !isKnown)
        throw invalidField(`images[${index}]`, "must be an https address, or the id of a stored image");
    }
    return { ...change, images: urls };
  }

  return {
    read,

    async list(vendors: readonly Vendor[], query: Parameters<PartReader["page"]>[1]) {
      const { parts, pagination } = await reader.page(vendors, query);
      return { parts: await presentAll(parts), pagination };
    },

    /** Lists these parts, without those that the catalog does not have. */
    async listByIds(ids: readonly string[], { page, pageSize }: Pagination) {
      const parts = (await findPartsById(reader, ids)).filter((part) => part !== undefined);
      const shownParts = parts.slice((page - 1) * pageSize, page * pageSize);
      return { parts: await presentAll(shownParts), pagination: paginate(parts.length, page, pageSize) };
    },

    /** @throws NOT_FOUND; VALIDATION_FAILED; VERSION_CONFLICT if somebody edited the part since it was read */
    async changePart({ id, version, ...change }: Params<Actions["editPart"]>): Promise<EditedPart> {
      const { vendor, part } = await getPartById(reader, id);
      const resolvedChange = await resolveImages(change, part);
      await writer.rewriteKnown(
        vendor,
        [part._id],
        (current, { now, revision }) => {
          const { edits = { version: 0, values: {} } } = current;
          const values = changeEdits(current, resolvedChange);
          // Also a repeat of what was done, which is no clash. Attributes in another order are another edit.
          if (JSON.stringify(values) === JSON.stringify(edits.values)) return undefined;
          assertVersion("The part", version, edits.version);
          return { ...current, edits: { ...edits, version: edits.version + 1, values }, revision, updatedAt: now };
        },
        ({ written: writtenCount }) => (writtenCount === 0 ? [] : [announceParts(vendor, [part._id])]),
      );
      return read(part._id);
    },

    /**
     * Makes a part, once for a request; what is said of it are edits, so that they outlive a price file with its number.
     */
    async addPart(
      requestId: string,
      vendor: Vendor,
      { partNumber: writtenNumber, vendor: _code, ...fields }: Params<Actions["addPart"]>,
    ): Promise<EditedPart> {
      const number = readPartNumber(writtenNumber);
      if (number instanceof Remark) throw invalidField("partNumber", number.text);
      const { partNumber } = number;
      const values = changeEdits(undefined, await resolveImages(fields));
      const { title = fields.title } = values;
      let id = "";
      await writer.add(
        vendor,
        partNumber,
        (previousPart, facts) => {
          if (previousPart) {
            id = previousPart._id;
            if (previousPart.edits?.addedBy === requestId) return undefined;
            throw createTakenError(vendor, previousPart);
          }
          const content = mergeContent(vendor, { partNumber, title });
          const part = toDocument(vendor, content, { ...facts, source: BY_HAND });
          id = part._id;
          return { ...part, edits: { version: 1, values, addedBy: requestId } };
        },
        ({ written: writtenCount }) => (writtenCount === 0 ? [] : [announceParts(vendor, [id])]),
      );
      return read(id);
    },
  };
}

function presentEdits(part: PartDocument): EditedPart["edits"] {
  const { title, description, category, price, hidden, media, attributes } = removeEdits(part);
  const sources: Record<keyof PartEdits, unknown> = {
    title,
    description: description ?? null,
    category,
    price: price === null ? null : toDecimal(price),
    hidden: hidden ?? false,
    images: media?.images?.map(({ url }) => url) ?? [],
    attributes: attributes ?? {},
    fits: listFits(removeEdits(part)).map(({ machine }) => machine),
  };
  const values = part.edits?.values ?? {};
  return Object.fromEntries(
    listEdited(part).map((field) => [field, { value: values[field], source: sources[field] }]),
  ) as EditedPart["edits"];
}

function createTakenError(vendor: Vendor, { partNumber, title }: PartDocument): PartlineError {
  return invalidField("partNumber", `is already a part of ${vendor.name}: ${partNumber} (${title})`);
}
