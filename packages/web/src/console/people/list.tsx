import type { User } from "@partline/client";
import type { ReactNode } from "react";
import { DataTable, Link, SearchInput, SimpleList } from "react-admin";
import { moment } from "../shared/format.ts";
import { List } from "../shared/list.tsx";
import { Long } from "../shared/long.tsx";
import { Page } from "../shared/page.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts.ts";
import { Guest } from "./guest.tsx";
import { useIsNarrow } from "../shared/use-is-narrow.ts";

const { people } = texts;
type Row = User & { id: string };

const FILTERS = [<SearchInput key="q" source="q" alwaysOn placeholder={people.search} aria-label={people.search} />];
const getName = ({ name, email, userId }: User): string => name ?? email ?? userId;

/** Users, newest first, and the personal data of guests. */
export function UserList(): ReactNode {
  const isNarrow = useIsNarrow("md");
  return (
    <Page title={texts.menu.people}>
      <Section title={people.users}>
        <List
          filters={FILTERS}
          // What is searched for may be an address: it stays out of the page's.
          disableSyncWithLocation
          actions={false}
          title={false}
        >
          {isNarrow ? (
            <SimpleList<Row>
              primaryText={getName}
              secondaryText={({ email, role }) => `${email} · ${role}`}
              rowClick="show"
            />
          ) : (
            <DataTable<Row> bulkActionButtons={false} rowClick="show">
              <DataTable.Col<Row>
                label={people.name}
                disableSort
                render={(user) => (
                  <Link to={`/users/${encodeURIComponent(user.userId)}/show`}>
                    <Long>{getName(user)}</Long>
                  </Link>
                )}
              />
              <DataTable.Col<Row>
                label={people.email}
                disableSort
                render={({ email }) => email && <Long>{email}</Long>}
              />
              <DataTable.Col<Row> source="role" label={people.role} disableSort />
              <DataTable.Col<Row>
                label={people.since}
                disableSort
                render={({ createdAt }) => createdAt && moment(createdAt)}
              />
            </DataTable>
          )}
        </List>
      </Section>
      <Guest />
    </Page>
  );
}
