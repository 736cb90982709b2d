import type { Logger } from '../../base/logger.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { RootsView } from './rootsView.ts';

/** Writes into a server's log which of its folders is withdrawn, and why, and which has come back. */
export class RootsLog {
  readonly #logger: Logger;
  readonly #withdrawn = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Call when what the server may see may be different. */
  update({ candidates, shared }: RootsView): void {
    for (const { root, isChosen, problem } of candidates) {
      const name = visibleText(root.name);
      if (isChosen && problem && this.#withdrawn.get(root.uri) !== problem.message) {
        this.#withdrawn.set(root.uri, problem.message);
        this.#logger.log('warn', `The folder '${name}' is not shared with this server: ${problem.message}`);
      } else if (!isChosen) {
        this.#withdrawn.delete(root.uri);
      } else if (shared.includes(root) && this.#withdrawn.delete(root.uri)) {
        this.#logger.log('info', `The folder '${name}' is shared with this server again.`);
      }
    }
  }
}
