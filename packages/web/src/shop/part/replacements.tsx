import type { WholePart } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Card } from "../kit/card.tsx";
import { Icon } from "../kit/icon.tsx";
import { CHEVRON_RIGHT } from "../kit/icons/ui.ts";

interface Step {
  number: string;
  note: string;
  /** Of its page; the part itself has none, nor one that the shop does not have. */
  id?: string;
  isHere?: boolean;
}

/** Renders which parts it replaced and which replaced it, as a line of boxes; nothing if there is none. */
export function Replacements({ part }: { part: WholePart }): ReactNode {
  const { texts } = useShop();
  const { supersedes, supersededBy, unknownSuccessor } = part.supersession;
  if (supersedes.length + supersededBy.length === 0 && unknownSuccessor === null) return null;
  const toStep = ({ id, partNumber, title }: (typeof supersedes)[number], note: string): Step => ({
    ...{ id, number: partNumber },
    note: `${note}: ${title}`,
  });
  const steps: Step[] = [
    ...supersedes.toReversed().map((old) => toStep(old, texts.supersedes)),
    { number: part.partNumber, note: texts.thisPart, isHere: true },
    ...supersededBy.map((successor) => toStep(successor, texts.supersededBy)),
    ...(unknownSuccessor === null
      ? []
      : [{ number: unknownSuccessor, note: fill(texts.unknownSuccessor, { number: texts.supersededBy }) }]),
  ];
  return (
    <Card heading={texts.supersession}>
      <ol className="chain">
        {steps.map(({ number, note, id, isHere = false }) => (
          <li key={`${number} ${isHere}`} aria-current={isHere ? "true" : undefined}>
            <div className="chain-box">
              <strong className="number">
                {id === undefined ? number : <a href={`/parts/${encodeURIComponent(id)}`}>{number}</a>}
              </strong>
              <span className="soft small">{note}</span>
            </div>
            <Icon path={CHEVRON_RIGHT} size="small" />
          </li>
        ))}
      </ol>
    </Card>
  );
}
