import type { QueryResponse, WholePart } from "@partline/client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { usePartline, useShop } from "../context.tsx";
import { AnswerView } from "../desk/answer-view.tsx";
import { namePart, toLookedAt } from "../desk/subject.ts";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";

const LONGEST_QUESTION = 500;

/** Renders a question to the desk about a part, and its answer in place; without a script it opens the desk. */
export function AskPart({ part }: { part: WholePart }): ReactNode {
  const { texts, machine } = useShop();
  const partline = usePartline();
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState<QueryResponse>();
  const { run, problem, isBusy } = useAction();
  const about = namePart(part);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      setAnswer(undefined);
      const lookedAt = toLookedAt({ part: about }, machine);
      setAnswer(await partline.ai.query({ query: question, about: lookedAt, include_store_link: true }));
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
      <div aria-live="polite">
        {isBusy && <p className="soft">{texts.deskAsking}</p>}
        {answer && <AnswerView text={answer.answer} answer={answer} />}
      </div>
      <ProblemNotice text={problem} />
    </Card>
  );
}
