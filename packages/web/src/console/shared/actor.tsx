import { isPartlineError } from "@partline/client";
import type { ReactNode } from "react";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { useReading } from "./use-reading.ts";

const USER = "user:";
const KEY = "key:";
/** Stands for a name that is being read: an id in its place would be taken for it. */
const READING = "…";

/** Names who made a change: a person by name, as far as the shop has it. */
export function Actor({ name }: { name: string }): ReactNode {
  if (name.startsWith(USER)) return <UserName id={name.slice(USER.length)} />;
  if (name.startsWith(KEY)) return <KeyName id={name.slice(KEY.length)} />;
  return texts.actors[name] ?? name;
}

/** The name that a key was given when it was made. */
function KeyName({ id }: { id: string }): ReactNode {
  const mayRead = useMay()("keys:read");
  const { data, refusal } = useReading(["key-name", id, mayRead], async (signal) =>
    mayRead ? (await partline.access.key({ keyId: id }, { signal })).name : id,
  );
  return `${texts.keys.id}: ${data ?? (refusal === undefined ? READING : id)}`;
}

/** The name of a user whose id is in a record. */
export function UserName({ id }: { id: string }): ReactNode {
  const may = useMay();
  const mayRead = may("users:read");
  const { data, refusal } = useReading(["user-name", id, mayRead], async (signal) => {
    if (!mayRead) return id;
    try {
      const { name, email } = await partline.user.get({ id }, { signal });
      return name ?? email ?? id;
    } catch (error) {
      // A user of the identity provider alone, or one that is deleted.
      if (isPartlineError(error, "NOT_FOUND")) return id;
      throw error;
    }
  });
  return data ?? (refusal === undefined ? READING : id);
}
