import type { Progress } from '@modelcontextprotocol/client';
import { cutText } from '../../../base/logging/redacting.ts';
import { textBounds } from '../../json/bounds.ts';

/** The progress of a call that has become a task: what the server notifies, with what it says about the state. */
export class TaskProgress {
  readonly #report: (progress: Progress) => void;
  #latest: Progress = { progress: 0 };
  #said: string | undefined;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  take(progress: Progress): void {
    this.#latest = progress;
    this.#report({ ...(this.#said !== undefined && { message: this.#said }), ...progress });
  }

  /** Call with what the server says about the task with this ID, which is left out. */
  said(words: string | undefined, id: string): void {
    const message = words === undefined ? undefined : cutText(words, textBounds.words, [id]);
    if (message !== undefined && message !== this.#said) {
      this.#said = message;
      this.#report({ ...this.#latest, message });
    }
  }
}
