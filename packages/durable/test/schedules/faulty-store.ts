import { DatabaseSync } from "node:sqlite";
import { StatementCache } from "../../src/sqlite/connection.ts";
import type { EmbeddedFile } from "../../src/sqlite/embedded-file.ts";
import { GroupCommit } from "../../src/document-store/sqlite/group-commit.ts";
import { errors, type Request } from "../../src/document-store/sqlite/protocol.ts";
import { SqliteStore } from "../../src/document-store/sqlite/store.ts";
import type { DocumentStore } from "../../src/document-store/port.ts";
import type { Member, VirtualWorld } from "./virtual-world.ts";

/** A connection may take so long, milliseconds. */
const USUAL_MS = 5;
const SLOW_MS = 12_000;

export interface Faults {
  /** Chances of each request: of an answer that is late, of a request that is lost, of an answer that is lost. */
  slow: number;
  lost: number;
  unanswered: number;
}

/** A store that several processes share. */
export class FaultyStore {
  readonly #database = new DatabaseSync(":memory:");
  readonly #writer = new GroupCommit(this.#database);
  readonly #statements = new StatementCache(this.#database);
  readonly #world: VirtualWorld;
  faults: Faults = { slow: 0, lost: 0, unanswered: 0 };

  constructor(world: VirtualWorld) {
    this.#world = world;
  }

  /** Opens a member's connection. The statements are those of the embedded store, what is between is the world's. */
  connect(member: Member | undefined, backend: DocumentStore["backend"]): DocumentStore {
    const ask = <T>(work: () => T): Promise<T> => this.#ask(member, work);
    const file = {
      writer: { request: (request: Request) => ask(() => this.#write(request)) },
      read: (work: (statements: StatementCache) => unknown) => ask(() => work(this.#statements)),
      close: () => Promise.resolve(),
    };
    return Object.assign(new SqliteStore(file as unknown as EmbeddedFile<Request>, []), { backend });
  }

  close(): void {
    this.#database.close();
  }

  #ask<T>(member: Member | undefined, work: () => T): Promise<T> {
    const world = this.#world;
    const { slow, lost, unanswered } = member ? this.faults : { slow: 0, lost: 0, unanswered: 0 };
    const pause = (): number => (world.chance(slow) ? world.random() * SLOW_MS : world.random() * USUAL_MS);
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void): void =>
        world.runAs(member, () => void world.setTimer(member ? pause() : 0, settle));
      const serve = (): void => {
        if (world.chance(lost) || (member && member.cutUntil > world.nowMs)) {
          answer(() => reject(errors.unavailable("the request is lost")));
          return;
        }
        try {
          const value = work();
          const isLost = world.chance(unanswered);
          answer(() => (isLost ? reject(errors.outcomeUnknown("the answer is lost")) : resolve(value)));
        } catch (error) {
          answer(() => reject(errors.toStoreError(error)));
        }
      };
      // What a member has sent arrives, even if it dies meanwhile.
      world.runAs(undefined, () => void world.setTimer(member ? pause() : 0, serve));
    });
  }

  #write(request: Request): unknown {
    const [outcome] = this.#writer.run([JSON.parse(JSON.stringify(request)) as Request]);
    if (!outcome!.ok) throw errors.fromWire(outcome!.error);
    return outcome!.value;
  }
}
