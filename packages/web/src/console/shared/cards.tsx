import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { useListContext, type RaRecord } from "react-admin";

/** A list whose entries have much text: a card each, at every width. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the list's own
export function Cards<T extends RaRecord>({
  emptyText,
  render,
}: {
  emptyText: string;
  render(record: T): ReactNode;
}): ReactNode {
  const { data, isPending } = useListContext<T>();
  if (isPending) return null;
  if (!data?.length)
    return (
      <Box component="p" role="status" sx={{ px: 2 }}>
        {emptyText}
      </Box>
    );
  return (
    <Stack spacing={1} sx={{ p: 1 }}>
      {data.map(render)}
    </Stack>
  );
}
