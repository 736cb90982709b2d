import type { Progress } from '@modelcontextprotocol/client';

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

  /** Call with what the server says about the task. */
  said(message: string | undefined): void {
    if (message !== undefined && message !== this.#said) {
      this.#said = message;
      this.#report({ ...this.#latest, message });
    }
  }
}
