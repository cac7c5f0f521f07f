import type { AdminOrder } from "@partline/client";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { money } from "../shared/format.ts";
import { nameState } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { useListedParts } from "./pieces-field.tsx";
import { listDays, resolveLineState } from "./pieces.ts";
import { Section } from "../shared/section.tsx";

export function Lines({ order }: { order: AdminOrder }): ReactNode {
  const { items, currency } = order;
  const may = useMay();
  const parts = useListedParts(items.filter(isOpenUncounted).map(({ productId }) => productId));
  return (
    <Section title={texts.order.lines}>
      <List dense disablePadding>
        {items.map((line, index) => (
          <ListItem key={index} disableGutters divider={index < items.length - 1}>
            <ListItemText
              primary={
                <>
                  {line.quantity} ×{" "}
                  {may("catalog:read") ? (
                    <Link to={`/catalog-parts/${encodeURIComponent(line.productId)}/show`}>{line.partNumber}</Link>
                  ) : (
                    line.partNumber
                  )}
                  {" · "}
                  {line.name}
                </>
              }
              secondary={[
                money(line.price, currency),
                describeStates(line, order),
                ...describeElsewhere(line),
                ...listDays(line),
                ...(isOpenUncounted(line) && !parts[line.productId]?.shelf ? [texts.parts.availabilities.unknown] : []),
              ].join(" · ")}
            />
            {money(line.total, currency)}
          </ListItem>
        ))}
      </List>
    </Section>
  );
}

/** Whether somebody must pack pieces of a part that nobody had counted when it was sold. */
function isOpenUncounted({ uncounted: isUncounted = false, quantities }: AdminOrder["items"][number]): boolean {
  return isUncounted && quantities.open > 0;
}

function describeElsewhere({ elsewhere = 0, quantities }: AdminOrder["items"][number]): string[] {
  const count = Math.min(elsewhere, quantities.open);
  return count > 0 ? [texts.order.countElsewhere(count)] : [];
}

function describeStates({ quantities }: AdminOrder["items"][number], order: AdminOrder): string {
  const entries = Object.entries<number>({ ...quantities }).filter(([, quantity]) => quantity > 0);
  return entries
    .map(([name, quantity]) => `${quantity} ${nameState(resolveLineState(order, name), quantity)}`)
    .join(", ");
}
