import type { ServiceBroker } from "moleculer";
import type { CallOrigin } from "../../../../broker/contract/call.ts";
import type { Embeddings } from "../../../../mixins/embeddings/port.ts";
import { call } from "../../../contracts.ts";
import type { FitmentReader } from "../../../../mixins/fitment-index/reader.ts";
import type { CatalogHit, FoundPart, Offer } from "../facts.ts";
import { UNKNOWN_OFFER } from "../facts.ts";
import type { DeskSources } from "./sources.ts";

/** An answer does without the catalog's search where that takes longer; milliseconds. */
const SEARCH_DEADLINE = 2_000;
/** For what the search service has three seconds for; milliseconds. */
const OFFER_DEADLINE = 3_200;
const CATALOG_DEADLINE = 1_000;
const VECTOR_DEADLINE = 1_000;
/** Numbers in one question to the search service. */
const ASKED_AT_ONCE = 10;
/** Characters that it takes of a number, and of a search. */
const LONGEST_NUMBER = 100;
const LONGEST_SEARCH = 200;

/** Reasons for which the catalog's own values are all that there is to know; any other is trouble with the supplier. */
const NOT_TROUBLE: readonly string[] = ["not_listed", "not_asked", "retired_vendor"];

export interface SourceDeps {
  /** Who calls other services: a call's own context, so that they are under its request id. */
  origin: CallOrigin;
  logger: Pick<ServiceBroker["logger"], "debug">;
  reader: Pick<FitmentReader, "byModel" | "byPart" | "nearNumbers" | "directory">;
  passages: DeskSources["passages"];
  embeddings?: Embeddings;
}

/**
 * The desk's sources as this system has them: manuals in this service's own store, the catalog through other services.
 */
export function createBrokerSources({ origin, logger, reader, passages, embeddings }: SourceDeps): DeskSources {
  const without =
    <T>(what: string, instead: T) =>
    (error: unknown): T => {
      logger.debug(what, error);
      return instead;
    };
  const failed =
    (what: string) =>
    (error: unknown): never => {
      logger.debug(what, error);
      throw error;
    };
  const statusOf = async (id: string): Promise<Pick<Offer, "slug" | "status">> => {
    try {
      const { slug, status } = await call(origin, "catalog.get", { id }, { timeout: CATALOG_DEADLINE });
      return { slug, status };
    } catch (error) {
      return without("The catalog could not be asked for a part", { slug: null, status: null })(error);
    }
  };
  const ask = async (partNumbers: readonly string[]) => {
    const pages = Array.from({ length: Math.ceil(partNumbers.length / ASKED_AT_ONCE) }, (_, at) =>
      partNumbers.slice(at * ASKED_AT_ONCE, (at + 1) * ASKED_AT_ONCE),
    );
    const answers = await Promise.all(
      pages.map((page) =>
        call(origin, "search.aiAvailability", { partNumbers: [...page] }, { timeout: OFFER_DEADLINE }).then(
          ({ results }) => results,
          without(
            "Price and stock could not be asked for",
            page.map(() => undefined),
          ),
        ),
      ),
    );
    return answers.flat();
  };
  return {
    modelsNamedIn: async (text) => (await reader.directory()).models.namedIn(text),
    allModels: async () =>
      [...(await reader.directory()).manuals.values()].flatMap(({ equipment, manufacturer }) =>
        equipment.map((name) => ({ equipment: name, manufacturer })),
      ),
    byModel: async (model) => (await reader.byModel(model)).rows,
    byPart: async (pnNorm) => (await reader.byPart(pnNorm)).rows,
    nearNumbers: (pnNorm) => reader.nearNumbers(pnNorm),
    passages: (query) => passages(query).catch(failed("The manuals' passages could not be searched")),
    catalog: (query, limit) =>
      call(origin, "search.lookUp", { q: query.slice(0, LONGEST_SEARCH), limit }, { timeout: SEARCH_DEADLINE }).then(
        ({ hits }): CatalogHit[] =>
          hits.map(({ id, slug, partNumber, title, manufacturer, status, supersededBy }) => ({
            id,
            slug,
            partNumber,
            title,
            manufacturer,
            status,
            supersededBy,
          })),
        failed("The catalog could not be searched"),
      ),
    async offers(parts) {
      const spellings = parts.map(spellingsOf);
      const numbers = [...new Set(spellings.flat())];
      // What the catalog's search has found is most likely what is told of: its status is asked for meanwhile.
      const statuses = parts.map(({ catalog }) => (catalog ? statusOf(catalog.id) : undefined));
      const answers = new Map((await ask(numbers)).map((answer, at) => [numbers[at]!, answer]));
      return Promise.all(
        parts.map(async ({ catalog }, at): Promise<Offer> => {
          const all = spellings[at]!.map((number) => answers.get(number));
          const told = all.find((answer) => answer?.found === true);
          // Nobody answered: that is no news of the part.
          if (!told || told.id === null)
            return { ...UNKNOWN_OFFER, supplierFailed: all.length > 0 && all.every((answer) => answer === undefined) };
          const { id, price, availability, stock, live, reason } = told;
          const status = await (id === catalog?.id ? statuses[at]! : statusOf(id));
          return {
            id,
            price,
            availability,
            stock,
            live,
            supplierFailed: reason !== null && !NOT_TROUBLE.includes(reason),
            ...status,
          };
        }),
      );
    },
    ...(embeddings && {
      vector: (text) =>
        embeddings
          .embed([text], { deadlineMs: VECTOR_DEADLINE })
          .then(([vector]) => vector, without("The question could not be embedded", undefined)),
    }),
  };
}

/** With the vendor that the manual hints at, and without, as a hint may be of another maker than the catalog's. */
function spellingsOf({ partNumber, vendor, catalog }: Pick<FoundPart, "partNumber" | "vendor" | "catalog">): string[] {
  const spellings = catalog
    ? [`${catalog.manufacturer.code} ${catalog.partNumber}`]
    : [...(vendor === undefined ? [] : [`${vendor} ${partNumber}`]), partNumber];
  return spellings.filter((number) => number.length <= LONGEST_NUMBER);
}
