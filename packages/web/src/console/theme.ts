import { alpha, createTheme, darken, getContrastRatio, lighten, type Theme } from "@mui/material/styles";
import { createElement, type ComponentProps, type ReactNode } from "react";
import { defaultDarkTheme, defaultLightTheme } from "react-admin";
import { texts } from "./texts.ts";

/** The shop's tokens (packages/web/DESIGN.md) that MUI computes with. */
const TOKENS = {
  light: {
    ...{ ink: "#16202b", ink2: "#45515f", ground: "#f5f6f3", paper: "#ffffff", sunk: "#edefea", line: "#dfe3e7" },
    ...{ edge: "#808b97", brand: "#0e5a45", good: "#18703a", warn: "#875000", bad: "#b42318" },
    /** Darker than any ground that text is on. */
    hardest: "#e6e8e4",
  },
  dark: {
    ...{ ink: "#eef2f5", ink2: "#b9c3cd", ground: "#0f141a", paper: "#161d25", sunk: "#1f2832", line: "#2a343f" },
    ...{ edge: "#74818e", brand: "#4fc09a", good: "#6bd690", warn: "#f0b65a", bad: "#ff9a8f" },
    hardest: "#2a343f",
  },
} as const;
type Tokens = (typeof TOKENS)["light" | "dark"];

const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const HEADING = { fontWeight: 650, letterSpacing: "-0.015em" };
const RADIUS = 10;
const LEAST_CONTRAST = 4.5;

/** react-admin still gives this property, which MUI has no more: it would become an attribute, "[object Object]". */
function FieldRoot({ InputProps: _, ...attributes }: ComponentProps<"div"> & { InputProps?: object }): ReactNode {
  return createElement("div", attributes);
}

const getLabel = ({ "aria-label": label }: { "aria-label"?: string }) => ({ "aria-label": label });

/** react-admin's own have no name for screen readers, and some of their words are too pale to be read. */
const createComponents = ({ ink, paper, ground, sunk, line }: Tokens, brand: string) => ({
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
  // What is too long for a phone ends with dots.
  MuiInputBase: { styleOverrides: { input: { textOverflow: "ellipsis" } } },
  MuiPagination: { defaultProps: { "aria-label": texts.syncs.pages } },
  MuiDialogActions: { styleOverrides: { root: { padding: "8px 24px 20px" } } },
  MuiTableSortLabel: { styleOverrides: { root: { minHeight: 24 } } },
  // Facts break words where a line ends; the word on a button stays whole.
  MuiButton: {
    styleOverrides: {
      root: { borderRadius: 999, fontWeight: 600, overflowWrap: "normal" as const, textTransform: "none" as const },
    },
  },
  MuiPaper: { styleOverrides: { root: { backgroundImage: "none" }, elevation1: { boxShadow: `0 0 0 1px ${line}` } } },
  MuiTab: { styleOverrides: { root: { textTransform: "none" as const } } },
  MuiTableCell: { styleOverrides: { root: { borderColor: line }, head: { fontWeight: 600 } } },
  MuiFilledInput: { styleOverrides: { root: { backgroundColor: sunk } } },
  RaAppBar: {
    styleOverrides: {
      root: { backgroundColor: paper, color: ink, boxShadow: "none", borderBottom: `1px solid ${line}` },
    },
  },
  RaDataTable: {
    styleOverrides: {
      root: {
        "& .RaDataTable-headerCell": { backgroundColor: paper },
        "& .MuiTableCell-root:not(.MuiTableCell-paddingCheckbox)": { paddingInline: 8 },
        // A row that is wider than the window moves, the page does not.
        "& .RaDataTable-tableWrapper": { overflowX: "auto" },
      },
    },
  },
  RaMenuItemLink: {
    styleOverrides: {
      root: {
        margin: "0 8px",
        borderRadius: RADIUS,
        paddingRight: 8,
        "&.RaMenuItemLink-active": { backgroundColor: alpha(brand, 0.1), color: brand, fontWeight: 600 },
        "&.RaMenuItemLink-active .RaMenuItemLink-icon": { color: brand },
      },
    },
  },
  RaNotFound: { styleOverrides: { root: { "& .RaNotFound-message": { opacity: 1 } } } },
  // The longest label of a filter in three languages: "Estado de los artículos".
  RaSelectInput: { styleOverrides: { root: { minWidth: "15rem" } } },
  RaToolbar: { styleOverrides: { root: { backgroundColor: ground, borderTop: `1px solid ${line}` } } },
});

/** Returns the console's themes in a shop's colour. Contrast of text is at least 4.5:1 in both. */
export function createThemes(primary: string | null): Record<"light" | "dark", Theme> {
  return { light: createConsoleTheme("light", primary), dark: createConsoleTheme("dark", primary) };
}

function createConsoleTheme(mode: "light" | "dark", primary: string | null): Theme {
  const tokens = TOKENS[mode];
  const defaults = mode === "light" ? defaultLightTheme : defaultDarkTheme;
  const main = primary === null ? tokens.brand : adjustContrast(primary, mode);
  return createTheme({
    ...defaults,
    components: { ...defaults.components, ...createComponents(tokens, main) },
    typography: { fontFamily: FONT, h4: HEADING, h5: HEADING, h6: HEADING },
    shape: { borderRadius: RADIUS },
    // The longest entry in three languages, bold as that of the open page: "Archivos de precios".
    sidebar: { ...defaults.sidebar, width: 240 },
    palette: {
      mode,
      contrastThreshold: LEAST_CONTRAST,
      primary: { main },
      secondary: { main },
      info: { main },
      error: { main: tokens.bad },
      warning: { main: tokens.warn },
      success: { main: tokens.good },
      text: { primary: tokens.ink, secondary: tokens.ink2 },
      divider: tokens.line,
      background: { default: tokens.ground, paper: tokens.paper },
    },
  });
}

/** Returns a colour, or the nearest one that can be read on every ground of a theme. */
function adjustContrast(colour: string, mode: "light" | "dark"): string {
  const mix = mode === "light" ? darken : lighten;
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(colour, share);
    if (getContrastRatio(mixed, TOKENS[mode].hardest) >= LEAST_CONTRAST) return mixed;
  }
  return TOKENS[mode].ink;
}
