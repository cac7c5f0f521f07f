import type { IndexBuild } from "@partline/client";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import LinearProgress from "@mui/material/LinearProgress";
import Checkbox from "@mui/material/Checkbox";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { count, moment } from "../format.ts";
import { useMay } from "../may.ts";
import { ChoiceField } from "../orders/choice-field.tsx";
import { Section } from "../orders/section.tsx";
import { useAction } from "../orders/use-action.ts";
import { partline } from "../partline.ts";
import { useWatched } from "../use-watched.ts";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { Status } from "../status.tsx";
import { texts } from "../texts.ts";

const { search } = texts;
type Which = "both" | "parts" | "tires";
const WHICH: readonly (readonly [Which, string])[] = [
  ["both", search.both],
  ["parts", "parts"],
  ["tires", "tires"],
];

/** Builds of any process; a reload shows the one that runs. */
export function Builds(): ReactNode {
  const refresh = useRefresh();
  const { data, error, isRunning } = useWatched<IndexBuild & { id: string }>("search-builds", {
    isRunning: ({ status }) => status === "running",
    // The indexes above are others then.
    onEnded: refresh,
  });
  const running = data?.find(({ status }) => status === "running");
  return (
    <Section title={search.builds}>
      {useMay()("search:admin") && <Start isRunning={isRunning} />}
      {running && (
        <Stack spacing={0.5} role="status" sx={{ my: 1 }}>
          <LinearProgress aria-label={search.building} />
          {running.indexes.map(({ index, sent }) => (
            <span key={index}>{search.sent(index, count(sent))}</span>
          ))}
        </Stack>
      )}
      <Refusal of={error} />
      <Listed
        name={search.builds}
        none={search.noBuild}
        of={data}
        columns={[
          [search.begun, ({ startedAt }) => moment(startedAt)],
          [search.indexes, ({ indexes }) => indexes.map(({ name, index }) => name ?? index).join(", ")],
          [search.state, ({ status }) => <Status of={status} />],
          [search.reason, ({ reason }) => reason],
        ]}
      />
    </Section>
  );
}

function Start({ isRunning }: { isRunning: boolean }): ReactNode {
  const [which, setWhich] = useState<Which>("both");
  const [force, setForce] = useState(false);
  const { act, refusal, isBusy } = useAction(search.started);
  const start = () => partline.search.reindex({ force, ...(which === "both" ? {} : { index: which }) });
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", alignItems: "center" }}>
        <ChoiceField<Which> label={search.which} value={which} values={WHICH} onChange={setWhich} />
        <FormControlLabel
          label={search.force}
          control={<Checkbox checked={force} onChange={({ target }) => setForce(target.checked)} />}
        />
        <Button variant="contained" disabled={isBusy || isRunning} onClick={() => act(start)}>
          {search.start}
        </Button>
      </Stack>
      <Refusal of={refusal} />
    </>
  );
}
