import type { Locator, Page } from 'playwright-core';
import type { Channel } from './channel.ts';
import { expect, matches } from './expectation.ts';
import { readAll } from './readAll.ts';

/** A notification as the corner shows it. */
export interface Toast {
  readonly message: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly buttons: readonly string[];
}

const center = '.notifications-center.visible';
/** Those in the corner, and those in the center while it is open. */
const all = `:is(.notifications-toasts .notification-toast, ${center}) .notification-list-item`;
/** More presses of Tab than any notifications need. */
const mostTabs = 20;
/** How often the corner is read before a notification counts as gone. */
const readsBeforeCenter = 100;

/**
 * The notifications in the lower right corner. They go away after 10 to 12 seconds, and are then in the notification
 * center: a machine that is busy finds them there.
 */
export class Notifications {
  readonly #page: Page;
  readonly #toasts: Locator;
  readonly #center: Locator;
  /** Opens and closes the center. */
  readonly #bell: Locator;
  readonly #channel: Channel;

  constructor(page: Page, channel: Channel) {
    this.#page = page;
    this.#channel = channel;
    this.#center = page.locator(center);
    this.#toasts = page.locator(all);
    this.#bell = page.locator('[id="status.notifications"]');
  }

  /** The notifications in sight now. */
  async now(): Promise<readonly Toast[]> {
    return readAll(this.#page, all, (toasts) =>
      toasts.map((toast) => ({
        message: toast.querySelector('.notification-list-item-message')?.textContent.trim() ?? '',
        severity: toast.querySelector('.codicon-error')
          ? 'error'
          : toast.querySelector('.codicon-warning')
            ? 'warning'
            : 'info',
        buttons: Array.from(
          toast.querySelectorAll('.notification-list-item-buttons-container .monaco-text-button'),
          (button) => button.textContent.trim(),
        ),
      })),
    );
  }

  /** Those in sight now, without the progress of a start, which a busy machine shows. */
  async told(): Promise<readonly Toast[]> {
    return (await this.now()).filter(({ message }) => !message.startsWith("Starting '"));
  }

  /** Waits for a notification with that message. */
  async waitFor(message: string | RegExp): Promise<Toast> {
    const isIt = (toast: Toast) => matches(toast.message, message);
    const toasts = await expect(
      `a notification '${message}'`,
      () => this.now(),
      (found) => found.some(isIt),
    );
    return toasts.find(isIt) as Toast;
  }

  /** Waits for a notification and presses one of its buttons. */
  async press(message: string | RegExp, button: string): Promise<void> {
    const offers = (toast: Toast) => matches(toast.message, message) && toast.buttons.includes(button);
    let reads = 0;
    await expect(
      `a notification '${message}' with a button '${button}'`,
      async () => {
        reads += 1;
        if (reads === readsBeforeCenter && !(await this.now()).some(offers)) {
          await this.#bell.click();
        }
        return this.now();
      },
      (found) => found.some(offers),
    );
    await this.#toast(message).getByRole('button', { name: button, exact: true }).click();
    if (await this.#center.isVisible()) {
      await this.#bell.click();
    }
  }

  /** Waits for a notification and goes to one of its buttons in the center, with the keyboard alone. */
  async focus(message: string | RegExp, button: string): Promise<void> {
    const { buttons } = await this.waitFor(message);
    if (!buttons.includes(button)) {
      throw new Error(`The notification '${message}' has no button '${button}': ${buttons.join(', ')}.`);
    }
    // In the corner it may go away before the keyboard is there.
    await this.#channel.execute('notifications.showList');
    const focused = this.#toasts.locator('.monaco-text-button:focus');
    for (let presses = 0; presses < mostTabs; presses += 1) {
      await this.#page.keyboard.press('Tab');
      if ((await focused.allTextContents()).some((label) => label.trim() === button)) {
        return;
      }
    }
    throw new Error(`Tab never came to '${button}' in the notifications.`);
  }

  /** Waits for a notification and closes it. */
  async dismiss(message: string | RegExp): Promise<void> {
    await this.waitFor(message);
    const toast = this.#toast(message);
    await toast.hover();
    await toast.locator('.codicon-notifications-clear').click();
    await this.waitUntilGone(message);
  }

  /** Waits until no notification has that message. */
  async waitUntilGone(message: string | RegExp): Promise<void> {
    const isGone = (toasts: readonly Toast[]) => !toasts.some((one) => matches(one.message, message));
    await expect(`the notification '${message}' to close`, () => this.now(), isGone);
  }

  /** By its words, because others come and go above it. */
  #toast(message: string | RegExp): Locator {
    const words = this.#page.locator('.notification-list-item-message', { hasText: message });
    return this.#toasts.filter({ has: words }).first();
  }
}
