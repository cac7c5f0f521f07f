import { useState, type ReactNode } from "react";
import { useMay } from "../may.ts";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts.ts";
import { Builds } from "./builds.tsx";
import { Indexes } from "./indexes.tsx";
import { Synonyms } from "./synonyms.tsx";
import { ZeroHits } from "./zero-hits.tsx";

/** The indexes, and the words that shoppers use. */
export function SearchPage(): ReactNode {
  const may = useMay();
  const [query, setQuery] = useState("");
  return (
    <Page title={texts.menu.search}>
      <Indexes />
      <Builds />
      {may("analytics:read") && <ZeroHits onTry={setQuery} />}
      <Synonyms query={query} onQuery={setQuery} />
    </Page>
  );
}
