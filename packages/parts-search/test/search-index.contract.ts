import { afterAll, beforeAll, describe } from "@jest/globals";
import type { SearchIndex } from "../src/search-index/port.ts";
import { buildSuite } from "./search-index.builds.ts";
import { PARTS } from "./search-index.documents.ts";
import { filterSuite } from "./search-index.filters.ts";
import { numberSuite } from "./search-index.numbers.ts";
import { propertySuite } from "./search-index.properties.ts";
import { wordSuite } from "./search-index.words.ts";
import { writeSuite } from "./search-index.writes.ts";
import type { IndexUnderTest, Place } from "./search-index.subject.ts";

/** The promises of packages/parts-search/src/search-index/port.ts, which every adapter keeps. */
export function searchIndexContract(name: string, newPlace: () => Place, { runs }: { runs: number }): void {
  describe(`search index: ${name}`, () => {
    const opened: SearchIndex[] = [];
    const trackedPlace = (): Place => {
      const place = newPlace();
      return {
        open: async () => {
          const index = await place.open();
          opened.push(index);
          return index;
        },
      };
    };
    let index: SearchIndex | undefined;
    beforeAll(async () => {
      index = await trackedPlace().open();
      await index.write({ documents: [...PARTS], progress: { BNS: 6, HON: 3, KMT: 2 } });
    });
    afterAll(() => Promise.all(opened.map((each) => each.close())));

    const underTest: IndexUnderTest = {
      get index() {
        return index!;
      },
      newPlace: trackedPlace,
      runs,
    };
    numberSuite(underTest);
    wordSuite(underTest);
    filterSuite(underTest);
    propertySuite(underTest);
    writeSuite(underTest);
    buildSuite(underTest);
  });
}
