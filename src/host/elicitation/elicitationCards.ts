import type { UnknownRecord } from '../../base/values/record.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Entered } from '../../form/formField.ts';
import { counted } from '../../base/text/words.ts';
import { isEntered } from '../forms/checkForm.ts';
import type { CardsPort, LiveCards } from '../questions/liveCards.ts';
import type { Question } from '../questions/question.ts';
import { isAddressQuestion, type AddressQuestion, type AddressUpdate } from './addressQuestion.ts';
import {
  isElicitationQuestion,
  type ElicitationQuestion,
  type ElicitationUpdate,
} from './elicitationQuestion.ts';
import type { AddressState } from './openAddresses.ts';

/** The cards of forms and of addresses in one panel. */
export class ElicitationCards implements Pick<LiveCards, 'act' | 'sync' | 'dispose'> {
  readonly #port: CardsPort;
  readonly #followed = new Map<Question, Disposable>();

  constructor(port: CardsPort) {
    this.#port = port;
  }

  dispose(): void {
    this.#followed.forEach((following) => following.dispose());
    this.#followed.clear();
  }

  /** Follows the addresses that wait: the server can say at any time that one is done. */
  sync(waiting: readonly Question[]): void {
    for (const [question, following] of this.#followed) {
      if (!waiting.includes(question)) {
        following.dispose();
        this.#followed.delete(question);
      }
    }
    for (const question of waiting.filter(isAddressQuestion)) {
      if (!this.#followed.has(question)) {
        let before = question.open.states;
        this.#followed.set(
          question,
          question.open.onDidChange(() => {
            const { states } = question.open;
            const index = states.findIndex((state, at) => state !== before[at]);
            before = states;
            this.#show(question, statusOf(states[index]));
          }),
        );
      }
    }
  }

  /** Takes what you enter or do, and your answer; does nothing for anything else. */
  act(question: Question, given: UnknownRecord): void {
    if (!isElicitationQuestion(question) && !isAddressQuestion(question)) {
      return;
    }
    const { act } = given;
    if (act === 'decline' || act === 'cancel' || act === 'never') {
      question.open.end({ action: act });
    } else if (isElicitationQuestion(question)) {
      this.#fillIn(question, given);
    } else {
      this.#useAddress(question, given);
    }
  }

  #fillIn(question: ElicitationQuestion, { act, entered }: UnknownRecord): void {
    if (!isEntered(entered)) {
      return;
    }
    if (act === 'enter') {
      question.open.entered = entered;
    } else if (act === 'submit') {
      void this.#submit(question, entered);
    }
  }

  async #submit(question: ElicitationQuestion, entered: Entered): Promise<void> {
    const problems = await question.open.submit(entered);
    const id = this.#port.idOf(question);
    if (id !== undefined && problems.length > 0) {
      const update: ElicitationUpdate = { problems };
      const status = `Not sent: ${counted(problems.length, 'problem')} in the form.`;
      this.#port.post({ type: 'update', id, update, status });
    }
  }

  /** The page says which address, and never what it is. */
  #useAddress({ open }: AddressQuestion, { act, index }: UnknownRecord): void {
    const request = typeof index === 'number' ? open.asked[index] : undefined;
    if (typeof index !== 'number' || !request) {
      return;
    }
    switch (act) {
      case 'open':
        void open.openAt(index);
        return;
      case 'copy':
        this.#port.copy(request.address.url);
        open.copiedAt(index);
        return;
      case 'done':
        open.doneAt(index);
        return;
      default:
        return;
    }
  }

  #show(question: AddressQuestion, status: string): void {
    const id = this.#port.idOf(question);
    if (id !== undefined) {
      const update: AddressUpdate = { states: question.open.states };
      this.#port.post({ type: 'update', id, update, status });
    }
  }
}

function statusOf(state: AddressState | undefined): string {
  switch (state) {
    case 'opened':
      return 'Opened in the browser.';
    case 'notOpened':
      return 'The editor did not open the address.';
    case 'copied':
      return 'Copied.';
    case 'done':
      return 'Done.';
    case 'asked':
    case 'opening':
    case undefined:
      return '';
  }
}
