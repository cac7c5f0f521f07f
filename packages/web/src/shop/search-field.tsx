import type { MachineModel, SearchSuggestion } from "@partline/client";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useShop } from "./context.tsx";
import { Highlighted } from "./highlighted.tsx";
import type { Texts } from "./texts/en.ts";

/** A line below the field. */
interface Option {
  address: string;
  content: ReactNode;
}

const PAUSE_MS = 120;
const MOST = 8;

/** One field for part number, words or machine. Without scripts it is a form; with them it suggests. */
export function SearchField({ query = "", large = false }: { query?: string; large?: boolean }): ReactNode {
  const { texts, partline } = useShop();
  const [text, setText] = useState(query);
  const [suggestions, setSuggestions] = useState<Option[]>([]);
  const [chosen, setChosen] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  useEffect(() => {
    if (!partline || !isOpen || text.trim() === "") {
      setSuggestions([]);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      partline.search.suggest({ q: text, limit: MOST }, { signal: leaving.signal }).then(
        ({ suggestions: answer, machines = [] }) => {
          setSuggestions([...machines.map((machine) => toMachine(machine, texts)), ...answer.map(toOption)]);
          setChosen(-1);
        },
        // The form works without.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text, isOpen, partline, texts]);

  const isListShown = isOpen && suggestions.length > 0;
  const take = ({ address }: Option): void => location.assign(address);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      // The browser would empty the field.
      if (isListShown) event.preventDefault();
      setIsOpen(false);
    } else if (!isListShown) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((index) =>
        index < 0 && step < 0 ? suggestions.length - 1 : index + step >= suggestions.length ? -1 : index + step,
      );
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      take(suggestions[chosen]!);
    }
  };

  return (
    <form
      ref={form}
      role="search"
      action="/search"
      className={large ? "search large" : "search"}
      onBlur={({ relatedTarget }) => {
        if (!form.current?.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <label htmlFor={`${id}-q`} className={large ? "" : "hidden"}>
        {texts.searchLabel}
      </label>
      <div className="search-row">
        <input
          id={`${id}-q`}
          name="q"
          type="search"
          value={text}
          placeholder={large ? undefined : texts.searchLabel}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          role="combobox"
          aria-expanded={isListShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isListShown && chosen >= 0 ? `${id}-${chosen}` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setIsOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
        <button className="primary">{texts.search}</button>
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label={texts.suggestions} hidden={!isListShown} className="suggestions">
        {suggestions.map((suggestion, index) => (
          <li
            key={suggestion.address}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the field loses the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(suggestion);
            }}
          >
            {suggestion.content}
          </li>
        ))}
      </ul>
    </form>
  );
}

function toOption({ text, highlighted, part }: SearchSuggestion): Option {
  return {
    address: part ? `/parts/${encodeURIComponent(part.id)}` : `/search?q=${encodeURIComponent(text)}`,
    content: (
      <>
        <Highlighted text={highlighted} />
        {part && <span className="soft"> {part.title}</span>}
      </>
    ),
  };
}

function toMachine({ id, equipment, manufacturer }: MachineModel, texts: Texts): Option {
  return {
    address: `/machines/${encodeURIComponent(id)}`,
    content: (
      <>
        {[manufacturer, equipment].filter(Boolean).join(" ")} <span className="soft">{texts.machine}</span>
      </>
    ),
  };
}
