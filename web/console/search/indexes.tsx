import type { DatedIndex } from "@partline/client";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { useGetList } from "react-admin";
import { Confirmed } from "../confirmed.tsx";
import { count, moment } from "../format.ts";
import { useMay } from "../may.ts";
import { Section } from "../orders/section.tsx";
import { partline } from "../partline.ts";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { texts } from "../texts.ts";

const { search } = texts;

/** The dated indexes; one older than the live one can serve again. */
export function Indexes(): ReactNode {
  const { data, error } = useGetList<DatedIndex & { id: string }>("search-indexes");
  const mayChange = useMay()("search:admin");
  const olderOf = (index: DatedIndex["index"]): DatedIndex | undefined => {
    const own = data?.filter((each) => each.index === index) ?? [];
    return own[own.findIndex(({ live }) => live) + 1];
  };
  return (
    <Section title={search.indexes}>
      <Refusal of={error} />
      <Listed
        name={search.indexes}
        none={search.noIndex}
        of={data}
        columns={[
          [search.name, ({ name }) => name],
          [search.documents, ({ documents }) => count(documents)],
          [search.made, ({ createdAt }) => moment(createdAt)],
          [search.use, ({ live }) => (live ? search.live : search.kept)],
        ]}
      />
      {mayChange && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", mt: 1 }}>
          {(["parts", "tires"] as const).map((index) => {
            const older = olderOf(index);
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
    </Section>
  );
}
