import { textParts, variableText, type TextPart } from '../config/variables.ts';
import type { DefinitionOrigin, ServerDefinition } from '../config/serverDefinition.ts';
import type { HostError } from '../errors/hostError.ts';

/** What one variable of a definition stands for in a launch. */
export type Meaning =
  | { readonly kind: 'place' | 'default'; readonly value: string }
  | { readonly kind: 'environment'; readonly name: string; readonly value: string }
  /** Without a value, you have not been asked for it yet. */
  | { readonly kind: 'input'; readonly id: string; readonly value?: string }
  | { readonly kind: 'nothing'; readonly problem: string };

/**
 * What would run, read at one moment and never again: you are asked about this very object, the fingerprint is
 * of it, and the process is started from it. Nothing in it changes.
 */
export interface ResolvedLaunch {
  /** As it is written. */
  readonly definition: ServerDefinition;
  /** What each of its variables stands for, by its text with `${` and `}`. */
  readonly meanings: Readonly<Record<string, Meaning>>;
  /** The directory that relative paths are taken from. */
  readonly base: string;
  /** Where a process starts; its `cwd` as it is written while a variable in it is not known. */
  readonly workingDirectory: string;
  /** The whole path of the `envFile`; undefined without one, and while a variable in it is not known. */
  readonly envFilePath: string | undefined;
  /** The variables in the `envFile`; undefined without one, and when it could not be read. */
  readonly envFile: Readonly<Record<string, string>> | undefined;
  /** Whether the `envFile` is in a folder that is open: its values belong to what is allowed. */
  readonly isEnvFileInWorkspace: boolean;
  /** Why the `envFile` could not be read. */
  readonly envFileProblem: HostError | undefined;
  /** The paths of the workspace's folders. */
  readonly workspace: readonly string[];
  /** What a process gets of this one's own environment. */
  readonly inherited: Readonly<Record<string, string>>;
}

/** A stretch of a text: what is known of it, or the variable whose value is not. */
export type FilledPart = string | { readonly written: string; readonly meaning: Meaning };

type Filling = Pick<ResolvedLaunch, 'definition' | 'meanings'>;

/** A text of the launch with its variables filled in. Each is gone through once: no value is expanded again. */
export function filledParts({ definition, meanings }: Filling, text: string): readonly FilledPart[] {
  const { format } = definition.origin;
  return textParts(text, format).map((part) => filledPart(part, format, meanings));
}

/** The whole text; undefined while a variable in it is not known. */
export function filled(launch: Filling, text: string): string | undefined {
  const parts = filledParts(launch, text);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** The text as far as it is known; the rest of it is as `instead` says, or else as it is written. */
export function filledAsFar(
  launch: Filling,
  text: string,
  instead: (written: string) => string = (written) => written,
): string {
  return filledParts(launch, text)
    .map((part) => (typeof part === 'string' ? part : instead(part.written)))
    .join('');
}

export function meaningOf({ meanings }: Pick<ResolvedLaunch, 'meanings'>, written: string): Meaning {
  const known = Object.hasOwn(meanings, written) ? meanings[written] : undefined;
  return known ?? { kind: 'nothing', problem: `${written} is not known` };
}

function filledPart(
  part: TextPart,
  format: DefinitionOrigin['format'],
  meanings: ResolvedLaunch['meanings'],
): FilledPart {
  if (typeof part === 'string') {
    return part;
  }
  const written = variableText(part, format);
  const meaning = meaningOf({ meanings }, written);
  return 'value' in meaning && meaning.value !== undefined ? meaning.value : { written, meaning };
}
