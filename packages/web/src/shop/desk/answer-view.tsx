import type { QueryResponse } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { manualAddress, PDF_LINK } from "../manual-address.ts";
import type { Stock } from "../parts/use-live-stock.ts";
import { PartCard } from "./part-card.tsx";
import { findPartId } from "./part-ids.ts";

interface AnswerViewProps {
  text: string;
  answer: QueryResponse | undefined;
  stock: Stock;
}

/** Shows what the desk says, with the parts that it is about and what can be done with them. */
export function AnswerView({ text, answer, stock }: AnswerViewProps): ReactNode {
  const { texts } = useShop();
  const order = answer?.actions.find(({ type }) => type === "look_up_order");
  return (
    <>
      <AnswerText text={text} />
      {answer && answer.parts.length > 0 && (
        <ul className="desk-parts" aria-label={texts.deskParts}>
          {answer.parts.map((part, index) => (
            <PartCard
              key={`${part.part_number} ${index}`}
              part={part}
              actions={answer.actions}
              stock={stock.get(findPartId(part) ?? "")}
            />
          ))}
        </ul>
      )}
      {order && (
        <p>
          <a href={ordersAddress(order.path)} className="button">
            {texts.orders}
          </a>
        </p>
      )}
    </>
  );
}

/** Plain text; only links into manuals become links. */
function AnswerText({ text }: { text: string }): ReactNode {
  const { texts } = useShop();
  const pieces = text.split(/(https?:\/\/[^\s"]+#page=\d+)/);
  return (
    <p className="desk-text">
      {pieces.map((piece, index) => {
        const page = PDF_LINK.exec(piece)?.[2];
        return page === undefined ? (
          piece
        ) : (
          <a key={index} href={manualAddress(piece)}>
            {fill(texts.drawnPage, { page })}
          </a>
        );
      })}
    </p>
  );
}

/** The shop's page for what the API has at this path: an order, or all orders. */
function ordersAddress(path: string | undefined): string {
  const id = /^\/api\/orders\/([^/]+)$/.exec(path ?? "")?.[1];
  return id === undefined ? "/orders" : `/account/orders/${id}`;
}
