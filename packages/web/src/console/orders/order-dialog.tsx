import { isPartlineError, type AdminOrder } from "@partline/client";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { Fragment, useState, type ReactNode } from "react";
import { getCurrencyDigits } from "@partline/parts-language";
import { texts } from "../texts.ts";
import { partline } from "../partline.ts";
import { ActionDialog, type Act } from "../shared/action-dialog.tsx";
import { ChoiceField } from "../shared/choice-field.tsx";
import {
  parseAmount,
  parseWeight,
  DIALOGS,
  type DialogName,
  type Field,
  type Given,
  type OrderDialog as Definition,
} from "./dialogs.ts";
import { chosenLines, listChoices, chooseLines, type Chosen } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { RateField } from "./rate-field.tsx";
import { buildTimeline } from "./timeline-entries.ts";

interface OrderDialogProps {
  name: DialogName;
  order: AdminOrder;
  onClose(): void;
}

/** Empties the fields whose value is none of those that the other fields leave: the state of another country. */
function dropUnlisted(fields: readonly Field[], inputs: Given): Given {
  const unlisted = fields.filter(({ name, values }) => {
    const choices = typeof values === "function" ? values(inputs) : undefined;
    return choices && !choices.some(([value]) => value === inputs[name]);
  });
  return { ...inputs, ...Object.fromEntries(unlisted.map(({ name }) => [name, ""])) };
}

/** Says what happened to an order since a version of it. */
async function describeChanges(order: AdminOrder, since: number): Promise<string> {
  const { events } = await partline.order.adminHistory({ orderId: order.orderId });
  const newEvents = events.filter(({ version }) => version > since);
  return buildTimeline({ ...order, notes: [] }, newEvents, [])
    .map(({ what }) => what)
    .join("; ");
}

/** Asks for what an action on an order needs. */
export function OrderDialog({ name, order: now, onClose }: OrderDialogProps): ReactNode {
  // As it was when the dialog was opened: a press after a lost answer makes the same request. Where the order has
  // changed since, what is typed is checked against it as it is now, and sent again.
  const [order, setOrder] = useState(now);
  const rereadIfChanged =
    (act: Act): Act =>
    (call) =>
      act(call).catch(async (error: unknown): Promise<never> => {
        if (!isPartlineError(error, "VERSION_CONFLICT")) throw error;
        const orderNow = await partline.order.adminGet({ orderId: order.orderId });
        const changes = await describeChanges(orderNow, order.version);
        setOrder(orderNow);
        throw new Error(texts.actions.changedMeanwhile(changes));
      });
  const { title, submit, done, pieces, fields, hint, flaw, run }: Definition = DIALOGS[name];
  const choices = pieces ? listChoices(order, (line) => pieces.of(line)) : [];
  const formFields = fields(order);
  const [chosen, setChosen] = useState<Chosen>(pieces?.chosen ? chooseLines(order, pieces.chosen) : {});
  const [inputs, setValues] = useState(() =>
    dropUnlisted(formFields, Object.fromEntries(formFields.map((field) => [field.name, field.initial]))),
  );
  const isAsked = (only: readonly [string, string] | undefined): boolean => !only || inputs[only[0]] === only[1];
  const lacksNumber = formFields.some(
    ({ name: field, isAmount, only, initial }) =>
      isAmount && isAsked(only) && parseAmount(inputs[field] || initial, order) === undefined,
  );
  const act = run(order, inputs, chosen);
  const hintText = hint?.(order, inputs, chosen);
  const piecesField = pieces && isAsked(pieces.only) && (
    <PiecesField choices={choices} chosen={chosen} ticksBackordered={pieces.ticksBackordered} onChange={setChosen} />
  );
  const renderInput = ({ name: field, label, values, isAmount, isRate }: Field): ReactNode => {
    const value = inputs[field] ?? "";
    const onChange = (text: string): void =>
      setValues((inputsNow) => dropUnlisted(formFields, { ...inputsNow, [field]: text }));
    if (isRate) {
      const parcel = { orderId: order.orderId, lines: chosenLines(chosen), ...parseWeight(inputs.weightGrams ?? "") };
      return <RateField label={label} parcel={parcel} value={value} onChange={onChange} />;
    }
    const choices = typeof values === "function" ? values(inputs) : values;
    if (choices) return <ChoiceField label={label} value={value} values={choices} onChange={onChange} />;
    return (
      <TextField
        size="small"
        label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: isAmount ? { inputMode: "decimal" } : {} }}
      />
    );
  };
  return (
    <ActionDialog
      title={`${title} ${order.orderNumber}`}
      submit={submit}
      done={done}
      hint={
        flaw?.(order, inputs) ?? (lacksNumber ? texts.actions.noAmount(getCurrencyDigits(order.currency)) : undefined)
      }
      onClose={onClose}
      values={[inputs, chosen, order.version]}
      run={act && rereadIfChanged(act)}
    >
      {!pieces?.only && piecesField}
      {formFields
        .filter(({ only }) => isAsked(only))
        .map((field) => (
          <Fragment key={field.name}>
            {renderInput(field)}
            {pieces?.only?.[0] === field.name && piecesField}
          </Fragment>
        ))}
      {hintText && <Typography role="status">{hintText}</Typography>}
    </ActionDialog>
  );
}
