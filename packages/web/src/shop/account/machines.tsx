import type { OwnMachine } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { SECTIONS } from "./sections.ts";

const isSame = (first: OwnMachine, second: OwnMachine): boolean =>
  first.model === second.model && first.serial === second.serial;

/** Keeps a machine with the signed-in user. */
export function SaveMachine({ machine }: { machine: OwnMachine }): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const [isSaved, setIsSaved] = useState(false);
  const { run, problem, isBusy } = useAction();
  const save = (): Promise<void> =>
    run(async () => {
      const { machines } = await partline.user.me({});
      const otherMachines = machines.filter((candidate) => !isSame(candidate, machine));
      await partline.user.updateMe({ machines: [machine, ...otherMachines] });
      setIsSaved(true);
    });
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void save()}>
        {texts.machineSave}
      </Button>
      <span role="status">{isSaved && <a href={`/account#${SECTIONS.machines}`}>{texts.machineSaved}</a>}</span>
      <ProblemNotice text={problem} />
    </>
  );
}

export function Machines({ machines: initialMachines }: { machines: readonly OwnMachine[] }): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const [machines, setMachines] = useState(initialMachines);
  const { run, problem } = useAction();
  const remove = (machine: OwnMachine): Promise<void> =>
    run(async () => {
      const current = await partline.user.me({});
      const profile = await partline.user.updateMe({
        machines: current.machines.filter((candidate) => !isSame(candidate, machine)),
      });
      setMachines(profile.machines);
    });
  return (
    <Card heading={texts.ownMachines} id={SECTIONS.machines}>
      {machines.length === 0 && (
        <p>
          {texts.ownMachinesNone} <a href="/machines">{texts.machines}</a>
        </p>
      )}
      <ul className="lines">
        {machines.map((machine) => {
          const { model, name, serial } = machine;
          const query = serial === undefined ? "" : `?serial=${encodeURIComponent(serial)}`;
          return (
            <li key={`${model} ${serial ?? ""}`} className="kept">
              <span>
                <a href={`/machines/${encodeURIComponent(model)}${query}`}>{name}</a>
                {serial !== undefined && <span className="soft"> · {fill(texts.serialIs, { serial })}</span>}
              </span>
              <Button kind="plain" onClick={() => void remove(machine)}>
                {texts.remove}
                <span className="hidden">: {name}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      <ProblemNotice text={problem} />
    </Card>
  );
}
