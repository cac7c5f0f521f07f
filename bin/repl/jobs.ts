import type { Result } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { ask, readCount, toListing, createVerb, type Answer, type Command } from "./command.ts";

const JOB = ["<batch_id>", "The batch id"] as const;

export const jobs: Command = {
  name: "jobs",
  summary: "List the jobs that read manuals, show one with its files, or cancel it",
  verbs: {
    list: {
      takes: "[how many]",
      run: async (broker, words) => {
        const pageSize = readCount(words, { usual: 20, most: 100 });
        const { jobs: listed, pagination } = await ask(broker, "pipeline.jobs", { pageSize });
        return toListing(
          listed.map(({ batch_id: job, file_names: names, status, progress, created_at: created }) => ({
            job,
            files: formatNames(names, progress.files.total),
            status,
            done: `${progress.percent} %`,
            left: progress.eta_seconds === null ? "" : `${progress.eta_seconds} s`,
            created,
          })),
          `${listed.length} of ${pagination.total}`,
        );
      },
    },
    show: createVerb(...JOB, async (broker, batch_id) => toTable(await ask(broker, "pipeline.job", { batch_id }))),
    cancel: createVerb(...JOB, async (broker, batch_id) => toTable(await ask(broker, "pipeline.cancel", { batch_id }))),
  },
};

function toTable({ batch_id, status, progress, files }: Result<Actions["pipeline.job"]>): Answer {
  return toListing(
    files.map(({ name: file, status, pages, parts, tables, images, error }) => ({
      file,
      status,
      pages,
      parts,
      tables,
      images,
      error,
    })),
    `${batch_id} is ${status}, ${progress.percent} % done${progress.eta_seconds ? `, ${progress.eta_seconds} s left` : ""}`,
  );
}

/** The first name, cut to fit a terminal, and how many more there are. */
function formatNames([first = ""]: readonly string[], total: number): string {
  const name = first.length > 20 ? `${first.slice(0, 19)}…` : first;
  return total > 1 ? `${name} +${total - 1}` : name;
}
