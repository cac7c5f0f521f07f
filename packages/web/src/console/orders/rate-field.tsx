import type { LabelRate, LabelRates, OrderAdminLabelRatesParams } from "@partline/client";
import Typography from "@mui/material/Typography";
import { useEffect, type ReactNode } from "react";
import { nameMethod } from "@partline/toolkit/pure";
import { ChoiceField } from "../shared/choice-field.tsx";
import { money } from "../shared/format.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { language, texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { useSettled } from "../shared/use-settled.ts";

interface RateFieldProps {
  label: string;
  parcel: OrderAdminLabelRatesParams;
  value: string;
  onChange(rate: string): void;
}

const { actions } = texts;
const LABEL_CURRENCY = "usd";

/** `$9.85 · USPS Priority · 2 days`: a phone shows the beginning. */
export function describeRate({ cost, estimatedDays, ...method }: LabelRate): string {
  const days = estimatedDays === undefined ? [] : [actions.rateDays(estimatedDays)];
  return [money(Number(cost), LABEL_CURRENCY), nameMethod(method, language), ...days].join(" · ");
}

/** What EasyPost offers for a parcel: carrier, service, price and days; first what the buyer chose. */
export function RateField({ label, parcel, value, onChange }: RateFieldProps): ReactNode {
  const settledParcel = useSettled(parcel);
  const { data, refusal } = useReading(["label-rates", settledParcel], async (signal): Promise<LabelRates> =>
    settledParcel.lines?.length === 0 ? { rates: [] } : partline.order.adminLabelRates(settledParcel, { signal }),
  );
  const rates = refusal === undefined ? data?.rates : [];
  useEffect(() => {
    if (rates === undefined || rates.some(({ rate }) => rate === value)) return;
    onChange(rates.find(({ isBuyersChoice }) => isBuyersChoice)?.rate ?? "");
  }, [data, refusal]);
  if (refusal !== undefined) return <Refusal error={refusal} />;
  if (rates === undefined) return <Typography role="status">{actions.loadingRates}</Typography>;
  if (rates.length === 0) return <Typography role="status">{actions.noRates}</Typography>;
  return (
    <ChoiceField
      label={label}
      value={value}
      values={[
        ...(value === "" ? [["", actions.chooseRate] as const] : []),
        ...rates.map((offer) => {
          const choice = offer.isBuyersChoice ? [actions.buyersChoice] : [];
          return [offer.rate, [describeRate(offer), ...choice].join(" · ")] as const;
        }),
      ]}
      onChange={onChange}
    />
  );
}
