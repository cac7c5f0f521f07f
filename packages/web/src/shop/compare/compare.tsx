import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { CLOSE, COMPARE } from "../kit/icons/ui.ts";
import { clearCompared, type ComparedPart, MOST_COMPARED, toCompareAddress } from "./compared-parts.ts";
import { toggleCompared, useCompared } from "./compared-parts.ts";

const FORM = "compare";

/** Renders the box that sets a part beside others. Without a script it is a field of the bar's form. */
export function CompareBox({ part }: { part: ComparedPart }): ReactNode {
  const { texts } = useShop();
  const compared = useCompared();
  const isSet = compared.some(({ slug }) => slug === part.slug);
  return (
    <label className="tick compare-box no-print">
      <input
        type="checkbox"
        form={FORM}
        name="part"
        value={part.slug}
        autoComplete="off"
        checked={isSet}
        disabled={!isSet && compared.length >= MOST_COMPARED}
        onChange={() => toggleCompared(part)}
      />
      <span>
        {texts.compare}
        <span className="hidden">: {part.title}</span>
      </span>
    </label>
  );
}

/** Renders what is ticked and the way to see it, over the page's lower edge. */
export function CompareBar(): ReactNode {
  const { texts, partline } = useShop();
  const compared = useCompared();
  const slugs = compared.map(({ slug }) => slug);
  return (
    <form id={FORM} action="/compare" className="no-print">
      {!partline && (
        <noscript>
          <button>{texts.compare}</button>
        </noscript>
      )}
      {compared.length > 0 && (
        <div role="region" aria-label={texts.compare} className="compare-bar">
          <ul>
            {compared.map((part) => (
              <li key={part.slug}>
                <span>{part.title}</span>
                <Button
                  type="button"
                  kind="bare"
                  aria-label={fill(texts.compareRemove, { title: part.title })}
                  onClick={() => toggleCompared(part)}
                >
                  <Icon path={CLOSE} size="small" />
                </Button>
              </li>
            ))}
          </ul>
          <Button type="button" kind="plain" onClick={clearCompared}>
            {texts.compareNone}
          </Button>
          {compared.length > 1 ? (
            <ButtonLink kind="primary" href={toCompareAddress(slugs)}>
              <Icon path={COMPARE} size="small" />
              {fill(texts.compareCount, { count: compared.length })}
            </ButtonLink>
          ) : (
            <span className="soft">{texts.compareMore}</span>
          )}
        </div>
      )}
    </form>
  );
}
