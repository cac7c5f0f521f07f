import type { FitmentMakeList, FitmentModelList } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { count } from "../../shared/numbers.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Tile } from "../kit/tile.tsx";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { PageLinks, pageIn, withinPages } from "../parts/page-links.tsx";

interface MachinesData {
  make: string;
  q: string;
  /** Models, if anything was typed or chosen; makes otherwise. */
  results: FitmentModelList | FitmentMakeList;
}

const PAGE_SIZE = 50;

/** The first step from a machine to a part: its make, then its model. */
export const machines: PageDefinition<MachinesData> = {
  path: "/machines",
  load: async ({ partline, query, address }) => {
    const make = query.get("make")?.trim() ?? "";
    const q = query.get("q")?.trim() ?? "";
    const paging = { page: pageIn(query), pageSize: PAGE_SIZE };
    const results =
      make === "" && q === ""
        ? await partline.ai.fitmentMakes(paging)
        : await partline.ai.fitmentModels({ make: make || undefined, q: q || undefined, ...paging });
    return { make, q, results: withinPages(results, address) };
  },
  head: ({ make }, { texts, origin }) => ({
    title: make === "" ? texts.machines : `${texts.machines}: ${make}`,
    description: texts.machinesDescription,
    canonical: `${origin}/machines${make === "" ? "" : `?make=${encodeURIComponent(make)}`}`,
  }),
  View: Machines,
};

function Machines({ data: { make, q, results } }: { data: MachinesData }): ReactNode {
  const { texts, language } = useShop();
  const { near, pagination } = results;
  const getAddress = (page: number): string => {
    const params = Object.entries({ make, q, page: String(page) }).filter(([, value]) => value !== "");
    return `/machines?${new URLSearchParams(params).toString()}`;
  };
  return (
    <Layout>
      <h1>{texts.machines}</h1>
      <p>{texts.machinesDescription}</p>
      <form action="/machines" className="machine-form">
        <Field label={texts.make}>
          {(control) => <input {...control} name="make" defaultValue={make} maxLength={100} autoComplete="off" />}
        </Field>
        <Field label={texts.model}>
          {(control) => <input {...control} name="q" defaultValue={q} maxLength={100} autoComplete="off" />}
        </Field>
        <Button kind="primary">{texts.find}</Button>
      </form>
      {near && <p role="status">{texts.near}</p>}
      {pagination.total === 0 && <p>{texts.machinesNone}</p>}
      <ul className="tiles">
        {"makes" in results
          ? results.makes.map(({ make: name, models }) => (
              <Tile
                key={name}
                href={`/machines?make=${encodeURIComponent(name)}`}
                note={models === 1 ? texts.modelCountOne : fill(texts.modelCount, { count: count(models, language) })}
              >
                {name}
              </Tile>
            ))
          : results.models.map(({ id, equipment, manufacturer }) => (
              <Tile key={id} href={`/machines/${encodeURIComponent(id)}`}>
                {manufacturer} {equipment}
              </Tile>
            ))}
      </ul>
      <PageLinks page={pagination.page} pages={pagination.totalPages} addressOf={getAddress} />
    </Layout>
  );
}
