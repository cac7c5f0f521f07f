import Add from "@mui/icons-material/Add";
import ExpandMore from "@mui/icons-material/ExpandMore";
import Accordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { createContext, useContext, useId, useState, type ReactNode } from "react";
import {
  ArrayInput,
  BooleanInput,
  Button,
  FormDataConsumer,
  FormGroupContextProvider,
  minValue,
  NumberInput,
  required,
  SelectInput,
  SimpleFormIterator,
  TextInput,
  useFormGroup,
  type NumberInputProps,
  type SimpleFormIteratorProps,
} from "react-admin";
import { useVendors } from "../catalog/use-vendors.ts";
import { money } from "../shared/format.ts";
import { texts } from "../texts.ts";
import type { SettingsRecord } from "./data.ts";
import { useReadOnly } from "./use-read-only.ts";

const { settings: t } = texts;

/** A plus alone, as react-admin has it, says nothing of what it adds to. */
export const ADD_BUTTON = (
  <Button label="ra.action.add">
    <Add />
  </Button>
);

const toRows = (readOnly: boolean): Partial<SimpleFormIteratorProps> => ({
  fullWidth: true,
  addButton: ADD_BUTTON,
  disableClear: true,
  disableAdd: readOnly,
  disableRemove: readOnly,
  disableReordering: readOnly,
});

/** From whom mails come. */
export function SenderFields(): ReactNode {
  const { readOnly, isPinned } = useReadOnly("mailSender");
  const slotProps = { htmlInput: { readOnly } };
  return (
    <>
      <TextInput
        source="mailSender.name"
        label={t.senderName}
        helperText={t.senderNameHint}
        fullWidth
        slotProps={slotProps}
      />
      <TextInput
        source="mailSender.address"
        label={t.senderAddress}
        helperText={isPinned ? t.pinned : t.senderAddressHint}
        type="email"
        validate={findMissingAddress}
        fullWidth
        slotProps={slotProps}
      />
    </>
  );
}

function findMissingAddress(address: unknown, { mailSender }: Record<string, unknown>): string | undefined {
  const hasName = Boolean((mailSender as SettingsRecord["mailSender"] | undefined)?.name);
  return hasName && !address ? t.senderAddressNeeded : undefined;
}

/** What happens to pieces beyond the stock. */
export function StockFields(): ReactNode {
  const { readOnly, isPinned } = useReadOnly("stockPolicy");
  const choices = useVendors().vendors?.map(({ code, name }) => ({ id: code, name }));
  return (
    <>
      <Row>
        <Policy source="stockPolicy.usual." readOnly={readOnly} />
      </Row>
      <ArrayInput source="stockPolicy.vendors" label={t.vendorPolicies} helperText={isPinned ? t.pinned : undefined}>
        <SimpleFormIterator inline {...toRows(readOnly)} disableReordering>
          <SelectInput
            source="vendor"
            label={t.vendorCode}
            choices={choices}
            validate={required()}
            readOnly={readOnly}
          />
          <Policy source="" readOnly={readOnly} />
        </SimpleFormIterator>
      </ArrayInput>
    </>
  );
}

function Policy({ source, readOnly }: { source: string; readOnly: boolean }): ReactNode {
  const choices = [
    { id: "sell", name: t.sellBeyond },
    { id: "up_to_stock", name: t.upToStock },
  ];
  return (
    <>
      <SelectInput source={`${source}beyond`} label={t.beyond} choices={choices} {...choice} readOnly={readOnly} />
      <Amount
        source={`${source}days`}
        label={t.backorderDays}
        helperText={t.backorderDaysHint}
        readOnly={readOnly}
        step={1}
      />
    </>
  );
}

const choice = { validate: required(), defaultValue: "sell" } as const;

/** Fields side by side where there is room. */
export function Row({ children }: { children: ReactNode }): ReactNode {
  return (
    <Stack
      direction={{ xs: "column", md: "row" }}
      sx={{ columnGap: 2, width: "100%", maxWidth: "52rem", "& > *": { flex: 1 } }}
    >
      {children}
    </Stack>
  );
}

function Amount(props: NumberInputProps): ReactNode {
  return <NumberInput min={0} validate={minValue(0)} {...props} />;
}

type FormZone = SettingsRecord["shippingTable"]["zones"][number];
type Method = FormZone["methods"][number];

const dense = { margin: "none", helperText: false } as const;

function describeZone({ name, countries, methods }: Partial<FormZone>): [string, string] {
  const names = (methods ?? []).map(({ provider, serviceType }) => [provider, serviceType].filter(Boolean).join(" "));
  const where = countries?.trim() === "*" ? t.everyCountry : countries;
  return [name || t.newZone, [where, names.join(", ")].filter(Boolean).join(" · ")];
}

function describeMethod({ provider, serviceType, estimatedDays, steps }: Partial<Method>): [string, string] {
  const costs = (steps ?? []).flatMap(({ cost }) => (typeof cost === "number" ? [cost] : []));
  const [least, most] = [Math.min(...costs), Math.max(...costs)].map((cost) => money(cost, "usd"));
  const prices = costs.length === 0 ? undefined : least === most ? least : `${least} – ${most}`;
  const days = typeof estimatedDays === "number" ? t.describeDays(estimatedDays) : undefined;
  return [[provider, serviceType].filter(Boolean).join(" ") || t.newMethod, [days, prices].filter(Boolean).join(" · ")];
}

/** True in a zone with a mistake. */
const MistakeContext = createContext(false);

interface FoldableProps<T> {
  level: "h2" | "h3";
  /** Returns an item's name, and what matters of it. */
  describe(item: Partial<T>): [name: string, summary: string];
  children: ReactNode;
}

/** Fields of an item that are folded up behind its summary. */
function Foldable<T extends object>(props: FoldableProps<T>): ReactNode {
  return (
    <FormDataConsumer>
      {({ scopedFormData = {} }: { scopedFormData?: Partial<T> }) => <Fold {...props} item={scopedFormData} />}
    </FormDataConsumer>
  );
}

/** New items are open, and so is everything in a zone with a mistake. */
function Fold<T extends object>({
  level,
  describe,
  item,
  children,
}: FoldableProps<T> & { item: Partial<T> }): ReactNode {
  const id = useId();
  const hasMistake = useContext(MistakeContext);
  const [isOpen, setOpen] = useState(() => Object.keys(item).length === 0);
  const [name, summary] = describe(item);
  return (
    <Accordion
      variant="outlined"
      disableGutters
      expanded={isOpen || hasMistake}
      onChange={(_, isExpanded) => setOpen(isExpanded)}
      slotProps={{ heading: { component: level } }}
      sx={{ width: "100%", my: 0.5 }}
    >
      <AccordionSummary expandIcon={<ExpandMore />} id={`${id}-head`} aria-controls={`${id}-body`}>
        <Typography component="span" sx={{ fontWeight: 600, mr: 2 }}>
          {name}
        </Typography>
        <Typography component="span" sx={{ color: "text.secondary" }}>
          {summary}
        </Typography>
      </AccordionSummary>
      <AccordionDetails>{children}</AccordionDetails>
    </Accordion>
  );
}

/** Knows whether any field of a zone is refused. */
function ZoneGroup({ children }: { children: ReactNode }): ReactNode {
  const name = useId();
  return (
    <FormGroupContextProvider name={name}>
      <ZoneMistakes name={name}>{children}</ZoneMistakes>
    </FormGroupContextProvider>
  );
}

function ZoneMistakes({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return <MistakeContext value={!useFormGroup(name).isValid}>{children}</MistakeContext>;
}

/** What shipping costs: the first zone that has the address counts. */
export function ShippingFields(): ReactNode {
  const { readOnly, isPinned } = useReadOnly("shippingTable");
  const rows = toRows(readOnly);
  const needed = { validate: required(), readOnly };
  const units = ["kg", "lb"].map((id) => ({ id, name: id }));
  const bases = [
    { id: "weight", name: t.byWeight },
    { id: "total", name: t.byTotal },
  ];
  return (
    <>
      <p>{isPinned ? t.pinned : t.tableHint}</p>
      <Row>
        <SelectInput
          source="shippingTable.weightUnit"
          label={t.weightUnit}
          choices={units}
          {...needed}
          helperText={t.weightUnitHint}
        />
        <Amount source="shippingTable.defaultWeight" label={t.defaultWeight} {...needed} />
      </Row>
      <ArrayInput source="shippingTable.zones" label={t.zones}>
        <SimpleFormIterator {...rows}>
          <ZoneGroup>
            <Foldable<FormZone> level="h2" describe={describeZone}>
              <Row>
                <TextInput source="name" label={t.zoneName} {...needed} />
                <TextInput source="countries" label={t.countries} helperText={t.countriesHint} {...needed} />
              </Row>
              <Row>
                <TextInput source="regions" label={t.regions} helperText={t.regionsHint} readOnly={readOnly} />
                <TextInput
                  source="postalCodes"
                  label={t.postalCodes}
                  helperText={t.postalCodesHint}
                  readOnly={readOnly}
                />
              </Row>
              <ArrayInput source="methods" label={t.methods}>
                <SimpleFormIterator {...rows}>
                  <Foldable<Method> level="h3" describe={describeMethod}>
                    <Row>
                      <TextInput source="provider" label={t.provider} {...needed} />
                      <TextInput source="serviceType" label={t.serviceType} {...needed} />
                      <Amount source="estimatedDays" label={t.estimatedDays} {...needed} />
                    </Row>
                    <Row>
                      <SelectInput source="by" label={t.by} choices={bases} defaultValue="weight" {...needed} />
                      <Amount source="freeFrom" label={t.freeFrom} readOnly={readOnly} />
                    </Row>
                    <Row>
                      <BooleanInput source="hazmat" label={t.hazmat} disabled={readOnly} />
                      <BooleanInput source="oversize" label={t.oversize} disabled={readOnly} />
                    </Row>
                    <ArrayInput source="steps" label={t.steps} helperText={t.stepsHint}>
                      <SimpleFormIterator inline {...rows} disableReordering>
                        <Amount source="upTo" label={t.upTo} readOnly={readOnly} {...dense} />
                        <Amount source="cost" label={t.cost} {...needed} {...dense} />
                        <Amount source="perUnit" label={t.perUnit} readOnly={readOnly} {...dense} />
                      </SimpleFormIterator>
                    </ArrayInput>
                  </Foldable>
                </SimpleFormIterator>
              </ArrayInput>
            </Foldable>
          </ZoneGroup>
        </SimpleFormIterator>
      </ArrayInput>
    </>
  );
}
