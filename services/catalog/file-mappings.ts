import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { validationFailed } from "../../mixins/errors.ts";
import type { Mapping } from "@partline/price-files";
import { parseJson } from "@partline/toolkit";

interface MappingDocument extends Document {
  /** As JSON: its keys and values are the file's. */
  mapping: string;
  updatedAt: Date;
}

const MAPPINGS: CollectionDefinition = { name: "catalog_price_file_mappings", fields: { updatedAt: "date" } };

/** The mappings of columns that vendors' price files were last imported with. */
export function createMappings(documents: DocumentStore) {
  const mappings = documents.collection<MappingDocument>(MAPPINGS);
  return {
    find: async (vendor: string): Promise<Mapping | undefined> => {
      const document = await mappings.findOne({ _id: vendor });
      return document ? (JSON.parse(document.mapping) as Mapping) : undefined;
    },
    /** @param mapping an empty one is forgotten */
    keep: async (vendor: string, mapping: Mapping): Promise<void> => {
      if (Object.keys(mapping).length === 0) await mappings.deleteOne({ _id: vendor });
      else {
        const document = { _id: vendor, mapping: JSON.stringify(mapping), updatedAt: new Date() };
        await mappings.replaceOne({ _id: vendor }, document, { upsert: true });
      }
    },
  };
}

/** Reads the `mapping` of a request. @throws VALIDATION_FAILED unless it is a JSON object of names and positions */
export function readMapping(text: string | undefined): Mapping | undefined {
  if (text === undefined) return undefined;
  const mapping = parseJson(text);
  const isMapping =
    typeof mapping === "object" && mapping !== null && !Array.isArray(mapping) && Object.values(mapping).every(isPlace);
  if (isMapping) return mapping as Mapping;
  throw validationFailed({
    field: "mapping",
    message:
      "The 'mapping' field must be a JSON object: names of columns, with the file's header or position from 1, or null",
  });
}

function isPlace(place: unknown): boolean {
  return place === null || typeof place === "string" || (Number.isInteger(place) && Number(place) >= 1);
}
