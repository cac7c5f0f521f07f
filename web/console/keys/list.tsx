import type { Key } from "@partline/client";
import Button from "@mui/material/Button";
import { useState, type ReactNode } from "react";
import { Confirm, CreateButton, List, TopToolbar, type RaRecord } from "react-admin";
import { moment } from "../format.ts";
import { HiddenHeading } from "../heading.tsx";
import { useMay } from "../may.ts";
import { Cards } from "../operations/cards.tsx";
import { Facts } from "../orders/facts.tsx";
import { Section } from "../orders/section.tsx";
import { useAction } from "../orders/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";

function Actions(): ReactNode {
  const may = useMay();
  return <TopToolbar>{may("keys:write") && <CreateButton label={texts.keys.create} />}</TopToolbar>;
}

/** Other systems' keys. */
export function KeyList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.keys}</HiddenHeading>
      <List title={texts.menu.keys} actions={<Actions />} exporter={false} empty={false}>
        <Cards<Key & RaRecord> none={texts.keys.none} render={(key) => <KeyCard key={key.keyId} of={key} />} />
      </List>
    </>
  );
}

function KeyCard({ of }: { of: Key }): ReactNode {
  const { keyId, name, scopes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = of;
  const t = texts.keys;
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const revoke = useAction(t.revokedNow);
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
        <Button
          size="small"
          color="error"
          disabled={revoke.isBusy}
          aria-label={`${t.revoke}: ${name} ${keyId}`}
          onClick={() => setAsks(true)}
          sx={{ mt: 1 }}
        >
          {t.revoke}
        </Button>
      )}
      <Refusal of={revoke.refusal} />
      <Confirm
        isOpen={asks}
        title={t.revoke}
        content={t.revokeConfirm(name)}
        onConfirm={() => {
          setAsks(false);
          revoke.act(() => partline.access.revokeKey({ keyId }));
        }}
        onClose={() => setAsks(false)}
      />
    </Section>
  );
}
