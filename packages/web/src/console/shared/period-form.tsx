import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { ChoiceField } from "./choice-field.tsx";
import { computeDates, readPeriod, type Period } from "./period.ts";
import { texts } from "../texts.ts";

const DAYS = [1, 7, 30, 90, 365];
const CHOSEN = "chosen";

/** The period is in the page's address: a reload, a link and the back button have it. */
export function usePeriod(defaultDays: number): [Period, PeriodFormProps["onChange"]] {
  const [search, setSearch] = useSearchParams();
  const change: PeriodFormProps["onChange"] = (to) => {
    // The address is ahead of what is drawn while two dates change one after another.
    const period = to(readPeriod(new URLSearchParams(location.search), defaultDays));
    setSearch(Object.fromEntries(Object.entries(period).map(([name, value]) => [name, String(value)])));
  };
  return [readPeriod(search, defaultDays), change];
}

interface PeriodFormProps {
  period: Period;
  onChange(to: (period: Period) => Period): void;
}

export function PeriodForm({ period, onChange }: PeriodFormProps): ReactNode {
  const dates = computeDates(period, Date.now());
  const days = "days" in period ? String(period.days) : CHOSEN;
  const choices = DAYS.map((value) => [String(value), texts.period.days(value)] as const);
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", maxWidth: "32rem" }}>
      <ChoiceField
        label={texts.period.title}
        value={days}
        values={[...choices, [CHOSEN, texts.period.chosen]]}
        onChange={(value) => onChange(() => (value === CHOSEN ? dates : { days: Number(value) }))}
      />
      {days === CHOSEN &&
        (["from", "to"] as const).map((name) => (
          <TextField
            key={name}
            type="date"
            size="small"
            label={texts.period[name]}
            value={dates[name]}
            onChange={({ target: { value } }) =>
              value && onChange((now) => ({ ...computeDates(now, Date.now()), [name]: value }))
            }
            slotProps={{ inputLabel: { shrink: true } }}
          />
        ))}
    </Stack>
  );
}
