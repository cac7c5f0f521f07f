import { useRef, type ReactNode, type SubmitEvent } from "react";
import { usePartline, useShop } from "../context.tsx";
import { forgetTalks } from "../desk/kept-talk.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";

/** What the shop keeps of the user: to read, and to erase where the shop keeps the account. */
export function PersonalData({ userId }: { userId: string }): ReactNode {
  const { texts, signsInByMail } = useShop();
  return (
    <section>
      <h2>{texts.personalData}</h2>
      <p>
        <a href={`/api/users/${encodeURIComponent(userId)}/export`} download="my-data.json">
          {texts.exportData}
        </a>
      </p>
      {signsInByMail ? <DeleteForm /> : <p>{texts.deleteElsewhere}</p>}
    </section>
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
            <button aria-busy={isBusy}>{texts.deleteAccount}</button>
          </p>
        </ScriptedForm>
      </details>
      <ProblemNotice text={problem} />
      <form method="post" action="/session/sign-out" ref={signOut} hidden />
    </>
  );
}
