import { isPartlineError } from "@partline/client";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { usePartline, useShop } from "../context.tsx";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";

/** For a buyer whose mail is gone. What is typed is never in an address. */
export const findOrder: PageDefinition<null> = {
  path: "/orders/find",
  load: () => Promise.resolve(null),
  head: (_, { texts }) => ({ title: texts.findOrder }),
  View: FindOrder,
};

const NO_FIELDS = { orderNumber: "", email: "", postalCode: "" };

function FindOrder(): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const [fields, setFields] = useState(NO_FIELDS);
  const [answer, setAnswer] = useState<string>();
  const { run, problem, isBusy } = useAction();
  const needsOther = fields.email.trim() === "" && fields.postalCode.trim() === "";
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setAnswer(undefined);
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
      else setAnswer(token === null ? texts.findOrderSent : texts.findOrderNoMatch);
    });
  };
  const renderField = (name: keyof typeof NO_FIELDS, more: { type?: string; autoComplete?: string }): ReactNode => (
    <label>
      {texts[name]}
      <input
        name={name}
        maxLength={name === "email" ? 254 : name === "orderNumber" ? 40 : 30}
        required={name === "orderNumber" || needsOther}
        value={fields[name]}
        onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
        {...more}
      />
    </label>
  );
  return (
    <Layout>
      <h1>{texts.findOrder}</h1>
      <p>{texts.findOrderText}</p>
      <ScriptedForm onSubmit={send} className="place">
        {renderField("orderNumber", { autoComplete: "off" })}
        {renderField("email", { type: "email", autoComplete: "email" })}
        {renderField("postalCode", { autoComplete: "shipping postal-code" })}
        <button className="primary" aria-busy={isBusy}>
          {texts.findOrder}
        </button>
      </ScriptedForm>
      <p role="status">{answer}</p>
      <ProblemNotice text={problem} />
    </Layout>
  );
}
