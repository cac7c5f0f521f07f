import useMediaQuery from "@mui/material/useMediaQuery";

/** Whether the window has less room than a breakpoint of the theme. Paper is no phone: tables stay tables on it. */
export function useIsNarrow(breakpoint: "md" | "lg"): boolean {
  return useMediaQuery((theme) => theme.breakpoints.down(breakpoint).replace("@media ", "@media screen and "));
}
