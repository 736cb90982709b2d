import type { Frame, Locator } from 'playwright-core';
import { expect } from './expectation.ts';
import type { PanelPlace } from './panelPlace.ts';
import { SamplingCard } from './samplingCard.ts';

/** A folder or a file with its checkbox. */
interface ShownBox {
  readonly label: string;
  readonly isChecked: boolean;
}

/** A question as the review panel shows it. */
export interface ShownQuestion {
  /** Such as `Start 'git'?`. */
  readonly title: string;
  /** Everything that its card says. */
  readonly text: string;
  readonly folders: readonly ShownBox[];
  /** The files whose changes may ask again. */
  readonly files: readonly ShownBox[];
  /** The variables in the `envFile` that may change without a question. */
  readonly values: readonly ShownBox[];
  /** Whether it is allowed in any folder; empty where that is not offered. */
  readonly anywhere: readonly ShownBox[];
  /** Whether the server is made available to chat; undefined where the question has no box for that. */
  readonly isInChat?: boolean;
  readonly buttons: readonly string[];
  /** Rarer answers, which are behind the buttons. */
  readonly more: readonly string[];
  /** Undefined where it cannot be closed. */
  readonly isOpen?: boolean;
  /** Whether it is allowed together with others; undefined where it has no box for that. */
  readonly isSelected?: boolean;
}

/** How long one press of a button may take before it is tried again. */
const pressMs = 3000;

/** The extension's review panel. */
export class ReviewPanel {
  readonly #place: PanelPlace;

  constructor(place: PanelPlace) {
    this.#place = place;
  }

  /** Waits until the panel shows that many questions, and gives them. */
  async waitFor(count: number): Promise<readonly ShownQuestion[]> {
    return expect(
      `${count} questions in the review panel`,
      () => this.questions(),
      (questions) => questions.length === count,
    );
  }

  /** The questions shown now; none without a panel. */
  async questions(): Promise<readonly ShownQuestion[]> {
    return (await this.#isOpen())
      ? this.#cards.evaluateAll((cards) =>
          cards.map((card) => ({
            title: card.querySelector('h2')?.textContent.trim() ?? '',
            text: (card as HTMLElement).innerText,
            ...(Object.fromEntries(
              ['folders', 'files', 'values', 'anywhere'].map((what) => [
                what,
                [...card.querySelectorAll(`fieldset.${what} vscode-checkbox`)].map((box) => ({
                  label: box.querySelector('.folder')?.textContent ?? '',
                  isChecked: box.matches('[checked]'),
                })),
              ]),
            ) as Record<'folders' | 'files' | 'values' | 'anywhere', ShownBox[]>),
            ...(card.querySelector('.chat vscode-checkbox') && {
              isInChat: card.querySelector('.chat vscode-checkbox')?.matches('[checked]') === true,
            }),
            buttons: [...card.querySelectorAll('.buttons > vscode-button')].map(
              (button) => button.textContent,
            ),
            more: [...card.querySelectorAll('.menu .fold')].map((button) => button.textContent.trim()),
            ...(card.querySelector('.toggle') && {
              isOpen: card.querySelector('.toggle')?.getAttribute('aria-expanded') === 'true',
            }),
            ...(card.querySelector('.select') && {
              isSelected: card.querySelector('.select')?.matches('[checked]') === true,
            }),
          })),
        )
      : [];
  }

  /** Presses a button of the question about a server, waits until that question is gone, and gives its text. */
  async answer(server: string, button: string): Promise<string> {
    // Another question about the same server may follow at once.
    const { title, text } = await this.open(server);
    const isAsked = async () => (await this.questions()).some((question) => question.title === title);
    const press = async () => {
      if (await isAsked()) {
        // The panel takes no answer just after it has moved, and a press before may have been taken just now.
        await this.#button(server, button, title)
          .click({ timeout: pressMs })
          .catch(() => this.#moveMouseHere(server));
      }
      return isAsked();
    };
    await expect(`the question '${title}' answered`, press, (isLeft) => !isLeft);
    return text;
  }

  /** A tooltip of what the mouse rests on may cover the button. */
  async #moveMouseHere(server: string): Promise<void> {
    await this.#card(server)
      .locator('h2')
      .hover({ force: true, timeout: pressMs })
      .catch(() => {});
  }

  /** Opens a question that is closed with all that is folded in it, and gives it. */
  async open(server: string): Promise<ShownQuestion> {
    if ((await this.#waitForCard(server)).isOpen === false) {
      await this.#card(server).locator('.toggle').click();
    }
    await this.#unfoldAll(this.#card(server));
    return this.#waitForCard(server);
  }

  /** Waits until the panel shows that many questions, opens all that are closed with all that is folded in them, and gives them. */
  async openAll(count: number): Promise<readonly ShownQuestion[]> {
    await this.waitFor(count);
    await this.#cards
      .locator('.toggle[aria-expanded=false]')
      .evaluateAll((toggles) => toggles.forEach((toggle) => (toggle as HTMLElement).click()));
    await this.#unfoldAll(this.#cards);
    return this.questions();
  }

  /** Selects a launch, or takes that back. */
  async select(server: string): Promise<void> {
    await this.#waitForCard(server);
    await this.#card(server).locator('.select').click();
  }

  /** Selects everything that can be allowed without being opened. */
  async selectAll(): Promise<void> {
    await this.#frame.locator('.all').click();
  }

  /** Presses "Allow Selected", again while the panel takes no answer because it has just moved. */
  async allowSelected(): Promise<void> {
    const button = this.#frame.locator('vscode-button[aria-label^="Allow Selected:"]');
    const titles = async () => (await this.questions()).map(({ title }) => title);
    const before = await titles();
    const press = async () => {
      await button.click({ timeout: pressMs }).catch(() => {});
      return titles();
    };
    // Each may be followed by another question of its server.
    await expect('the selected launches allowed', press, (now) => before.some((one) => !now.includes(one)));
  }

  /** Presses a button that does not answer, such as 'Open the Definition'. */
  async press(server: string, button: string): Promise<void> {
    await this.open(server);
    await this.#button(server, button).click();
  }

  /** Checks or unchecks a folder, or a file, of the question about a server. */
  async setFolder(server: string, folder: string, isChecked: boolean): Promise<void> {
    const boxIn = ({ folders, files, values, anywhere }: ShownQuestion): ShownBox | undefined =>
      [...folders, ...files, ...values, ...anywhere].find(({ label }) => label === folder);
    const box = boxIn(await this.open(server));
    if (box?.isChecked !== isChecked) {
      const boxes = this.#card(server).locator('vscode-checkbox');
      await boxes.filter({ has: this.#frame.locator('.folder', { hasText: folder }) }).click();
    }
    await expect(
      `'${folder}' ${isChecked ? 'checked' : 'unchecked'}`,
      async () => boxIn(await this.#waitForCard(server))?.isChecked,
      (now) => now === isChecked,
    );
  }

  /** Selects the box that makes a server available to chat. */
  async useInChat(server: string): Promise<void> {
    if ((await this.open(server)).isInChat !== true) {
      await this.#card(server).locator('.chat vscode-checkbox').click();
    }
    await expect(
      `'${server}' used in chat`,
      async () => (await this.#waitForCard(server)).isInChat,
      (isInChat) => isInChat === true,
    );
  }

  /** Shows the whole of a long text, or its beginning again. */
  async unfold(server: string, button: string | RegExp): Promise<void> {
    await this.open(server);
    await this.#card(server).getByRole('button', { name: button }).click();
  }

  /** The request of a server for a language model. */
  sampling(server: string): SamplingCard {
    return new SamplingCard(server, this.#card(server));
  }

  /** Everything that the panel says. */
  async text(): Promise<string> {
    return (await this.#isOpen()) ? this.#main.innerText() : '';
  }

  /** What a keyboard would act on: the element's own words. */
  async focused(): Promise<string> {
    const frame = await this.frame();
    return frame.evaluate(() => {
      const focused = document.activeElement;
      return focused?.getAttribute('aria-label') ?? focused?.textContent.replaceAll(/\s+/g, ' ').trim() ?? '';
    });
  }

  /** Presses Tab until the focus is on what is called so, at most sixty times. */
  async tabTo(name: string | RegExp): Promise<void> {
    const isThere = async () => {
      const focused = await this.focused();
      return typeof name === 'string' ? focused === name : name.test(focused);
    };
    for (let presses = 0; presses < 60; presses += 1) {
      if (await isThere()) {
        return;
      }
      await this.#place.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never came to '${name}'; it is on '${await this.focused()}'.`);
  }

  /** Waits until a keyboard would act on what has these words. */
  async waitForFocus(words: string): Promise<void> {
    await expect(
      `the focus on '${words}'`,
      () => this.focused(),
      (now) => now === words,
    );
  }

  async waitUntilClosed(): Promise<void> {
    await expect(
      'the review panel closed',
      () => this.#isOpen(),
      (isOpen) => !isOpen,
    );
  }

  /** The innermost frame, for what no step does. */
  async frame(): Promise<Frame> {
    return this.#place.frame();
  }

  get #frame() {
    return this.#place.root;
  }

  /** Of this page: that of a tool has the same kind of frame. */
  get #main() {
    return this.#frame.locator('body[data-page=review] main');
  }

  get #cards(): Locator {
    return this.#frame.locator('section.card');
  }

  async #isOpen(): Promise<boolean> {
    return (await this.#place.isThere()) && (await this.#main.count()) > 0;
  }

  async #waitForCard(server: string): Promise<ShownQuestion> {
    const isIt = ({ title }: ShownQuestion) => title.includes(`'${server}'`);
    const questions = await expect(
      `a question about '${server}'`,
      () => this.questions(),
      (found) => found.some(isIt),
    );
    return questions.find(isIt) as ShownQuestion;
  }

  /** The card of the question about a server, or with a title. */
  #card(server: string, title = `'${server}'`): Locator {
    return this.#cards.filter({ has: this.#frame.locator('h2', { hasText: title }) });
  }

  async #unfoldAll(cards: Locator): Promise<void> {
    const closed = cards.locator(':is(.details, .menu):not([open]) > summary');
    await closed.evaluateAll((all) => all.forEach((summary) => (summary as HTMLElement).click()));
  }

  #button(server: string, button: string, title?: string): Locator {
    return this.#card(server, title).locator(`:is(vscode-button, .fold)[aria-label^="${button}:"]`);
  }
}
