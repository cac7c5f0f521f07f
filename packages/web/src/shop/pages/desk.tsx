import { isPartlineError } from "@partline/client";
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { useShop } from "../context.tsx";
import { AnswerView } from "../desk/answer-view.tsx";
import type { Exchange } from "../desk/kept-talk.ts";
import { useDesk } from "../desk/use-desk.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { problemOf } from "../problem-text.ts";

interface DeskData {
  /** What the address asks, for browsers without scripts and for links. */
  first?: Exchange | undefined;
}

const LONGEST_QUESTION = 2_000;
/** Questions that the sample manuals answer. */
const EXAMPLES = ["What muffler fits my CH-740S?", "Is 15964-8141 in stock?", "Which machines do you know?"];

export const desk: PageDefinition<DeskData> = {
  path: "/desk",
  load: async ({ partline, query, texts }) => {
    const typed = query.get("q")?.trim() ?? "";
    if (typed === "") return {};
    const about = query.get("about")?.trim() ?? "";
    const question = about === "" ? typed : `${typed} (${about})`;
    try {
      const answer = await partline.ai.query({ query: question, include_store_link: true });
      return { first: { question, text: answer.answer, answer } };
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      return { first: { question, text: "", problem: problemOf(error, texts) } };
    }
  },
  head: ({ first }, { texts, origin }) => ({
    title: texts.desk,
    description: texts.deskDescription,
    canonical: first ? undefined : `${origin}/desk`,
  }),
  View: Desk,
};

function Desk({ data: { first } }: { data: DeskData }): ReactNode {
  const { texts, partline } = useShop();
  const { exchanges, isAsking, ask, askAgain, stop } = useDesk(first);
  const [question, setQuestion] = useState("");
  const last = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsking) last.current?.scrollIntoView({ block: "nearest" });
  }, [isAsking]);

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isAsking || question.trim() === "") return;
    ask(question.trim());
    setQuestion("");
  };

  return (
    <Layout>
      <h1>{texts.desk}</h1>
      <p>{texts.deskDescription}</p>
      <div role="log" aria-label={texts.deskLog} className="desk-log">
        {exchanges.map((exchange, index) => {
          const isLast = index === exchanges.length - 1;
          return (
            <article key={index} ref={isLast ? last : undefined} aria-busy={isLast && isAsking}>
              <h2 className="desk-question">{exchange.question}</h2>
              <AnswerView text={exchange.text} answer={exchange.answer} />
              {isLast && isAsking && <p className="soft">{texts.deskAsking}</p>}
              {exchange.problem !== undefined && (
                <div role="alert" className="problem">
                  <p>{exchange.problem}</p>
                  {isLast && partline && <button onClick={askAgain}>{texts.deskAskAgain}</button>}
                </div>
              )}
            </article>
          );
        })}
      </div>
      <form action="/desk" onSubmit={submit} className="desk-form">
        <label htmlFor="desk-q">{texts.deskQuestion}</label>
        <div className="search-row">
          <input
            id="desk-q"
            name="q"
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
            maxLength={LONGEST_QUESTION}
            autoComplete="off"
            required
          />
          {isAsking ? (
            <button type="button" onClick={stop}>
              {texts.deskStop}
            </button>
          ) : (
            <button className="primary">{texts.deskAsk}</button>
          )}
        </div>
      </form>
      {exchanges.length === 0 && (
        <ul className="soft">
          {EXAMPLES.map((example) => (
            <li key={example}>
              <a href={`/desk?q=${encodeURIComponent(example)}`} lang="en">
                {example}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Layout>
  );
}
