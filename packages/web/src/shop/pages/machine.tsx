import type { ModelFigure, Pagination } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { toFigurePicture } from "../format.ts";
import { type Crumb, Breadcrumb, createBreadcrumbJsonLd } from "../kit/breadcrumb.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Layout } from "../layout.tsx";
import { SaveMachine } from "../account/machines.tsx";
import { MachineChoice } from "../machine/machine-choice.tsx";
import type { PageDefinition } from "../page.ts";
import type { Texts } from "../texts/en.ts";
import { PageLinks, pageIn, withinPages } from "../parts/page-links.tsx";

interface MachineData {
  /** The machine as the address has it: an id or a name. */
  model: string;
  equipment: string;
  name: string;
  serial: string;
  figures: ModelFigure[];
  pagination: Pagination;
}

const PAGE_SIZE = 24;
const LONGEST_SERIAL = 40;

/** Whether the API takes it. */
const isSerial = (text: string): boolean => /\d/.test(text) && text.length <= LONGEST_SERIAL;

/** The second step: the drawing. */
export const machine: PageDefinition<MachineData> = {
  path: "/machines/{model}",
  load: async ({ partline, params, query, address }) => {
    const model = params["model"]!;
    const serial = query.get("serial")?.trim() ?? "";
    const paging = { page: pageIn(query), pageSize: PAGE_SIZE };
    const answer = await partline.ai.fitmentFigures({
      model,
      serial: isSerial(serial) ? serial : undefined,
      ...paging,
    });
    const { models, figures, pagination } = withinPages(answer, address);
    const { equipment, manufacturer } = models[0]!;
    return { model, equipment, name: [manufacturer, equipment].filter(Boolean).join(" "), serial, figures, pagination };
  },
  head: ({ model, equipment, name }, { texts, origin }) => ({
    title: fill(texts.machineTitle, { name }),
    description: fill(texts.machineDescription, { name }),
    canonical: `${origin}/machines/${encodeURIComponent(model)}`,
    jsonLd: [createBreadcrumbJsonLd(listCrumbs(equipment, texts), origin)],
  }),
  View: Machine,
};

function listCrumbs(equipment: string, texts: Texts): Crumb[] {
  return [{ name: texts.machines, path: "/machines" }, { name: equipment }];
}

function Machine({ data }: { data: MachineData }): ReactNode {
  const { texts, user } = useShop();
  const { model, equipment, name, serial, figures, pagination } = data;
  const address = `/machines/${encodeURIComponent(model)}`;
  return (
    <Layout subject={{ name, equipment }}>
      <Breadcrumb crumbs={listCrumbs(equipment, texts)} />
      <h1>{fill(texts.machineTitle, { name })}</h1>
      <div className="actions machine-actions">
        <ButtonLink href={`/search?equipment=${encodeURIComponent(equipment)}`} kind="primary">
          {fill(texts.allPartsOf, { name })}
        </ButtonLink>
        <MachineChoice machine={{ model, equipment, name }} />
        {user && <SaveMachine machine={{ model, name, ...(isSerial(serial) && { serial }) }} />}
      </div>
      <form action={address} className="machine-form">
        <Field label={texts.serial} hint={texts.serialHint}>
          {(control) => (
            <input {...control} name="serial" defaultValue={serial} maxLength={LONGEST_SERIAL} autoComplete="off" />
          )}
        </Field>
        <Button>{texts.apply}</Button>
      </form>
      {serial !== "" && !isSerial(serial) && <p role="status">{fill(texts.serialUnusable, { serial })}</p>}
      {figures.length === 0 && <p>{texts.figuresNone}</p>}
      <ul className="figures">
        {figures.map((figure) => (
          <li key={figure.id}>
            <a href={`/figures/${encodeURIComponent(figure.id)}?model=${encodeURIComponent(model)}`}>
              <img
                src={toFigurePicture(figure.imageUrl)}
                alt=""
                width={240}
                height={180}
                loading="lazy"
                decoding="async"
              />
              <strong>{figure.schema === "" ? fill(texts.drawingOfPage, { page: figure.page }) : figure.schema}</strong>
            </a>
          </li>
        ))}
      </ul>
      <PageLinks
        page={pagination.page}
        pages={pagination.totalPages}
        addressOf={(page) => `${address}?${serial === "" ? "" : `serial=${encodeURIComponent(serial)}&`}page=${page}`}
      />
    </Layout>
  );
}
