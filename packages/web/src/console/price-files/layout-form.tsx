import type { PriceFileLayout } from "@partline/client";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import type { ReactNode } from "react";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Facts } from "../shared/facts.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts.ts";

const { priceFiles } = texts;
const SHOP_CURRENCY = "USD";
const COLUMNS = Object.entries(priceFiles.columns);

/** What a person says of a file, beside what was understood. */
export interface Understanding {
  /** What each column is, by its position; empty for none. */
  columns: Record<number, string>;
  /** What a person changed: it counts for every request after it, though the answers show it as understood. */
  mapping?: Record<string, string | number | null>;
  sheet?: string;
  /** Amounts count as the shop's. */
  isSame?: boolean;
  rate?: string;
}

export function toUnderstanding({ columns, sheet }: PriceFileLayout): Understanding {
  return { columns: Object.fromEntries(columns.map(({ position, column }) => [position, column ?? ""])), sheet };
}

/** Returns what an import is asked with. */
export function toQuery(layout: PriceFileLayout, { mapping, sheet, isSame, rate }: Understanding) {
  return {
    ...(mapping && { mapping: JSON.stringify(mapping) }),
    ...(sheet !== undefined && { sheet }),
    ...(isSame && layout.currency !== null && { currency: layout.currency }),
    ...(rate !== undefined && Number(rate.replace(",", ".")) > 0 && { rate: Number(rate.replace(",", ".")) }),
  };
}

/** Returns the columns by what they were chosen to be; null for what no column is any more. */
function toMapping(layout: PriceFileLayout, { columns, mapping = {} }: Understanding): Understanding["mapping"] {
  const knownColumns = [...Object.keys(mapping), ...layout.columns.flatMap(({ column }) => column ?? [])];
  const chosen = layout.columns.flatMap(({ position, name }) =>
    columns[position] ? [[columns[position], name || position] as const] : [],
  );
  return Object.fromEntries<string | number | null>([
    ...knownColumns.map((column) => [column, null] as const),
    ...chosen,
  ]);
}

interface LayoutFormProps {
  layout: PriceFileLayout;
  value: Understanding;
  onChange(value: Understanding): void;
}

/** How a price file was understood, column by column, for a person to change. */
export function LayoutForm({ layout, value, onChange }: LayoutFormProps): ReactNode {
  const { encoding, delimiter, sheets = [], headerLine, currency, samples } = layout;
  const setColumn = (position: number, column: string): void => {
    const columns: Record<number, string> = { ...value.columns };
    for (const { position: place } of layout.columns) if (columns[place] === column) columns[place] = "";
    columns[position] = column;
    onChange({ ...value, columns, mapping: toMapping(layout, { ...value, columns }) });
  };
  const isForeign = currency !== null && currency !== SHOP_CURRENCY;
  const money = value.rate === undefined ? (value.isSame ? "same" : "") : "rate";
  return (
    <Section title={priceFiles.understood}>
      <Stack spacing={2}>
        <Facts
          facts={[
            [priceFiles.encoding, encoding],
            [priceFiles.delimiter, delimiter === "\t" ? "Tab" : delimiter],
            [priceFiles.headerLine, headerLine === null ? priceFiles.noHeader : String(headerLine)],
            [priceFiles.currency, currency ?? undefined],
          ]}
        />
        {sheets.length > 1 && (
          <ChoiceField
            label={priceFiles.sheet}
            value={value.sheet ?? ""}
            values={sheets.map((sheet) => [sheet, sheet] as const)}
            onChange={(sheet) => onChange({ columns: {}, sheet })}
          />
        )}
        {isForeign && (
          <Stack direction={{ xs: "column", sm: "row" }} spacing={1}>
            <ChoiceField
              label={priceFiles.showCurrency(currency)}
              value={money}
              values={[
                ["", priceFiles.chooseMoney],
                ["same", priceFiles.countAs(SHOP_CURRENCY)],
                ["rate", priceFiles.convert],
              ]}
              onChange={(choice) =>
                onChange({ ...value, isSame: choice === "same", rate: choice === "rate" ? "" : undefined })
              }
            />
            {money === "rate" && (
              <TextField
                size="small"
                label={priceFiles.rate(currency, SHOP_CURRENCY)}
                value={value.rate}
                onChange={({ target }) => onChange({ ...value, rate: target.value })}
                slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
              />
            )}
          </Stack>
        )}
        <FiguresTable
          label={priceFiles.understood}
          head={[priceFiles.inFile, priceFiles.readAs, ...samples.map(({ line }) => `${priceFiles.line} ${line}`)]}
          rows={layout.columns.map(({ position, name, column, examples }) => [
            name || `${priceFiles.position} ${position}`,
            <Stack key={position} sx={{ minWidth: "11rem" }}>
              <ChoiceField
                label={`${priceFiles.readAs}: ${name || position}`}
                value={value.columns[position] ?? ""}
                values={[["", priceFiles.notUsed], ...COLUMNS]}
                onChange={(chosen) => setColumn(position, chosen)}
              />
            </Stack>,
            ...samples.map(({ values }, index) => (column === null ? examples?.[index] : values[column]) ?? ""),
          ])}
          keys={layout.columns.map(({ position }) => position)}
        />
      </Stack>
    </Section>
  );
}
