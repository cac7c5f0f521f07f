import { isPartlineError } from "@partline/client";
import { useState, type ComponentProps, type ReactNode, type SubmitEvent } from "react";
import { usePartline, useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Notice } from "../kit/notice.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";

interface Lookup {
  orderNumber: string;
  email: string;
  postalCode: string;
}

/** Opens an order for those who know of it what a buyer knows. What is typed is never in an address. */
export function FindOrderForm(): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const [fields, setFields] = useState<Lookup>({ orderNumber: "", email: "", postalCode: "" });
  const [isSent, setIsSent] = useState<boolean>();
  const { run, problem, isBusy } = useAction();
  const needsOther = fields.email.trim() === "" && fields.postalCode.trim() === "";
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsSent(undefined);
    void run(async () => {
      const { orderNumber, email, postalCode } = fields;
      const lookUp = partline.order.lookUp({
        orderNumber: orderNumber.trim(),
        email: email.trim() || undefined,
        postalCode: postalCode.trim() || undefined,
      });
      const token = await lookUp.then(
        (match) => match.token,
        (error: unknown) => {
          if (isPartlineError(error, "NOT_FOUND")) return undefined;
          throw error;
        },
      );
      if (token) location.assign(`/orders/${encodeURIComponent(token)}`);
      else setIsSent(token === null);
    });
  };
  const renderField = (name: keyof Lookup, input: ComponentProps<"input">): ReactNode => (
    <Field label={texts[name]} isWide={name === "orderNumber"}>
      {(control) => (
        <input
          {...control}
          name={name}
          value={fields[name]}
          onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
          {...input}
        />
      )}
    </Field>
  );
  return (
    <>
      <ScriptedForm onSubmit={send} className="place">
        {renderField("orderNumber", { autoComplete: "off", maxLength: 40, required: true })}
        {renderField("email", { type: "email", autoComplete: "email", maxLength: 254, required: needsOther })}
        {renderField("postalCode", { autoComplete: "shipping postal-code", maxLength: 30, required: needsOther })}
        <Button kind="primary" isBusy={isBusy}>
          {texts.findOrder}
        </Button>
      </ScriptedForm>
      <div role="status">
        {isSent !== undefined && (
          <Notice kind={isSent ? "good" : "warn"}>
            <p>{isSent ? texts.findOrderSent : texts.findOrderNoMatch}</p>
          </Notice>
        )}
      </div>
      <ProblemNotice text={problem} />
    </>
  );
}
