import type { Key } from "@partline/client";
import type { ReactNode } from "react";
import { type RaRecord } from "react-admin";
import { Confirmed } from "../shared/confirmed.tsx";
import { moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { useMay } from "../may.ts";
import { Cards } from "../shared/cards.tsx";
import { CreateAction } from "../shared/create-action.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";

/** Other systems' keys. */
export function KeyList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.keys}</HiddenHeading>
      <List title={texts.menu.keys} actions={<CreateAction scope="keys:write" label={texts.keys.create} />}>
        <Cards<Key & RaRecord> emptyText={texts.keys.none} render={(key) => <KeyCard key={key.keyId} apiKey={key} />} />
      </List>
    </>
  );
}

function KeyCard({ apiKey }: { apiKey: Key }): ReactNode {
  const { keyId, name, scopes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = apiKey;
  const t = texts.keys;
  const may = useMay();
  return (
    <Section component="article" title={`${name} · ${keyId}`}>
      <Facts
        facts={[
          [t.revoked, revokedAt ? moment(revokedAt) : undefined],
          [t.scopes, scopes.join(", ")],
          [t.made, moment(createdAt)],
          [t.by, createdBy],
          [t.expires, expiresAt ? moment(expiresAt) : t.never],
          [t.used, lastUsedAt ? moment(lastUsedAt) : t.never],
        ]}
      />
      {may("keys:write") && !revokedAt && (
        <Confirmed
          size="small"
          color="error"
          label={t.revoke}
          name={`${name} ${keyId}`}
          question={t.revokeConfirm(name)}
          done={t.revokedNow}
          run={() => partline.access.revokeKey({ keyId })}
          sx={{ mt: 1 }}
        />
      )}
    </Section>
  );
}
