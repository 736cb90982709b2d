import type { UnknownRecord } from '../../base/values/record.ts';
import { enteredOf, initiallyEntered } from '../../form/fieldKinds.ts';
import type { Entered } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { checkForm } from '../forms/checkForm.ts';
import type { PreparedSchema } from '../schemas/schemaCheck.ts';
import type { ElicitationRequest } from './readElicitation.ts';

/** Your answer to a form; `never` declines this and every later one of the server. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: UnknownRecord }
  | { readonly action: 'decline' | 'cancel' | 'never' };

/** A form that waits for your answer, and what you have entered in it so far. */
export class OpenElicitation {
  readonly request: ElicitationRequest;
  /** What is shown comes from your last answer to the same form. */
  readonly isProposed: boolean;
  readonly answered: Promise<ElicitationAnswer>;
  /** Kept while the panel is hidden, in memory only. */
  entered: Entered;
  readonly #prepared: PreparedSchema;
  readonly #end = Promise.withResolvers<ElicitationAnswer>();
  #answer: ElicitationAnswer | undefined;

  /** `last` is what you sent the last time. */
  constructor(request: ElicitationRequest, prepared: PreparedSchema, last: UnknownRecord | undefined) {
    const proposed = last && enteredOf(request.form, last);
    this.request = request;
    this.#prepared = prepared;
    this.isProposed = proposed !== undefined;
    this.entered = proposed ?? initiallyEntered(request.form);
    this.answered = this.#end.promise;
  }

  /** Your answer, once there is one. */
  get answer(): ElicitationAnswer | undefined {
    return this.#answer;
  }

  /** Answers with what is entered; gives the problems that prevent that, none if it is the answer. */
  async submit(entered: Entered): Promise<readonly FieldProblem[]> {
    this.entered = entered;
    const checked = await checkForm(this.request.form, entered, this.#prepared);
    if (checked.kind === 'problems') {
      return checked.problems;
    }
    this.end({ action: 'accept', content: checked.content });
    return [];
  }

  /** Only the first answer counts. */
  end(answer: ElicitationAnswer): void {
    this.#answer ??= answer;
    this.#end.resolve(this.#answer);
  }
}
