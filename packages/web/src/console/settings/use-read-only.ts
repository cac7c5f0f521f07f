import { useRecordContext } from "react-admin";
import { useMay } from "../may.ts";
import type { SettingsRecord } from "./data.ts";

/** Returns whether a setting, or a field of it (`policies.terms.en`), is nobody's to change here. */
export function useReadOnly(source: string): { readOnly: boolean; isPinned: boolean } {
  const record = useRecordContext<Partial<SettingsRecord>>();
  const [name = ""] = source.split(".");
  const isPinned = record?.pinned?.includes(name) ?? false;
  return { isPinned, readOnly: isPinned || !useMay()("settings:write") };
}
