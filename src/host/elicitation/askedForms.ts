import { untilAborted } from '../../base/lifetime/cancellation.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { UnknownRecord } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ElicitationSource } from '../connection/elicitationSource.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import type { SchemaChecks } from '../schemas/schemaCheck.ts';
import { elicitationQuestions, type ElicitationQuestion } from './elicitationQuestion.ts';
import { OpenElicitation, type ElicitationAnswer } from './openElicitation.ts';
import type { ElicitationRequest } from './readElicitation.ts';

/** Last answers that are kept. */
const MAX_PROPOSALS = 50;

/** What asking for forms takes. */
export interface FormParts {
  readonly questions: Pick<QuestionQueue, 'ask'>;
  /** The fingerprint of the running launch. */
  readonly launchOf: (id: ServerId) => string | undefined;
  readonly schemas: Pick<SchemaChecks, 'of'>;
}

/** Asks you to fill in forms, and proposes your last answer to the same form of the same launch. */
export class AskedForms {
  readonly #questions: Pick<QuestionQueue, 'ask'>;
  readonly #launchOf: (id: ServerId) => string | undefined;
  readonly #schemas: Pick<SchemaChecks, 'of'>;
  /** What you sent the last time, by launch and schema. */
  readonly #proposals = new Map<string, UnknownRecord>();

  constructor({ questions, launchOf, schemas }: FormParts) {
    this.#questions = questions;
    this.#launchOf = launchOf;
    this.#schemas = schemas;
  }

  /** Shows a form, and gives your answer. @throws the signal's reason. */
  async ask(
    source: ElicitationSource,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const server = source.server();
    const key = this.#keyOf(server.definition.id, request);
    const schemas = this.#schemas.of(server.definition.id);
    const prepared = await untilAborted(schemas.prepare(request.schema), signal);
    const open = new OpenElicitation(request, prepared, this.#proposals.get(key));
    const question: ElicitationQuestion = {
      kind: elicitationQuestions,
      server,
      requests: source.requests,
      open,
    };
    const asked = this.#questions.ask(question, () => {});
    try {
      const answer = await untilAborted(open.answered, signal);
      if (answer.action === 'accept' && !request.isFlagged) {
        this.#propose(key, answer.content);
      }
      return answer;
    } finally {
      asked.dispose();
    }
  }

  #keyOf(id: ServerId, { schema }: ElicitationRequest): string {
    return `${id}\n${this.#launchOf(id) ?? ''}\n${sha256(JSON.stringify(schema))}`;
  }

  #propose(key: string, content: UnknownRecord): void {
    this.#proposals.delete(key);
    this.#proposals.set(key, content);
    const [oldest] = this.#proposals.keys();
    if (this.#proposals.size > MAX_PROPOSALS && oldest !== undefined) {
      this.#proposals.delete(oldest);
    }
  }
}
