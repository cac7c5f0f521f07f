import TextField from "@mui/material/TextField";
import type { ReactNode } from "react";

interface ChoiceFieldProps<T extends string> {
  label: string;
  value: T;
  values: readonly (readonly [value: T, text: string])[];
  onChange(value: T): void;
}

/** The browser's own select: keyboard and screen readers know it. */
export function ChoiceField<T extends string>({ label, value, values, onChange }: ChoiceFieldProps<T>): ReactNode {
  return (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value as T)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {values.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </TextField>
  );
}
