import { isDeepStrictEqual } from "node:util";
import { getAt } from "@partline/toolkit";
import type { StockPolicy } from "../../mixins/shop/shop-facts.ts";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  isWritten,
  type TaskHandler,
} from "@partline/durable";
import { invalidField } from "../../mixins/errors.ts";
import { foldName, isRetired } from "@partline/parts-language";
import { enqueue } from "../contracts.ts";
import type { PartReader } from "./part-reader.ts";
import type { PartWriter } from "./part-writer.ts";
import { DEFAULT_VENDORS, type Vendor, type Vendors } from "./vendors.ts";

/** Names that an operator gave a vendor; `_id` is the code in upper case. */
interface VendorNameDocument extends Document {
  name: string;
  aliases: string[];
}

const VENDOR_NAMES: CollectionDefinition = { name: "catalog_vendor_names" };

/** Another process's change is in effect after this, at most. */
const LOOK_EVERY_MS = 30_000;
/** Parts that are counted as changed at once. */
const BULK = 500;

interface Deps {
  documents: DocumentStore;
  vendors: Vendors;
  reader: Pick<PartReader, "listAfter" | "getRevision" | "listRevisions">;
  writer: Pick<PartWriter, "touch">;
  wake(): void;
  /** Announces that parts of the vendor have changed. */
  announce(vendor: Vendor): Promise<unknown>;
  getPolicy(code: string): StockPolicy;
  onError(error: unknown): void;
}

/** The vendors' names: the product's own, or what an operator has set in their place. */
export function createVendorNames(deps: Deps) {
  const { documents, vendors, reader, writer, wake, announce, getPolicy: policyOf, onError } = deps;
  const stored = documents.collection<VendorNameDocument>(VENDOR_NAMES);
  let timer: NodeJS.Timeout | undefined;

  /** Returns the codes of vendors whose names are not the product's own. */
  const refresh = async (): Promise<Set<string>> => {
    const inUse = await reader.listRevisions();
    const storedNames = await stored.find({}, { sort: { _id: 1 } });
    const codes = new Set(storedNames.map(({ _id }) => _id));
    const overrides = storedNames.map(({ _id, name, aliases }) => ({ code: _id, name, aliases }));
    // One that was forgotten during its first import goes by its code.
    for (const { vendor: code } of inUse)
      if (!codes.has(code) && !isOurs(code) && !isRetired(code)) overrides.push({ code, name: code, aliases: [] });
    vendors.use(overrides);
    return new Set(overrides.map(({ code }) => code));
  };
  vendors.refresh = refresh;
  /** Search holds names with each part, so the parts count as changed. */
  const enqueueRename = (code: string) => enqueue("catalog.renamed", code, { vendor: code });
  const put = (replacement: { _id: string; name: string; aliases: string[] }, isNew = false) => {
    const { _id } = replacement;
    const write = isNew
      ? { insertOne: replacement }
      : { replaceOne: { filter: { _id }, replacement, upsert: true as const } };
    return documents.atomically([{ collection: VENDOR_NAMES, ...write }, enqueueRename(_id)]);
  };

  return {
    refresh,
    /** @throws NOT_FOUND */
    getByCode: async (code: string): Promise<Vendor> => {
      await vendors.learn([code]);
      return vendors.getByCode(code);
    },
    list: async () => {
      const overriddenCodes = await refresh();
      const sortedVendors = vendors.all.toSorted((a, b) => (a.code < b.code ? -1 : 1));
      return sortedVendors.map((vendor) => {
        const { beyond: beyondStock, days: backorderDays } = policyOf(vendor.code);
        const isDefault = !overriddenCodes.has(vendor.code);
        return { ...vendor, aliases: [...vendor.aliases], isDefault, beyondStock, backorderDays };
      });
    },
    /** @throws VALIDATION_FAILED naming the field with a name or new code that is taken, or is none */
    async set(requestedCode: string, givenName: string | undefined, givenAliases: readonly string[], isNew = false) {
      const code = requestedCode.toUpperCase();
      const name = (givenName ?? code).trim();
      const aliases = givenAliases.map((alias) => alias.trim());
      if (isRetired(code)) throw invalidField("code", `${code} is no longer used`);
      await refresh();
      const names = [["name", name] as const, ...aliases.map((alias, index) => [`aliases[${index}]`, alias] as const)];
      for (const [field, value] of names) {
        if (foldName(value) === "") throw invalidField(field, "must have a letter or digit");
        const namesake = vendors.find(value);
        if (namesake && namesake.code !== code)
          throw invalidField(field, `is a name of ${namesake.code} (${namesake.name})`);
      }
      const currentVendor = vendors.all.find((vendor) => vendor.code === code);
      // A repeat of what was done is no clash.
      if (isNew && currentVendor && !isDeepStrictEqual([currentVendor.name, currentVendor.aliases], [name, aliases]))
        throw invalidField("code", `is already the code of ${currentVendor.name}`);
      if (!(await isWritten(put({ _id: code, name, aliases }, isNew && !currentVendor), "DUPLICATE_KEY")))
        throw invalidField("code", "was taken a moment ago");
      await refresh();
      wake();
    },
    /** A vendor that the product does not know goes by its code while it has parts, and is forgotten without them. */
    async reset(requestedCode: string): Promise<void> {
      const code = requestedCode.toUpperCase();
      if (!(await refresh()).has(code)) {
        vendors.getByCode(code);
        return;
      }
      if (!isOurs(code) && (await reader.getRevision(vendors.getByCode(code))) > 0)
        await put({ _id: code, name: code, aliases: [] });
      else
        await documents.atomically([
          { collection: VENDOR_NAMES, deleteOne: { filter: { _id: code } } },
          ...(isOurs(code) ? [enqueueRename(code)] : []),
        ]);
      await refresh();
      wake();
    },
    renamed: {
      run: async ({ vendor: code }, { signal, held, progress }) => {
        await refresh();
        const vendor = vendors.find(code);
        if (!vendor) return;
        for (let after = typeof progress?.after === "string" ? progress.after : ""; ;) {
          signal.throwIfAborted();
          const page = await reader.listAfter(vendor, after, BULK);
          if (page.length === 0) break;
          const ids = page.map(({ _id }) => _id);
          const last = getAt(ids, -1);
          await writer.touch(vendor, ids, () => [held({ after: last })]);
          after = last;
        }
        await announce(vendor);
      },
    } satisfies TaskHandler<{ vendor: string }>,
    follow(): void {
      timer = setInterval(() => void refresh().catch(onError), LOOK_EVERY_MS).unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}

function isOurs(code: string): boolean {
  return DEFAULT_VENDORS.find(code)?.code === code;
}
