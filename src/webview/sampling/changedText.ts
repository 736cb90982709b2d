/** The text in a text area, which changes line ends: the original is kept until you change it. */
export class ChangedText {
  readonly #original: string;
  /** The text as it was put into the text area, and what the area then returned. */
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

  /** `given` is what the text area returns right after the text was put into it. */
  put(given: string): void {
    this.#put = { text: this.#text, given };
  }

  /** Takes the present value of the text area. */
  take(value: string): void {
    this.#text = value === this.#put.given ? this.#put.text : value;
  }

  /** Replaces the text. */
  set(text: string): void {
    this.#text = text;
  }

  undo(): void {
    this.#text = this.#original;
  }
}
