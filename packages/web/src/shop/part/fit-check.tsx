import type { WholePart } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop, type Shop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { Icon } from "../kit/icon.tsx";
import { CHECK, WARNING } from "../kit/icons/ui.ts";
import { suggestModels } from "../machine/machine-field.tsx";
import { manualAddress } from "../manual-address.ts";
import { SuggestField } from "../suggest-field.tsx";
import type { Texts } from "../texts/en.ts";
import type { FitAnswer } from "./fitment.ts";
import { nameCategory } from "../parts/category.ts";

const MOST_NAMED = 3;

/** Says that a part fits a machine: how many it needs, in which drawing. */
export function describeFit({ quantity, schema }: NonNullable<FitAnswer["fit"]>, name: string, texts: Texts): string {
  return [
    fill(texts.fitsName, { name }),
    ...(quantity === null ? [] : [fill(texts.needed, { count: quantity })]),
    ...(schema === "" ? [] : [schema]),
  ].join(" · ");
}

interface FitCheckProps {
  part: WholePart;
  answer: FitAnswer | undefined;
}

/** Names the machines that a part is listed for: the first few. */
export function nameListedMachines({ fitment }: WholePart, texts: Texts): string | undefined {
  const machines = [...new Set(fitment.map(({ equipment }) => equipment))];
  if (machines.length === 0) return undefined;
  const rest = machines.length - MOST_NAMED;
  return machines.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` ${fill(texts.fitsMore, { count: rest })}` : "");
}

/**
 * Renders one field for a machine, and whether the part fits it. A form of the page itself: it works without a script.
 */
export function FitCheck({ part, answer }: FitCheckProps): ReactNode {
  const { texts } = useShop();
  const [example] = part.fitment;
  return (
    <Card heading={texts.fitAsk} id="fit">
      {answer && <Answer part={part} answer={answer} />}
      <form action={`/parts/${encodeURIComponent(part.slug)}#fit`} className="fit-check">
        <SuggestField
          label={texts.fitModel}
          isLabelShown
          {...(example && { placeholder: fill(texts.forExample, { example: example.equipment }) })}
          name="machine"
          value={answer?.name ?? ""}
          suggest={suggestModels}
          onTake={({ content }) => {
            location.assign(
              `/parts/${encodeURIComponent(part.slug)}?machine=${encodeURIComponent(typeof content === "string" ? content : "")}#fit`,
            );
          }}
        >
          <Button>{texts.fitCheck}</Button>
        </SuggestField>
      </form>
      {!example && <p className="soft small">{texts.fitsNone}</p>}
    </Card>
  );
}

function Answer({ part, answer: { name, model, equipment, fit } }: { part: WholePart; answer: FitAnswer }): ReactNode {
  const shop: Shop = useShop();
  const { texts } = shop;
  return (
    <div role="status" className={fit ? "fit-answer good" : "fit-answer"}>
      <Icon path={fit ? CHECK : WARNING} />
      <div>
        {fit ? (
          <strong>{describeFit(fit, name, texts)}</strong>
        ) : (
          <strong>{fill(model === undefined ? texts.fitUnknown : texts.fitNot, { name })}</strong>
        )}
        <p className="small">
          {fit?.pdf_link != null && <a href={manualAddress(fit.pdf_link, part.partNumber)}>{texts.openPage}</a>}
          {!fit && model !== undefined && equipment !== undefined && (
            <a href={`/search?${new URLSearchParams({ category: part.category, equipment }).toString()}`}>
              {fill(texts.fitOthers, { category: nameCategory(part.category, texts), name })}
            </a>
          )}
          {!fit && model === undefined && <a href="/machines">{texts.machines}</a>}
        </p>
      </div>
    </div>
  );
}
