import type { SearchIndex } from "../src/search-index/port.ts";

/** Where the data of one index are, and how it is opened over them. */
export interface Place {
  open(): Promise<SearchIndex>;
}

export interface IndexUnderTest {
  /** Holds PARTS; tests only read it. */
  readonly index: SearchIndex;
  /** A place that no other test uses, empty; what is opened there is closed after the suite. */
  newPlace(): Place;
  /** How many cases a property tries. */
  readonly runs: number;
}
