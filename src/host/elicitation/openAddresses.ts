import { Emitter } from '../../base/lifetime/event.ts';
import type { AddressOpener } from '../addresses/webAddress.ts';
import type { AddressRequest } from './readAddress.ts';

/**
 * Where you are with an address:
 *
 * - `asked`: nothing has happened;
 * - `opening`: the editor is asked to open it;
 * - `notOpened`: the editor did not open it;
 * - `copied`: you have copied it;
 * - `opened`: it is open in the browser, or was before;
 * - `done`: the server or you have reported that it is done.
 */
export type AddressState = 'asked' | 'opening' | 'notOpened' | 'copied' | 'opened' | 'done';

/** Your answer to addresses; `never` declines this and every later request of the server. */
export interface AddressAnswer {
  readonly action: 'accept' | 'decline' | 'cancel' | 'never';
}

/** What addresses are asked for. */
interface AddressOccasion {
  /**
   * The server refused a request until they are done (-32042). Otherwise, it waits for your consent, which opening an
   * address gives.
   */
  readonly areRequired: boolean;
  /** You have opened the address before, for the same request. */
  readonly wasOpened: boolean;
}

/** Addresses that wait for you. Nothing is opened except by `openAt`. */
export class OpenAddresses {
  readonly asked: readonly AddressRequest[];
  readonly occasion: AddressOccasion;
  readonly answered: Promise<AddressAnswer>;
  readonly #opener: AddressOpener;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #end = Promise.withResolvers<AddressAnswer>();
  #states: readonly AddressState[];
  #answer: AddressAnswer | undefined;

  constructor(requests: readonly AddressRequest[], occasion: AddressOccasion, opener: AddressOpener) {
    this.asked = requests;
    this.occasion = occasion;
    this.#opener = opener;
    this.#states = requests.map(() => (occasion.wasOpened ? 'opened' : 'asked'));
    this.answered = this.#end.promise;
  }

  get states(): readonly AddressState[] {
    return this.#states;
  }

  get answer(): AddressAnswer | undefined {
    return this.#answer;
  }

  /** Opens an address in the browser, and takes that for your consent if the server waits for it. */
  async openAt(index: number): Promise<void> {
    const before = this.#states[index];
    const url = this.asked[index]?.address.url;
    if (
      this.#answer ||
      url === undefined ||
      before === undefined ||
      before === 'opening' ||
      before === 'done'
    ) {
      return;
    }
    this.#set(index, 'opening');
    const isOpened = await this.#opener.open(url).catch(() => false);
    if (this.#states[index] !== 'opening') {
      return; // done meanwhile
    }
    this.#set(index, isOpened ? 'opened' : 'notOpened');
    if (isOpened && !this.occasion.areRequired) {
      this.end({ action: 'accept' });
    }
  }

  /** Call when you have copied an address; opening it then is up to you. */
  copiedAt(index: number): void {
    const state = this.#states[index];
    if (state === 'asked' || state === 'notOpened') {
      this.#set(index, 'copied');
    }
  }

  /** You say that you have opened an address, or that it is done. */
  doneAt(index: number): void {
    const state = this.#states[index];
    if (state === 'copied' || state === 'opened') {
      this.#done(index);
    }
  }

  /** The server says that an address is done. Unknown IDs are ignored (2025-11-25, client/elicitation). */
  completed(id: string): void {
    const index = this.asked.findIndex((one) => one.id === id);
    if (this.occasion.areRequired && index >= 0 && this.#states[index] !== 'done') {
      this.#done(index);
    }
  }

  /** Only the first answer counts. */
  end(answer: AddressAnswer): void {
    this.#answer ??= answer;
    this.#end.resolve(this.#answer);
  }

  #done(index: number): void {
    this.#set(index, 'done');
    if (this.#states.every((state) => state === 'done')) {
      this.end({ action: 'accept' });
    }
  }

  #set(index: number, state: AddressState): void {
    this.#states = this.#states.with(index, state);
    this.#onDidChange.fire();
  }
}
