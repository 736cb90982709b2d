import type { Progress } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import type { After } from '../../base/time/clock.ts';
import { cutTo } from '../../base/text/words.ts';
import { ProgressMeter } from '../tools/progressMeter.ts';
import type { ProgressView } from './requestFormProtocol.ts';

/** Milliseconds for which a server's progress is gathered, and characters of its message. */
const GATHER_MS = 100;
const MAX_MESSAGE = 300;

/** The progress of one call for a page, however often the server reports it (basic/utilities/progress). */
export class RequestProgress implements Disposable {
  readonly #post: (progress: ProgressView) => void;
  readonly #after: After;
  #meter = new ProgressMeter();
  #percent = 0;
  #shown: ProgressView = {};
  #timer: Disposable | undefined;

  constructor(post: (progress: ProgressView) => void, after: After) {
    this.#post = post;
    this.#after = after;
  }

  get shown(): ProgressView {
    return this.#shown;
  }

  begin(): void {
    this.end();
    this.#meter = new ProgressMeter();
    this.#percent = 0;
    this.#shown = {};
  }

  take(progress: Progress): void {
    const { increment = 0, message } = this.#meter.next(progress);
    this.#percent += increment;
    const hasTotal = progress.total !== undefined && progress.total > 0;
    this.#shown = {
      ...this.#shown,
      ...((hasTotal || this.#shown.share !== undefined) && { share: this.#percent / 100 }),
      ...(message !== undefined && { message: visibleParts(cutTo(message, MAX_MESSAGE)) }),
    };
    this.#timer ??= this.#after(GATHER_MS, () => {
      this.#timer = undefined;
      this.#post(this.#shown);
    });
  }

  end(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.end();
  }
}
