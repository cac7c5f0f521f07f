import { useRef, type ReactNode, type SubmitEvent } from "react";
import { usePartline, useShop } from "../context.tsx";
import { forgetTalks } from "../desk/kept-talk.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";
import { SECTIONS } from "./sections.ts";

/** Shows what the shop keeps about the user, to read and, where the shop keeps the account, to erase. */
export function PersonalData({ userId }: { userId: string }): ReactNode {
  const { texts, signsInByMail } = useShop();
  return (
    <Card heading={texts.personalData} id={SECTIONS.personalData}>
      <p>
        <ButtonLink href={`/api/users/${encodeURIComponent(userId)}/export`} download="my-data.json" size="compact">
          {texts.exportData}
        </ButtonLink>
      </p>
      {signsInByMail ? <DeleteForm /> : <p>{texts.deleteElsewhere}</p>}
    </Card>
  );
}

function DeleteForm(): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const signOut = useRef<HTMLFormElement>(null);
  const { run, problem, isBusy } = useAction();
  const erase = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await partline.user.deleteMe({});
      forgetTalks();
      signOut.current?.submit();
    });
  };
  return (
    <>
      <details>
        <summary>{texts.deleteAccount}</summary>
        <ScriptedForm onSubmit={erase}>
          <p className="soft">{texts.deleteAccountText}</p>
          <label>
            <input type="checkbox" required /> {texts.deleteSure}
          </label>
          <p>
            <Button isBusy={isBusy}>{texts.deleteAccount}</Button>
          </p>
        </ScriptedForm>
      </details>
      <ProblemNotice text={problem} />
      <form method="post" action="/session/sign-out" ref={signOut} hidden />
    </>
  );
}
