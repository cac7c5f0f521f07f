import type { WholePart } from "@partline/client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { usePartline, useShop } from "../context.tsx";
import { AnswerView } from "../desk/answer-view.tsx";
import { listPartIds } from "../desk/part-ids.ts";
import { type Reply, streamAnswer } from "../desk/stream-answer.ts";
import { namePart, toLookedAt } from "../desk/subject.ts";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { useLiveStock } from "../parts/use-live-stock.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";

const LONGEST_QUESTION = 500;

/** Renders a question to the desk about a part, and its answer in place; without a script it opens the desk. */
export function AskPart({ part }: { part: WholePart }): ReactNode {
  const { texts, machine } = useShop();
  const partline = usePartline();
  const [question, setQuestion] = useState("");
  const [reply, setReply] = useState<Reply>();
  const { stock } = useLiveStock(listPartIds([reply?.answer]));
  const { run, problem, isBusy } = useAction();
  const about = namePart(part);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      setReply(undefined);
      const lookedAt = toLookedAt({ part: about }, machine);
      for await (const next of streamAnswer(partline, { query: question, about: lookedAt })) setReply(next);
    });
  };
  return (
    <Card heading={texts.deskAskIt} className="ask-part">
      <form action="/desk" onSubmit={submit}>
        <input type="hidden" name="about" value={about} />
        <input
          name="q"
          aria-label={texts.deskQuestion}
          placeholder={texts.askPartHint}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          maxLength={LONGEST_QUESTION}
          required
          autoComplete="off"
        />
        <Button isBusy={isBusy}>{texts.deskAsk}</Button>
      </form>
      {/* Read out once, as a whole. */}
      <div aria-live="polite" aria-busy={isBusy}>
        {isBusy && !reply && <p className="soft">{texts.deskAsking}</p>}
        {reply && <AnswerView text={reply.text} answer={reply.answer} stock={stock} />}
      </div>
      <ProblemNotice text={problem} />
    </Card>
  );
}
