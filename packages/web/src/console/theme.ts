import { createTheme, type Theme } from "@mui/material/styles";
import { createElement, type ComponentProps, type ReactNode } from "react";
import { defaultDarkTheme, defaultLightTheme } from "react-admin";
import { texts } from "./texts.ts";

const font = { fontFamily: "system-ui, sans-serif" };

/** react-admin still gives this property, which MUI has no more: it would become an attribute, "[object Object]". */
function FieldRoot({ InputProps: _, ...attributes }: ComponentProps<"div"> & { InputProps?: object }): ReactNode {
  return createElement("div", attributes);
}

const getLabel = ({ "aria-label": label }: { "aria-label"?: string }) => ({ "aria-label": label });

/** react-admin's own have no name for screen readers, and some of their words are too pale to be read. */
const ours = (paper: string) => ({
  // Of the box of a row, react-admin names what surrounds the box.
  MuiCheckbox: {
    defaultProps: {
      slotProps: {
        root: { "aria-label": undefined },
        input: getLabel,
      },
    },
  },
  MuiCircularProgress: { defaultProps: { "aria-label": texts.loading } },
  MuiFormControl: { defaultProps: { component: FieldRoot } },
  RaNotFound: { styleOverrides: { root: { "& .RaNotFound-message": { opacity: 1 } } } },
  RaToolbar: { styleOverrides: { root: { backgroundColor: paper, borderTop: "1px solid rgb(128 128 128 / 40%)" } } },
});

const DARK_PAPER = "#1c222b";

/** Contrast of text is at least 4.5:1 in both. */
export const light: Theme = createTheme({
  ...defaultLightTheme,
  components: { ...defaultLightTheme.components, ...ours("#fff") },
  typography: font,
  palette: {
    mode: "light",
    primary: { main: "#0b5cad" },
    secondary: { main: "#0b5cad" },
    error: { main: "#b3261e" },
    warning: { main: "#8a5300" },
    success: { main: "#1d6f3a" },
    info: { main: "#0b5cad" },
    text: { secondary: "#4b5563" },
  },
});

export const dark: Theme = createTheme({
  ...defaultDarkTheme,
  components: { ...defaultDarkTheme.components, ...ours(DARK_PAPER) },
  typography: font,
  palette: {
    mode: "dark",
    primary: { main: "#7db8f5" },
    secondary: { main: "#7db8f5" },
    error: { main: "#ff9d94" },
    warning: { main: "#f0bd6a" },
    success: { main: "#7fd49b" },
    info: { main: "#7db8f5" },
    background: { default: "#12161c", paper: DARK_PAPER },
  },
});
