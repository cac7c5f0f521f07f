import type { FigurePart } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { money } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { AddedNote } from "../parts/added-note.tsx";
import { addLines } from "../parts/add-lines.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";

type SoldPart = Pick<FigurePart, "partId" | "partNumber" | "title" | "quantity" | "price">;

/** Renders the button that puts every part of a drawing that is sold into the cart, as many as the machine has. */
export function AddFigure({ parts }: { parts: readonly SoldPart[] }): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const { run, problem, isBusy } = useAction();
  const [added, setAdded] = useState<number>();
  const lines = listSold(parts);
  if (lines.length < 2) return null;
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return (
    <div className="add-figure no-print">
      <ScriptedForm
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => setAdded((await addLines(shop, lines)).added));
        }}
      >
        <Button kind="primary" isBusy={isBusy}>
          {fill(texts.addAll, { count: lines.length, total: money(total, "usd", language) })}
        </Button>
      </ScriptedForm>
      <AddedNote text={added === undefined ? undefined : fill(texts.reordered, { count: added })} />
      <ProblemNotice text={problem} />
    </div>
  );
}

/** The parts that can be bought, each once. */
function listSold(parts: readonly SoldPart[]) {
  const lines = new Map<string, { productId: string; name: string; quantity: number; price: number }>();
  for (const { partId, partNumber, title, quantity, price } of parts) {
    if (partId === null || price === null) continue;
    const line = lines.get(partId);
    const pieces = (line?.quantity ?? 0) + (quantity ?? 1);
    lines.set(partId, { productId: partId, name: title ?? partNumber ?? partId, quantity: pieces, price });
  }
  return [...lines.values()];
}
