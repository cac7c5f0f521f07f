import TextField, { type TextFieldProps } from "@mui/material/TextField";
import type { ReactNode } from "react";

type TextInputProps = Omit<TextFieldProps, "onChange"> & { onChange(text: string): void };

/** A small field for text. */
export function TextInput({ onChange, ...props }: TextInputProps): ReactNode {
  return <TextField size="small" onChange={({ target }) => onChange(target.value)} {...props} />;
}
