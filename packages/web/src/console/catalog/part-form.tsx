import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import TextField from "@mui/material/TextField";
import type { ReactNode } from "react";
import {
  BooleanInput,
  Create,
  Edit,
  maxValue,
  minValue,
  NumberInput,
  required,
  SaveButton,
  SelectInput,
  SimpleForm,
  TextInput,
  Toolbar,
  useInput,
  useRecordContext,
  type TextInputProps,
} from "react-admin";
import { MAIN_PLACE, MOST_ON_HAND } from "../../../../../mixins/shop/shelves.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { money } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { useAction } from "../shared/use-action.ts";
import { texts } from "../texts.ts";
import { findNoAttribute, type NewPartForm, type PartFields, type PartRecord } from "./part-fields.ts";
import { useVendors } from "./use-vendors.ts";

const { parts, partForm: t, stock } = texts;
const RESOURCE = "edited-parts";
const toShow = (_resource?: string, id?: string | number): string =>
  `catalog-parts/${encodeURIComponent(String(id))}/show`;
const HIGHEST_PRICE = 999_999.99;
const PICTURES = "image/jpeg,image/png,image/webp,image/avif,image/gif";
const MODES = ["vendor", "fixed", "margin"] as const;

export function PartEdit(): ReactNode {
  return (
    <>
      <HiddenHeading>{t.edit}</HiddenHeading>
      <Edit resource={RESOURCE} title={<EditTitle />} mutationMode="pessimistic" redirect={toShow} actions={false}>
        <SimpleForm toolbar={<SaveToolbar />}>
          <Fields />
        </SimpleForm>
      </Edit>
    </>
  );
}

export function PartCreate(): ReactNode {
  const { vendors = [], refusal } = useVendors();
  return (
    <>
      <HiddenHeading>{t.create}</HiddenHeading>
      <Refusal error={refusal} />
      <Create resource={RESOURCE} title={t.create} redirect={toShow}>
        <SimpleForm toolbar={<SaveToolbar />} defaultValues={{ price: { mode: "fixed" }, hidden: false }}>
          <SelectInput
            source="vendor"
            label={texts.vendors.vendor}
            helperText={t.ownHint}
            choices={vendors.map(({ code, name }) => ({ id: code, name: `${name} (${code})` }))}
            translateChoice={false}
            fullWidth
          />
          <TextInput source="partNumber" label={parts.number} validate={required()} fullWidth />
          <Fields />
          <FirstStock />
        </SimpleForm>
      </Create>
    </>
  );
}

function EditTitle(): ReactNode {
  return [t.edit, useRecordContext<PartRecord>()?.partNumber].filter(Boolean).join(" · ");
}

function SaveToolbar(): ReactNode {
  return (
    <Toolbar>
      <SaveButton />
    </Toolbar>
  );
}

function Fields(): ReactNode {
  return (
    <>
      <Field source="title" label={parts.title} validate={required()} />
      <Field source="description" label={parts.description} multiline minRows={3} />
      <Field source="category" label={parts.category} />
      <PriceInput />
      <Field source="images" label={t.images} hint={t.imagesHint} multiline />
      <Upload />
      <Field
        source="attributes"
        label={t.attributes}
        hint={t.attributesHint}
        multiline
        validate={(text: string | null) => {
          const line = findNoAttribute(text);
          return line === undefined ? undefined : t.askForAttribute(line);
        }}
      />
      <Field source="fits" label={parts.fits} hint={t.fitsHint} multiline />
      <BooleanInput source="hidden" label={t.hidden} helperText={t.hiddenHint} />
    </>
  );
}

/** What lies on the shelf of a part that is new. */
function FirstStock(): ReactNode {
  return (
    <Stack component="fieldset" sx={{ border: 0, p: 0, m: 0, mt: 2, width: "100%" }}>
      <Typography component="legend" variant="h6">
        {stock.first}
      </Typography>
      <Typography sx={{ color: "text.secondary", mb: 1 }}>{stock.firstHint}</Typography>
      <Stack direction={{ xs: "column", md: "row" }} sx={{ columnGap: 2, width: "100%", "& > *": { flex: 1 } }}>
        <NumberInput
          source="stock.onHand"
          label={stock.onHand}
          validate={[minValue(0), maxValue(MOST_ON_HAND), findMissingCount]}
          min={0}
          step={1}
          fullWidth
        />
        <TextInput source="stock.place" label={stock.place} defaultValue={MAIN_PLACE} fullWidth />
        <TextInput source="stock.bin" label={stock.bin} fullWidth />
        <NumberInput
          source="stock.reorderPoint"
          label={stock.reorderPoint}
          validate={[minValue(0), maxValue(MOST_ON_HAND)]}
          min={0}
          step={1}
          fullWidth
        />
      </Stack>
    </Stack>
  );
}

function findMissingCount(onHand: unknown, { stock: firstStock }: NewPartForm): string | undefined {
  const { bin, reorderPoint } = firstStock ?? {};
  const isAsked = Boolean(bin) || typeof reorderPoint === "number";
  return isAsked && typeof onHand !== "number" ? stock.firstMissing : undefined;
}

interface FieldProps extends TextInputProps {
  source: Exclude<keyof PartFields, "price" | "hidden">;
  label: string;
  hint?: string;
}

/** A text, and where it is edited, what the source says in its place. */
function Field({ source, hint, ...props }: FieldProps): ReactNode {
  const record = useRecordContext<PartRecord>();
  const { field } = useInput({ source });
  const sourceText = record?.sources[source];
  const isEdited = sourceText !== undefined && sourceText !== ((field.value as string | null) ?? "");
  return (
    <>
      <TextInput fullWidth source={source} helperText={hint ?? false} {...props} />
      {isEdited && (
        <Stack direction="row" spacing={1} sx={{ alignItems: "center", mb: 1, color: "text.secondary" }}>
          <span style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>{t.showSource(sourceText)}</span>
          <Button size="small" aria-label={`${t.takeBack}: ${props.label}`} onClick={() => field.onChange(sourceText)}>
            {t.takeBack}
          </Button>
        </Stack>
      )}
    </>
  );
}

function PriceInput(): ReactNode {
  const record = useRecordContext<PartRecord>();
  const mode = useInput({ source: "price.mode", defaultValue: "vendor" }).field.value as PartFields["price"]["mode"];
  return (
    <>
      <SelectInput
        source="price.mode"
        label={parts.price}
        choices={MODES.map((id) => ({ id, name: t.priceModes[id] }))}
        translateChoice={false}
        validate={required()}
        helperText={
          record ? t.showVendorPrice(record.vendorPrice === null ? undefined : money(record.vendorPrice, "usd")) : false
        }
        fullWidth
      />
      {mode === "fixed" && (
        <NumberInput
          source="price.fixed"
          label={t.fixed}
          validate={[required(), minValue(0.01), maxValue(HIGHEST_PRICE)]}
          fullWidth
        />
      )}
      {mode === "margin" && (
        <NumberInput
          source="price.marginPercent"
          label={t.margin}
          helperText={record?.cost === undefined ? t.marginHint : t.describeMarginOnCost(money(record.cost, "usd"))}
          validate={[required(), minValue(-99), maxValue(10_000)]}
          fullWidth
        />
      )}
    </>
  );
}

/** Stores a picture, and adds its address to the part's. */
function Upload(): ReactNode {
  const { field } = useInput({ source: "images" });
  const { act, refusal, isBusy } = useAction(t.uploaded);
  if (!useMay()("media:write")) return null;
  const upload = (file: File): void =>
    act(async () => {
      const { url } = await partline.media.put({ body: file, contentType: file.type });
      field.onChange([field.value, url].filter(Boolean).join("\n"));
    });
  return (
    <>
      <TextField
        type="file"
        size="small"
        label={t.upload}
        disabled={isBusy}
        onChange={({ target }) => {
          const [file] = (target as HTMLInputElement).files ?? [];
          if (file) upload(file);
          target.value = "";
        }}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: PICTURES } }}
        sx={{ my: 1 }}
      />
      <Refusal error={refusal} />
    </>
  );
}
