import type { LiveStock, PartResponse } from "@partline/client";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type SubmitEvent } from "react";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Chip } from "../kit/chip.tsx";
import { useLiveStock } from "../parts/use-live-stock.ts";
import { AnswerView } from "./answer-view.tsx";
import { DrawnPage } from "./drawn-page.tsx";
import type { Exchange } from "./kept-talk.ts";
import { listPartIds } from "./part-ids.ts";
import type { DeskSubject } from "./subject.ts";
import { useDesk } from "./use-desk.ts";

interface TalkProps {
  first?: Exchange | undefined;
  /** Of the parts of the first answer. */
  firstStock?: readonly LiveStock[] | undefined;
  subject?: DeskSubject | undefined;
  suggestions: readonly string[];
  /** Above the first question. */
  children?: ReactNode;
}

const LONGEST_QUESTION = 2_000;

/**
 * Renders the talk with the desk: what was asked and answered, what can be asked, and the field for the next question.
 */
export function Talk({ first, firstStock, subject, suggestions, children }: TalkProps): ReactNode {
  const { texts, partline } = useShop();
  const { exchanges, isAsking, ask, askAgain, stop } = useDesk(first, subject);
  const { stock } = useLiveStock(listPartIds(exchanges.map(({ answer }) => answer)), firstStock);
  const [question, setQuestion] = useState("");
  const last = useRef<HTMLElement>(null);
  const count = exchanges.length;
  useEffect(() => {
    // An answer is read from its start: the question goes to the top, as far as the answer is long.
    if (count > 0) last.current?.scrollIntoView({ block: count > 1 ? "start" : "nearest" });
  }, [count, isAsking]);
  const askNext = (text: string): void => {
    if (isAsking || text.trim() === "") return;
    ask(text.trim());
    setQuestion("");
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    askNext(question);
  };
  const drawnPart = exchanges.at(-1)?.answer?.parts.find(isDrawn);
  const unasked = suggestions.filter((text) => !exchanges.some((exchange) => exchange.question === text));
  const chips = unasked.length > 0 && (
    <div className="chips">
      {unasked.map((text) => (
        <Suggestion key={text} text={text} subject={subject} onAsk={askNext} />
      ))}
    </div>
  );

  return (
    <div className="desk-talk">
      <div className="desk-scroll">
        {count === 0 && (
          <div className="desk-start">
            {children}
            {chips}
          </div>
        )}
        <div role="log" aria-label={texts.deskLog} className="desk-log">
          {exchanges.map((exchange, index) => {
            const isLast = index === count - 1;
            return (
              <article key={index} ref={isLast ? last : undefined} aria-busy={isLast && isAsking}>
                <h2 className="desk-question">{exchange.question}</h2>
                <AnswerView text={exchange.text} answer={exchange.answer} stock={stock} />
                {isLast && isAsking && <p className="soft">{texts.deskAsking}</p>}
                {exchange.problem !== undefined && (
                  <div role="alert" className="problem">
                    <p>{exchange.problem}</p>
                    {isLast && partline && <Button onClick={askAgain}>{texts.deskAskAgain}</Button>}
                  </div>
                )}
              </article>
            );
          })}
        </div>
      </div>
      {drawnPart && <DrawnPage key={drawnPart.pdf_link} part={drawnPart} />}
      <form action="/desk" onSubmit={submit} className="desk-form">
        {count > 0 && chips}
        <div className="desk-field">
          <input
            name="q"
            aria-label={texts.deskQuestion}
            placeholder={texts.deskQuestion}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
            maxLength={LONGEST_QUESTION}
            autoComplete="off"
            required
          />
          {isAsking ? (
            <Button type="button" onClick={stop}>
              {texts.deskStop}
            </Button>
          ) : (
            <Button kind="primary">{texts.deskAsk}</Button>
          )}
        </div>
      </form>
    </div>
  );
}

interface SuggestionProps {
  text: string;
  subject: DeskSubject | undefined;
  onAsk: (text: string) => void;
}

function Suggestion({ text, subject, onAsk }: SuggestionProps): ReactNode {
  const address = new URLSearchParams({ q: text, ...(subject?.part !== undefined && { about: subject.part }) });
  const onClick = (event: MouseEvent): void => {
    event.preventDefault();
    onAsk(text);
  };
  return (
    <Chip href={`/desk?${address.toString()}`} onClick={onClick}>
      {text}
    </Chip>
  );
}

const isDrawn = (part: PartResponse): part is PartResponse & { pdf_link: string } => part.pdf_link !== null;
