import type { SynonymTrial } from "@partline/client";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { count } from "../shared/format.ts";
import { texts } from "../texts.ts";

const { search } = texts;

/** Shows what a query finds now, beside what it would find. */
export function Trial({ of: { before: currentHits, after } }: { of: SynonymTrial }): ReactNode {
  return (
    <Stack direction={{ xs: "column", md: "row" }} spacing={2} role="status">
      <Found title={search.now} of={currentHits} compared={after} />
      <Found title={search.then} of={after} compared={currentHits} />
    </Stack>
  );
}

interface FoundProps {
  title: string;
  of: SynonymTrial["after"];
  compared: SynonymTrial["after"];
}

function Found({ title, of: { hits, total }, compared }: FoundProps): ReactNode {
  const isNew = (id: string): boolean => !compared.hits.some((hit) => hit.id === id);
  return (
    <Stack sx={{ flex: 1, minWidth: 0 }}>
      <Typography component="h3" variant="subtitle1">{`${title}: ${search.found(count(total))}`}</Typography>
      <ol>
        {hits.map(({ id, partNumber, title: name }) => (
          <li key={id}>
            {partNumber} · {isNew(id) ? <strong>{name}</strong> : name}
          </li>
        ))}
      </ol>
    </Stack>
  );
}
