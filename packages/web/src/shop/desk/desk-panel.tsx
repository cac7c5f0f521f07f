import { useEffect, useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import type { DeskSubject } from "./subject.ts";
import { loadSuggestions } from "./suggestions.ts";
import { Talk } from "./talk.tsx";

/** Renders the desk beside a page that it knows. A browser loads it when it is opened. */
export function DeskPanel({ subject }: { subject: DeskSubject | undefined }): ReactNode {
  const { texts, language, partline, machine } = useShop();
  const [suggestions, setSuggestions] = useState(subject?.suggestions ?? []);
  const equipment = subject?.equipment ?? machine?.equipment;
  const isGiven = subject?.suggestions !== undefined;
  useEffect(() => {
    let isGone = false;
    if (!isGiven && partline)
      void loadSuggestions(partline, equipment, { texts, language }).then((loaded) => {
        if (!isGone) setSuggestions(loaded);
      });
    return () => {
      isGone = true;
    };
  }, [isGiven, partline, equipment, texts, language]);
  const name = subject?.name ?? machine?.name;
  return (
    <>
      {name !== undefined && <p className="desk-about">{fill(texts.deskAbout, { name })}</p>}
      <Talk subject={subject} suggestions={suggestions}>
        <p className="soft">{texts.deskDescription}</p>
      </Talk>
    </>
  );
}
