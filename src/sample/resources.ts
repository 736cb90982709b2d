import { errorCodes, RpcError, type Json } from './peer.ts';

export const notesUri = 'sample://notes';
const clockUri = 'sample://clock';

/** Milliseconds between two ticks of the clock. */
const TICK_MS = 5_000;
const MAX_NOTES = 100;
export const MAX_NOTE = 500;

export const resources: readonly Json[] = [
  {
    uri: notesUri,
    name: 'notes',
    title: 'Notes',
    description:
      'The notes of this session. Open them, then run "Add a Note": the document changes while you look at it.',
    mimeType: 'text/markdown',
  },
  {
    uri: clockUri,
    name: 'clock',
    title: 'Clock',
    description: 'The time. It changes every five seconds while you look at it, and stands still otherwise.',
    mimeType: 'text/plain',
  },
];

export const templates: readonly Json[] = [
  {
    uriTemplate: `${notesUri}/{number}`,
    name: 'note',
    title: 'One Note',
    description: 'One of the notes, by its number.',
    mimeType: 'text/plain',
  },
];

/** The resources of this server, and their subscriptions. */
export class Resources {
  readonly #updated: (uri: string) => void;
  readonly #notes: string[] = [];
  readonly #subscribed = new Set<string>();
  #clock: NodeJS.Timeout | undefined;

  /** `updated` is called for each change of a resource that the client has subscribed to. */
  constructor(updated: (uri: string) => void) {
    this.#updated = updated;
  }

  /** The numbers of the notes, as texts. */
  get numbers(): readonly string[] {
    return this.#notes.map((_, index) => String(index + 1));
  }

  /** Adds a note, and gives its number; undefined when there are too many. */
  add(note: string): number | undefined {
    if (this.#notes.length >= MAX_NOTES) {
      return undefined;
    }
    const number = this.#notes.push(note);
    this.#changed(notesUri);
    return number;
  }

  /** @throws RpcError if the resource is not there (server/resources: -32002). */
  read(uri: string): Json {
    const known = resources.find((one) => one['uri'] === uri);
    const mimeType = known ? known['mimeType'] : 'text/plain';
    return { contents: [{ uri, mimeType, text: this.#textOf(uri) }] };
  }

  /** @throws as `read`. */
  subscribe(uri: string): void {
    this.#textOf(uri);
    this.#subscribed.add(uri);
    if (uri === clockUri) {
      this.#clock ??= setInterval(() => this.#changed(clockUri), TICK_MS);
    }
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(uri);
    if (uri === clockUri) {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  #changed(uri: string): void {
    if (this.#subscribed.has(uri)) {
      this.#updated(uri);
    }
  }

  #textOf(uri: string): string {
    if (uri === notesUri) {
      return this.#notesText();
    }
    if (uri === clockUri) {
      return `It is ${new Date().toLocaleTimeString('en-GB')}.\n`;
    }
    const [, number] = /^sample:\/\/notes\/(\d+)$/.exec(uri) ?? [];
    const note = this.#notes[Number(number) - 1];
    if (note === undefined) {
      throw new RpcError(errorCodes.resourceNotFound, 'There is no such resource.', { uri });
    }
    return `${note}\n`;
  }

  #notesText(): string {
    const lines = this.#notes.map((note, index) => `${index + 1}. ${note}`);
    const text = lines.length === 0 ? 'There are no notes yet. Run the tool "Add a Note".' : lines.join('\n');
    return `# Notes\n\n${text}\n`;
  }
}
