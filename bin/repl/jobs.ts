import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, howMany, onlyWord, type Answer, type Command } from "./command.ts";

type Job = Result<Actions["pipeline.job"]>;

export const jobs: Command = {
  name: "jobs",
  summary: "List what the pipeline reads, show a job with its files, or cancel it",
  verbs: {
    list: {
      takes: "[how many]",
      run: async (broker, words) => {
        const pageSize = howMany(words, { usual: 20, most: 100 });
        const { jobs: listed, pagination } = await call(broker, "pipeline.jobs", { pageSize }, AS_ADMIN);
        return {
          columns: ["job", "files", "status", "done", "left", "created"],
          rows: listed.map(({ batch_id, file_names: names, status, progress, created_at }) =>
            [
              batch_id,
              namesOf(names, progress.files.total),
              status,
              `${progress.percent} %`,
              secondsOf(progress.eta_seconds),
              created_at,
            ].map(cell),
          ),
          note: `${listed.length} of ${pagination.total}`,
        };
      },
    },
    show: {
      takes: "<batch_id>",
      run: async (broker, words) =>
        tableOf(await call(broker, "pipeline.job", { batch_id: onlyWord(words, "The job's id") }, AS_ADMIN)),
    },
    cancel: {
      takes: "<batch_id>",
      run: async (broker, words) =>
        tableOf(await call(broker, "pipeline.cancel", { batch_id: onlyWord(words, "The job's id") }, AS_ADMIN)),
    },
  },
};

function tableOf({ batch_id, status, progress, files }: Job): Answer {
  return {
    columns: ["file", "status", "pages", "parts", "tables", "images", "error"],
    rows: files.map((file) =>
      [file.name, file.status, file.pages, file.parts, file.tables, file.images, file.error].map(cell),
    ),
    note: `${batch_id} is ${status}, ${progress.percent} % done${progress.eta_seconds ? `, ${secondsOf(progress.eta_seconds)} left` : ""}`,
  };
}

/** The first name, cut so that the table fits a terminal, and how many more there are. */
function namesOf([first = ""]: readonly string[], total: number): string {
  const name = first.length > 20 ? `${first.slice(0, 19)}…` : first;
  return total > 1 ? `${name} +${total - 1}` : name;
}

function secondsOf(seconds: number | null): string {
  return seconds === null ? "" : `${seconds} s`;
}
