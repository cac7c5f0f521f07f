import type { PlaceStock } from "@partline/client";
import { useState, type ReactNode } from "react";
import { LONGEST_BIN, LONGEST_REASON, MOST_ON_HAND } from "../../../../../mixins/shop/shelves.ts";
import { partline } from "../partline.ts";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";
import { toPlace } from "./part-fields.ts";

const { stock } = texts;

/** A place as it was read; without a name for a place that is new. */
export type CountedPlace = Pick<PlaceStock, "place" | "onHand" | "version" | "bin" | "reorderPoint">;

interface CountDialogProps {
  /** Of the part. */
  id: string;
  counted: CountedPlace;
  onClose(): void;
}

/** Counts a place. It is refused if another clerk or a shipment changed the place since it was read. */
export function CountDialog({ id, counted, onClose }: CountDialogProps): ReactNode {
  const [{ version }] = useState(counted);
  const [place, setPlace] = useState(counted.place);
  const [onHand, setOnHand] = useState(version === 0 ? "" : String(counted.onHand));
  const [bin, setBin] = useState(counted.bin ?? "");
  const [reorderPoint, setReorderPoint] = useState(counted.reorderPoint?.toString() ?? "");
  const [reason, setReason] = useState("");
  const isWhole = (text: string): boolean => /^\d+$/.test(text.trim()) && Number(text) <= MOST_ON_HAND;
  const isReady = place.trim() !== "" && isWhole(onHand) && (reorderPoint.trim() === "" || isWhole(reorderPoint));
  return (
    <ActionDialog
      title={stock.countTitle}
      submit={stock.save}
      done={stock.saved}
      hint={place.trim() === "" ? stock.notWhole : texts.refusals.onHand}
      onClose={onClose}
      values={[place, onHand, bin, reorderPoint, reason]}
      run={
        isReady
          ? () =>
              partline.catalog.countStock({
                id,
                place: toPlace(place),
                onHand: Number(onHand),
                bin: bin.trim() || null,
                reorderPoint: reorderPoint.trim() === "" ? null : Number(reorderPoint),
                ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
                version,
              })
          : undefined
      }
    >
      {version === 0 && <TextInput label={stock.place} value={place} onChange={setPlace} />}
      <TextInput label={stock.onHand} value={onHand} onChange={setOnHand} slotProps={NUMERIC} />
      <TextInput label={stock.bin} value={bin} onChange={setBin} slotProps={limitLength(LONGEST_BIN)} />
      <TextInput label={stock.reorderPoint} value={reorderPoint} onChange={setReorderPoint} slotProps={NUMERIC} />
      <TextInput label={stock.reason} value={reason} onChange={setReason} slotProps={limitLength(LONGEST_REASON)} />
    </ActionDialog>
  );
}

const limitLength = (maxLength: number) => ({ htmlInput: { maxLength } });
const NUMERIC = { htmlInput: { inputMode: "numeric" } } as const;
