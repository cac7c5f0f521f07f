import type { IndexBuild } from "@partline/client";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import LinearProgress from "@mui/material/LinearProgress";
import Checkbox from "@mui/material/Checkbox";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { count, moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { useReading } from "../shared/use-reading.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Listed } from "../shared/listed.tsx";
import { WorkStatus } from "../shared/status.tsx";
import { texts } from "../texts.ts";

const { search } = texts;
type Which = "both" | "parts" | "tires";
const WHICH: readonly (readonly [Which, string])[] = [
  ["both", search.both],
  ["parts", "parts"],
  ["tires", "tires"],
];

const runs = ({ status }: IndexBuild): boolean => status === "running";

/** Builds of any process; a reload shows the one that runs. */
export function Builds(): ReactNode {
  const refresh = useRefresh();
  const { data, refusal, isRunning } = useReading(["builds"], (signal) => partline.search.builds({}, { signal }), {
    isRunning: ({ builds }) => builds.some(runs),
    // The indexes above are others then.
    onEnded: refresh,
  });
  const running = data?.builds.find(runs);
  return (
    <Section title={search.builds}>
      {useMay()("search:admin") && <Start isRunning={isRunning} />}
      {running && (
        <Stack spacing={0.5} role="status" sx={{ my: 1 }}>
          <LinearProgress aria-label={search.building} />
          {running.indexes.map(({ index, sent: sentParts }) => (
            <span key={index}>{search.sent(index, count(sentParts))}</span>
          ))}
        </Stack>
      )}
      <Refusal error={refusal} />
      <Listed
        name={search.builds}
        emptyText={search.noBuild}
        items={data?.builds}
        columns={[
          [search.begun, ({ startedAt }) => moment(startedAt)],
          [search.indexes, ({ indexes }) => indexes.map(({ name, index }) => name ?? index).join(", ")],
          [search.state, ({ status }) => <WorkStatus state={status} />],
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
      <Refusal error={refusal} />
    </>
  );
}
