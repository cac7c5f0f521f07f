import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Title } from "react-admin";
import { WindowTitle } from "./heading.tsx";

/** A page that is no list. */
export function Page({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Stack spacing={2} sx={{ mt: 2, minWidth: 0 }}>
      <Title title={title} />
      <WindowTitle>{title}</WindowTitle>
      <Typography component="h1" variant="h5" sx={{ overflowWrap: "anywhere" }}>
        {title}
      </Typography>
      {children}
    </Stack>
  );
}
