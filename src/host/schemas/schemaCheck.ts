import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { After } from '../../base/time/clock.ts';
import { messageOf } from '../errors/hostError.ts';
import { checkBounds } from '../json/bounds.ts';
import { excessOf } from '../json/weight.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import { CheckThread } from './checkThread.ts';
import { costOf, isQuick } from './checkWork.ts';
import { compiledSchema } from './compiledSchema.ts';
import { schemaBeyondBounds } from './subschemas.ts';

/** Schemas that are kept compiled. */
const MAX_PREPARED = 50;

/** A schema that values can be checked against, or a clause that says why it can't be used. */
export type PreparedSchema =
  | {
      readonly kind: 'ready';
      /**
       * The validator's message about a value; undefined when it is valid.
       *
       * @throws an Error with a clause that says why it can't be checked. If the check took too long, none is tried again.
       */
      readonly check: (value: unknown) => Promise<string | undefined>;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The checks against the schemas of one server. */
export interface ServerSchemas {
  /** Prepares the check of values against a schema, bounded in depth, parts and time (server/tools). */
  prepare(schema: unknown): Promise<PreparedSchema>;
}

/**
 * Checks values against the schemas of servers: in this thread what is quick whatever the server wants, and all else in
 * another one, with an end.
 */
export class SchemaChecks implements Disposable {
  readonly #thread: CheckThread;
  /** By the schema itself: a list that has not changed keeps its schemas. The ones used last. */
  readonly #prepared = new Map<unknown, Promise<PreparedSchema>>();

  /** @param script the path of `schemaWorker.ts`, or of its bundle. */
  constructor(script: string, after?: After) {
    this.#thread = new CheckThread(script, after);
  }

  dispose(): void {
    this.#thread.dispose();
    this.#prepared.clear();
  }

  /** @param server by which checks take turns. */
  of(server: string): ServerSchemas {
    return {
      prepare: (schema) => {
        const prepared = this.#prepared.get(schema) ?? this.#prepare(schema, server);
        this.#prepared.delete(schema);
        this.#prepared.set(schema, prepared);
        const [oldest] = this.#prepared.keys();
        if (this.#prepared.size > MAX_PREPARED) {
          this.#prepared.delete(oldest);
        }
        return prepared;
      },
    };
  }

  async #prepare(schema: unknown, server: string): Promise<PreparedSchema> {
    const beyond = schemaBeyondBounds(schema);
    if (beyond !== undefined) {
      return { kind: 'unusable', reason: beyond };
    }
    const cost = costOf(schema);
    let text: string | undefined;
    const inThread = (value: string | undefined): Promise<string | undefined> =>
      this.#thread.check(server, { schema: (text ??= JSON.stringify(schema)), value });
    try {
      const { AjvJsonSchemaValidator } = await loadSdk();
      const quick = cost && compiledSchema(AjvJsonSchemaValidator, schema);
      if (!quick) {
        await inThread(undefined);
      }
      let failure: Error | undefined;
      let previous: Promise<unknown> = Promise.resolve();
      /** One after the other, so that a schema on which a check runs forever takes that time once. */
      const inTurn = async (value: unknown, before: Promise<unknown>): Promise<string | undefined> => {
        const json = JSON.stringify(value);
        await before;
        if (failure) {
          throw failure;
        }
        try {
          return await inThread(json);
        } catch (error) {
          failure = new Error(messageOf(error), { cause: error });
          throw failure;
        }
      };
      const check = async (value: unknown): Promise<string | undefined> => {
        if (quick && isQuick(cost, value)) {
          return quick(value);
        }
        const excess = excessOf(value, checkBounds);
        if (excess !== undefined) {
          throw new Error(`it ${excess}`);
        }
        const checked = inTurn(value, previous);
        previous = checked.catch(() => {});
        return checked;
      };
      return { kind: 'ready', check };
    } catch (error) {
      return { kind: 'unusable', reason: messageOf(error) };
    }
  }
}
