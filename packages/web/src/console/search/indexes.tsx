import type { DatedIndex } from "@partline/client";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Confirmed } from "../shared/confirmed.tsx";
import { count, moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { ListSection } from "../shared/listed.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { search } = texts;

/** The dated indexes; one older than the live one can serve again. */
export function Indexes(): ReactNode {
  const { data, refusal } = useReading(["indexes"], (signal) => partline.search.indexes({}, { signal }));
  const mayChange = useMay()("search:admin");
  const findOlder = (index: DatedIndex["index"]): DatedIndex | undefined => {
    const sameKind = data?.indexes.filter((entry) => entry.index === index) ?? [];
    return sameKind[sameKind.findIndex(({ live }) => live) + 1];
  };
  return (
    <ListSection
      title={search.indexes}
      refusal={refusal}
      emptyText={search.noIndex}
      items={data?.indexes}
      columns={[
        [search.name, ({ name }) => name],
        [search.documents, ({ documents }) => count(documents)],
        [search.made, ({ createdAt }) => moment(createdAt)],
        [search.use, ({ live }) => (live ? search.live : search.kept)],
      ]}
    >
      {mayChange && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", mt: 1 }}>
          {(["parts", "tires"] as const).map((index) => {
            const older = findOlder(index);
            return (
              older && (
                <Confirmed
                  key={index}
                  variant="outlined"
                  label={`${search.rollback}: ${index}`}
                  question={search.rollbackTo(older.name, count(older.documents))}
                  done={search.rolledBack}
                  run={() => partline.search.rollback({ index })}
                />
              )
            );
          })}
        </Stack>
      )}
    </ListSection>
  );
}
