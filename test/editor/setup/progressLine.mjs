// A line that says how far something is: written over in a terminal, now and then a new one elsewhere.

const elsewhereMs = 10_000;

/** The text for something that takes long. */
export class ProgressLine {
  #prefix;
  #output;
  #shown = '';
  #at = -Infinity;

  /**
   * @param {string} prefix
   * @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} output
   */
  constructor(prefix, output = process.stdout) {
    this.#prefix = prefix;
    this.#output = output;
  }

  /**
   * Writes a line that stays.
   * @param {string} text
   */
  say(text) {
    this.clear();
    this.#output.write(`${this.#prefix}${text}\n`);
  }

  /**
   * Shows how far it is, in the place of what was shown before.
   * @param {string} text
   * @param {number} [now] In milliseconds.
   */
  show(text, now = Date.now()) {
    const line = `${this.#prefix}${text}`;
    if (this.#output.isTTY) {
      this.clear();
      this.#shown = line.slice(0, (this.#output.columns ?? 80) - 1); // a line that wraps could not be written over
      this.#output.write(this.#shown);
    } else if (now - this.#at >= elsewhereMs) {
      this.#at = now;
      this.#output.write(`${line}\n`);
    }
  }

  /** Takes away what is shown. */
  clear() {
    if (this.#shown !== '') {
      this.#output.write('\r\u001B[K');
      this.#shown = '';
    }
  }
}
