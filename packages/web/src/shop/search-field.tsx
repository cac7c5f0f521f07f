import type { MachineModel, SearchSuggestion } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "./context.tsx";
import { Highlighted } from "./highlighted.tsx";
import { Button } from "./kit/button.tsx";
import { Icon } from "./kit/icon.tsx";
import { SEARCH } from "./kit/icons/ui.ts";
import { MachineChip } from "./machine/machine-chip.tsx";
import { SuggestField, type Suggestion, type SuggestionSource } from "./suggest-field.tsx";
import type { Texts } from "./texts/en.ts";

const MOST = 8;

interface SearchFieldProps {
  query?: string;
  large?: boolean;
  /** What stands in an empty field. */
  placeholder?: string;
}

/** One field for part number, words or machine. Without scripts it is a form; with them it suggests. */
export function SearchField({ query = "", large = false, placeholder }: SearchFieldProps): ReactNode {
  const { texts } = useShop();
  return (
    <form role="search" action="/search" className={large ? "search large" : "search"}>
      <SuggestField
        label={texts.searchLabel}
        {...(placeholder !== undefined && { placeholder })}
        name="q"
        value={query}
        suggest={suggest}
        icon={<Icon path={SEARCH} />}
      >
        <MachineChip />
        <Button kind="primary" {...(!large && { size: "compact" as const })}>
          {texts.search}
        </Button>
      </SuggestField>
    </form>
  );
}

async function suggest(
  text: string,
  { partline, texts }: SuggestionSource,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const { suggestions, machines = [] } = await partline.search.suggest({ q: text, limit: MOST }, { signal });
  return [...machines.map((machine) => toMachine(machine, texts)), ...suggestions.map(toOption)];
}

function toOption({ text, highlighted, part }: SearchSuggestion): Suggestion {
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

function toMachine({ id, equipment, manufacturer }: MachineModel, texts: Texts): Suggestion {
  return {
    address: `/machines/${encodeURIComponent(id)}`,
    content: (
      <>
        {[manufacturer, equipment].filter(Boolean).join(" ")} <span className="soft">{texts.machine}</span>
      </>
    ),
  };
}
