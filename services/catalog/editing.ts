import type { Params, Result } from "@partline/api-contracts";
import { toDecimal } from "@partline/parts-language";
import { readPartNumber, Remark } from "@partline/price-files";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { outbox } from "../contracts.ts";
import type { catalogContract } from "./contract.ts";
import { changeEdits, type EditChange, listEdited, removeEdits } from "./part-edits.ts";
import { parsePartId } from "./part-number.ts";
import type { PartReader } from "./part-reader.ts";
import { mergeContent, type PartDocument, toDocument, toIndexedPart, type PartEdits } from "./part.ts";
import type { PartWriter } from "./part-writer.ts";
import type { Vendor } from "./vendors.ts";

type Actions = (typeof catalogContract)["actions"];
type EditedPart = Result<Actions["adminPart"]>;

/** The source of a part that was made by hand. */
const BY_HAND = "shop";

interface Deps {
  /** Reads hidden parts too. */
  reader: PartReader;
  writer: PartWriter;
  countHeld: (productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  toImageUrl: (mediaId: string) => string;
}

/** Parts as staff sees and changes them: what people say of a part outlives what its sources say later. */
export function createEditing({ reader, writer, countHeld, toImageUrl }: Deps) {
  const presentAll = async (parts: readonly PartDocument[]) => {
    const heldByPart = await countHeld(parts.map(({ _id }) => _id));
    return parts.map((part) => ({
      ...toIndexedPart(part, reader.names.getByCode(part.manufacturer.code), heldByPart.get(part._id)),
      hidden: part.hidden ?? false,
      edited: listEdited(part),
    }));
  };

  /** @throws NOT_FOUND */
  async function getPart(id: string): Promise<{ vendor: Vendor; part: PartDocument }> {
    const vendor = reader.names.find(parsePartId(id)?.vendorCode ?? "");
    const [part] = vendor ? await reader.findByIds(vendor, [id.toLowerCase()]) : [];
    if (!vendor || !part) throw notFound("Part", id);
    return { vendor, part };
  }

  async function read(id: string): Promise<EditedPart> {
    const { part } = await getPart(id);
    const [listedPart] = await presentAll([part]);
    if (!listedPart) throw notFound("Part", id);
    return { ...listedPart, version: part.edits?.version ?? 0, edits: presentEdits(part) };
  }

  const resolveImages = ({ images, ...change }: EditChange): EditChange => ({
    ...change,
    images: images && images.map((image) => (/^[0-9a-f]{64}$/.test(image) ? toImageUrl(image) : image)),
  });

  return {
    read,

    async list(vendors: readonly Vendor[], query: Parameters<PartReader["page"]>[1]) {
      const { parts, pagination } = await reader.page(vendors, query);
      return { parts: await presentAll(parts), pagination };
    },

    /** @throws NOT_FOUND; VALIDATION_FAILED; VERSION_CONFLICT if somebody edited the part since it was read */
    async changePart({ id, version, ...change }: Params<Actions["editPart"]>): Promise<EditedPart> {
      const { vendor, part } = await getPart(id);
      await writer.rewriteKnown(
        vendor,
        [part._id],
        (current, { now, revision }) => {
          const { edits = { version: 0, values: {} } } = current;
          const values = changeEdits(edits.values, resolveImages(change));
          // Also a repeat of what was done, which is no clash. Attributes in another order are another edit.
          if (JSON.stringify(values) === JSON.stringify(edits.values)) return undefined;
          if (version !== undefined && version !== edits.version) throw createStaleEditError(edits.version);
          return { ...current, edits: { ...edits, version: edits.version + 1, values }, revision, updatedAt: now };
        },
        ({ written: writtenCount }) => (writtenCount === 0 ? [] : [outbox("catalog.changed", { vendor: vendor.code })]),
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
      const values = changeEdits({}, resolveImages(fields));
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
        ({ written: writtenCount }) => (writtenCount === 0 ? [] : [outbox("catalog.changed", { vendor: vendor.code })]),
      );
      return read(id);
    },
  };
}

function presentEdits(part: PartDocument): EditedPart["edits"] {
  const { title, description, category, price, hidden, media, attributes, fits } = removeEdits(part);
  const sources: Record<keyof PartEdits, unknown> = {
    title,
    description: description ?? null,
    category,
    price: price === null ? null : toDecimal(price),
    hidden: hidden ?? false,
    images: media?.images?.map(({ url }) => url) ?? [],
    attributes: attributes ?? {},
    fits: fits ?? [],
  };
  const values = part.edits?.values ?? {};
  return Object.fromEntries(
    listEdited(part).map((field) => [field, { value: values[field], source: sources[field] }]),
  ) as EditedPart["edits"];
}

function createTakenError(vendor: Vendor, { partNumber, title }: PartDocument): PartlineError {
  return invalidField("partNumber", `is already a part of ${vendor.name}: ${partNumber} (${title})`);
}

function createStaleEditError(version: number): PartlineError {
  return new PartlineError("VERSION_CONFLICT", "The part was edited since you read it: read it again", { version });
}
