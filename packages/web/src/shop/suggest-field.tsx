import type { Partline } from "@partline/client";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useShop } from "./context.tsx";
import type { Texts } from "./texts/en.ts";

/** A line below the field. */
export interface Suggestion {
  /** Path of its page. */
  address: string;
  content: ReactNode;
}

/** What suggestions are made of. */
export interface SuggestionSource {
  partline: Partline;
  texts: Texts;
}

interface SuggestFieldProps {
  label: string;
  /** Where the label is seen; hidden, the placeholder says it. */
  isLabelShown?: boolean;
  placeholder?: string;
  name: string;
  value?: string;
  /** Lists what a text may mean; called as it is typed. Always the same function. */
  suggest: (text: string, source: SuggestionSource, signal: AbortSignal) => Promise<Suggestion[]>;
  /** A suggestion is chosen; unless given, its page opens. */
  onTake?: ((suggestion: Suggestion) => void) | undefined;
  /** Before the input. */
  icon?: ReactNode;
  /** After it: chips, the button. */
  children: ReactNode;
}

const PAUSE_MS = 120;

/** Renders a field that suggests pages while a text is typed. It stands in a form, which works without. */
export function SuggestField(field: SuggestFieldProps): ReactNode {
  const { label, isLabelShown = false, placeholder, name, value = "", suggest, onTake, icon, children } = field;
  const { texts, partline } = useShop();
  const [text, setText] = useState(value);
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);
  const [chosen, setChosen] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!partline || !isOpen || text.trim() === "") {
      setSuggestions([]);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      suggest(text, { partline, texts }, leaving.signal).then(
        (answer) => {
          setSuggestions(answer);
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
  }, [text, isOpen, partline, texts, suggest]);

  const isListShown = isOpen && suggestions.length > 0;
  const take = (suggestion: Suggestion): void => {
    setIsOpen(false);
    if (onTake) onTake(suggestion);
    else location.assign(suggestion.address);
  };
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
    <div
      ref={root}
      className="suggest"
      onBlur={({ relatedTarget }) => {
        if (!root.current?.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <label htmlFor={`${id}-q`} className={isLabelShown ? undefined : "hidden"}>
        {label}
      </label>
      <div className="suggest-row">
        {icon}
        <input
          id={`${id}-q`}
          name={name}
          type="search"
          value={text}
          placeholder={placeholder ?? (isLabelShown ? undefined : label)}
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
        {children}
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
    </div>
  );
}
