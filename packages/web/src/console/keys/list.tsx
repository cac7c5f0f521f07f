import type { Key } from "@partline/client";
import type { ReactNode } from "react";
import type { RaRecord } from "react-admin";
import { Actor } from "../shared/actor.tsx";
import { Confirmed } from "../shared/confirmed.tsx";
import { moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { useMay } from "../may.ts";
import { Rows } from "../shared/rows.tsx";
import { Long } from "../shared/long.tsx";
import { CreateAction } from "../shared/create-action.tsx";
import { List } from "../shared/list.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";

const t = texts.keys;

/** Other systems' keys. */
export function KeyList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.keys}</HiddenHeading>
      <List title={texts.menu.keys} actions={<CreateAction scope="keys:write" label={texts.keys.create} />}>
        <Rows<Key & RaRecord>
          label={texts.menu.keys}
          emptyText={t.none}
          name={toName}
          columns={[
            [t.name, ({ name }) => <Long>{name}</Long>, "in name"],
            [t.id, ({ keyId }) => keyId, "in name"],
            [t.scopes, ({ scopes }) => scopes.join(", ")],
            [t.made, ({ createdAt }) => moment(createdAt)],
            [t.by, ({ createdBy }) => createdBy && <Actor name={createdBy} />],
            [t.expires, ({ expiresAt }) => (expiresAt ? moment(expiresAt) : t.never)],
            [t.used, ({ lastUsedAt }) => (lastUsedAt ? moment(lastUsedAt) : t.never)],
          ]}
          actions={(key) => <RevokeAction apiKey={key} />}
        />
      </List>
    </>
  );
}

function toName({ name, keyId }: Key): string {
  return `${name} · ${keyId}`;
}

function RevokeAction({ apiKey: { keyId, name, revokedAt } }: { apiKey: Key }): ReactNode {
  const mayRevoke = useMay()("keys:write");
  if (revokedAt) return `${t.revoked}: ${moment(revokedAt)}`;
  if (!mayRevoke) return null;
  return (
    <Confirmed
      size="small"
      color="error"
      label={t.revoke}
      name={`${name} ${keyId}`}
      question={t.revokeConfirm(name)}
      done={t.revokedNow}
      run={() => partline.access.revokeKey({ keyId })}
    />
  );
}
