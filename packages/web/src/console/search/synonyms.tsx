import type { SynonymSet, SynonymTrial } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Confirmed } from "../shared/confirmed.tsx";
import { count } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { useReading } from "../shared/use-reading.ts";
import { language as page, texts } from "../texts.ts";
import { Trial } from "./trial.tsx";

const { search } = texts;
const NAMES = new Intl.DisplayNames(page, { type: "language" });

interface SynonymsProps {
  query: string;
  onQuery(query: string): void;
}

/** The words of a language that mean the same: tried with a query, then saved. */
export function Synonyms({ query, onQuery }: SynonymsProps): ReactNode {
  const { data, refusal } = useReading(["synonyms"], (signal) => partline.search.synonyms({}, { signal }));
  const sets = data?.sets;
  const [language, setLanguage] = useState("en");
  const set = sets?.find((candidate) => candidate.language === language);
  return (
    <Section title={search.synonyms}>
      <Refusal error={refusal} />
      <Stack spacing={2}>
        <p>{search.synonymHelp}</p>
        <ChoiceField
          label={search.language}
          value={language}
          values={sets?.map((listed) => [listed.language, NAMES.of(listed.language) ?? listed.language] as const) ?? []}
          onChange={setLanguage}
        />
        {set && <Lines key={language} set={set} query={query} onQuery={onQuery} />}
      </Stack>
    </Section>
  );
}

function Lines({ set, query, onQuery }: SynonymsProps & { set: SynonymSet }): ReactNode {
  const { language, isDefault } = set;
  const saved = set.lines.join("\n");
  const [text, setText] = useState(saved);
  const [trial, setTrial] = useState<SynonymTrial>();
  const field = useRef<HTMLInputElement>(null);
  const trying = useAction(undefined);
  const saving = useAction(search.saved);
  const mayChange = useMay()("search:admin");
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = useRef(saved);
  // It is read again after any action: what is typed and not saved stays.
  useEffect(() => {
    const previous = last.current;
    last.current = saved;
    setText((now) => (now === previous ? saved : now));
  }, [saved]);
  const take = async (set: Promise<SynonymSet>): Promise<void> => {
    const savedText = (await set).lines.join("\n");
    setText((now) => (now === text ? savedText : now));
  };
  // A query of the list above is here now.
  useEffect(() => {
    if (query !== "" && document.activeElement !== field.current) field.current?.focus();
  }, [query]);
  return (
    <>
      <TextField
        multiline
        minRows={6}
        maxRows={16}
        label={search.lines}
        value={text}
        onChange={({ target }) => setText(target.value)}
        slotProps={{ htmlInput: { readOnly: !mayChange, spellCheck: false } }}
        helperText={`${search.lineCount(count(lines.length))} ${isDefault ? search.isDefault : search.isOwn}`}
      />
      <Stack
        component="form"
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ flexWrap: "wrap" }}
        onSubmit={(event: React.SyntheticEvent) => {
          event.preventDefault();
          trying.act(async () => setTrial(await partline.search.trySynonyms({ language, lines, q: query.trim() })));
        }}
      >
        <TextField
          size="small"
          inputRef={field}
          label={search.tryQuery}
          value={query}
          onChange={({ target }) => onQuery(target.value)}
        />
        <Button type="submit" variant="outlined" disabled={trying.isBusy || query.trim() === ""}>
          {search.try}
        </Button>
        {mayChange && (
          <Button
            variant="contained"
            disabled={saving.isBusy || text === saved}
            onClick={() => saving.act(() => take(partline.search.setSynonyms({ language, lines })))}
          >
            {search.save}
          </Button>
        )}
        {mayChange && !isDefault && (
          <Confirmed
            label={search.reset}
            question={search.resetQuestion}
            done={search.wasReset}
            run={() => take(partline.search.resetSynonyms({ language }))}
          />
        )}
      </Stack>
      <Refusal error={trying.refusal ?? saving.refusal} />
      {trial && <Trial of={trial} />}
    </>
  );
}
