import type { UnknownRecord } from '../../base/values/record.ts';
import { counted } from '../../base/text/words.ts';
import { isEntered } from '../forms/checkForm.ts';
import type { CardsPort, LiveCards } from '../questions/liveCards.ts';
import type { Question } from '../questions/question.ts';
import { isElicitationQuestion, type ElicitationUpdate } from './elicitationQuestion.ts';

/** The cards of forms in one panel. */
export class ElicitationCards implements Pick<LiveCards, 'act'> {
  readonly #port: CardsPort;

  constructor(port: CardsPort) {
    this.#port = port;
  }

  /** Takes what you enter, and your answer; does nothing for anything else. */
  act(question: Question, { act, entered }: UnknownRecord): void {
    if (!isElicitationQuestion(question)) {
      return;
    }
    const { open } = question;
    switch (act) {
      case 'decline':
      case 'cancel':
      case 'never':
        open.end({ action: act });
        return;
      case 'enter':
        if (isEntered(entered)) {
          open.entered = entered;
        }
        return;
      case 'submit':
        if (isEntered(entered)) {
          this.#submit(question, open.submit(entered));
        }
        return;
      default:
        return;
    }
  }

  #submit(question: Question, problems: ElicitationUpdate['problems']): void {
    const id = this.#port.idOf(question);
    if (id !== undefined && problems.length > 0) {
      const update: ElicitationUpdate = { problems };
      const status = `Not sent: ${counted(problems.length, 'problem')} in the form.`;
      this.#port.post({ type: 'update', id, update, status });
    }
  }
}
