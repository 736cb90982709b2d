/** What a text area holds: it shows a text with line ends of its own, so only what the person changed is taken. */
export class ChangedText {
  readonly #original: string;
  /** As it was put into the text area, and what that then gave back. */
  #put: { readonly text: string; readonly given: string };
  #text: string;

  constructor(original: string) {
    this.#original = original;
    this.#put = { text: original, given: original };
    this.#text = original;
  }

  get text(): string {
    return this.#text;
  }

  get isChanged(): boolean {
    return this.#text !== this.#original;
  }

  /** Says what the text area gives back right after the text was put into it. */
  put(given: string): void {
    this.#put = { text: this.#text, given };
  }

  /** Takes what the text area holds now. */
  take(value: string): void {
    this.#text = value === this.#put.given ? this.#put.text : value;
  }

  /** Takes another text as it is. */
  set(text: string): void {
    this.#text = text;
  }

  undo(): void {
    this.#text = this.#original;
  }
}
