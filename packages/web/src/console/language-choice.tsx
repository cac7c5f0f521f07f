import type { ReactNode } from "react";
import { keepChoice } from "../shared/cookies.ts";
import { LANGUAGES } from "../shared/language.ts";
import { language, texts } from "./texts.ts";

export function LanguageChoice(): ReactNode {
  const choose = (tag: string): void => {
    keepChoice("language", tag);
    location.reload();
  };
  return (
    <select
      className="language"
      aria-label={texts.language}
      value={language}
      onChange={({ target }) => choose(target.value)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
