import { isDeepStrictEqual } from "node:util";
import type { StockPolicy } from "../../broker/settings/stock.ts";
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

/** What an operator says of a vendor; `_id` is the code in upper case. */
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
  reader: Pick<PartReader, "after" | "revision" | "revisions">;
  writer: Pick<PartWriter, "touch">;
  wake(): void;
  /** Announces that parts of the vendor have changed. */
  announce(vendor: Vendor): Promise<unknown>;
  policyOf(code: string): StockPolicy;
  onError(error: unknown): void;
}

/** The vendors' names: the product's own, or what an operator has set in their place. */
export function createVendorNames({ documents, vendors, reader, writer, wake, announce, policyOf, onError }: Deps) {
  const stored = documents.collection<VendorNameDocument>(VENDOR_NAMES);
  let timer: NodeJS.Timeout | undefined;

  /** Returns the codes of vendors whose names are not the product's own. */
  const refresh = async (): Promise<Set<string>> => {
    const inUse = await reader.revisions();
    const named = await stored.find({}, { sort: { _id: 1 } });
    const codes = new Set(named.map(({ _id }) => _id));
    const own = named.map(({ _id, name, aliases }) => ({ code: _id, name, aliases }));
    // One that was forgotten during its first import goes by its code.
    for (const { vendor: code } of inUse)
      if (!codes.has(code) && !isOurs(code) && !isRetired(code)) own.push({ code, name: code, aliases: [] });
    vendors.use(own);
    return new Set(own.map(({ code }) => code));
  };
  /** Search holds names with each part, so the parts count as changed. */
  const renamed = (code: string) => enqueue("catalog.renamed", code, { vendor: code });
  const put = (replacement: { _id: string; name: string; aliases: string[] }, isNew = false) => {
    const { _id } = replacement;
    const write = isNew
      ? { insertOne: replacement }
      : { replaceOne: { filter: { _id }, replacement, upsert: true as const } };
    return documents.atomically([{ collection: VENDOR_NAMES, ...write }, renamed(_id)]);
  };

  return {
    refresh,
    /** @throws NOT_FOUND */
    byCode: async (code: string): Promise<Vendor> => {
      // Another process may have taken it in.
      if (!vendors.find(code)) await refresh();
      return vendors.byCode(code);
    },
    list: async () => {
      const named = await refresh();
      const all = vendors.all.toSorted((a, b) => (a.code < b.code ? -1 : 1));
      return all.map((vendor) => {
        const { beyond: beyondStock, days: backorderDays } = policyOf(vendor.code);
        const isDefault = !named.has(vendor.code);
        return { ...vendor, aliases: [...vendor.aliases], isDefault, beyondStock, backorderDays };
      });
    },
    /** @throws VALIDATION_FAILED naming the field with a name or new code that is taken, or is none */
    async set(given: string, givenName: string | undefined, givenAliases: readonly string[], isNew = false) {
      const code = given.toUpperCase();
      const name = (givenName ?? code).trim();
      const aliases = givenAliases.map((alias) => alias.trim());
      if (isRetired(code)) throw invalidField("code", `${code} is no longer used`);
      await refresh();
      const names = [["name", name] as const, ...aliases.map((alias, at) => [`aliases[${at}]`, alias] as const)];
      for (const [field, each] of names) {
        if (foldName(each) === "") throw invalidField(field, "must have a letter or digit");
        const known = vendors.find(each);
        if (known && known.code !== code) throw invalidField(field, `is a name of ${known.code} (${known.name})`);
      }
      const own = vendors.all.find((vendor) => vendor.code === code);
      // A repeat of what was done is no clash.
      if (isNew && own && !isDeepStrictEqual([own.name, own.aliases], [name, aliases]))
        throw invalidField("code", `is the code of ${own.name} already`);
      if (!(await isWritten(put({ _id: code, name, aliases }, isNew && !own), "DUPLICATE_KEY")))
        throw invalidField("code", "was taken a moment ago");
      await refresh();
      wake();
    },
    /** A vendor that the product does not know goes by its code while it has parts, and is forgotten without them. */
    async reset(given: string): Promise<void> {
      const code = given.toUpperCase();
      if (!(await refresh()).has(code)) {
        vendors.byCode(code);
        return;
      }
      if (!isOurs(code) && (await reader.revision(vendors.byCode(code))) > 0)
        await put({ _id: code, name: code, aliases: [] });
      else
        await documents.atomically([
          { collection: VENDOR_NAMES, deleteOne: { filter: { _id: code } } },
          ...(isOurs(code) ? [renamed(code)] : []),
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
          const page = await reader.after(vendor, after, BULK);
          if (page.length === 0) break;
          const ids = page.map(({ _id }) => _id);
          const last = ids.at(-1)!;
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
