/** Something that is done with a text of others. */
export interface Subject {
  /** The most characters that the text has there. */
  readonly most: number;
  /** Whether it takes each piece for an entry. */
  readonly isList?: boolean;
  /** @param pieces what the text is made of, for those who take lists. */
  readonly take: (text: string, pieces: readonly string[]) => unknown;
}

export type Subjects = Readonly<Record<string, Subject>>;
