import { isPartlineError } from "@partline/client";
import { useEffect, useRef, useState } from "react";
import { usePartline, useShop } from "../context.tsx";
import { useProblem } from "../problem.ts";
import { type DeskSubject, toLookedAt } from "./subject.ts";
import { type Exchange, keepTalk, keptTalk, talkKey } from "./kept-talk.ts";
import { streamAnswer } from "./stream-answer.ts";

interface DeskTalk {
  exchanges: readonly Exchange[];
  isAsking: boolean;
  /** Asks the next question; one at a time. */
  ask(question: string): void;
  /** Asks the last question once more, in its place. */
  askAgain(): void;
  stop(): void;
}

/**
 * What this tab has asked. It is kept until a sign-out or until the tab is closed, so that a look at a part does not
 * lose it, and shown to the same user alone; the desk itself remembers the session's last answer.
 */
export function useDesk(first: Exchange | undefined, subject: DeskSubject | undefined): DeskTalk {
  const { texts, user, machine } = useShop();
  const partline = usePartline();
  const describeProblem = useProblem();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>(first ? [first] : []);
  const [isAsking, setIsAsking] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  const storageKey = talkKey(user?.id);

  useEffect(() => {
    const talk = keptTalk(storageKey);
    // A page that is loaded again has asked its own question again.
    const isAgain = first !== undefined && talk.at(-1)?.question === first.question;
    setExchanges((now) => [...(isAgain ? talk.slice(0, -1) : talk), ...now]);
    return () => leaving.current?.abort();
  }, [storageKey, first]);
  useEffect(() => {
    if (!isAsking && exchanges.length > 0) keepTalk(storageKey, exchanges);
  }, [exchanges, isAsking, storageKey]);

  const run = async (question: string, exchanges: readonly Exchange[]): Promise<void> => {
    if (leaving.current) return;
    const asking = (leaving.current = new AbortController());
    const { signal } = asking;
    let exchange: Exchange = { question, text: "" };
    const show = (change: Partial<Exchange>): void => {
      exchange = { ...exchange, ...change };
      setExchanges([...exchanges, exchange]);
    };
    setIsAsking(true);
    show({});
    try {
      const about = toLookedAt(subject, machine);
      for await (const reply of streamAnswer(partline, { query: question, about }, signal)) show(reply);
    } catch (error) {
      if (signal.aborted) show({ problem: texts.deskStopped });
      else if (isPartlineError(error)) show({ problem: describeProblem(error) });
      else throw error;
    } finally {
      leaving.current = undefined;
      setIsAsking(false);
    }
  };

  return {
    exchanges,
    isAsking,
    ask: (question) => void run(question, exchanges),
    askAgain: () => void run(exchanges.at(-1)!.question, exchanges.slice(0, -1)),
    stop: () => leaving.current?.abort(),
  };
}
