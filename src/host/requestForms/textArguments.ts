import type { UnknownRecord } from '../../base/values/record.ts';
import type { TakesArguments } from './requestDraft.ts';

/** An argument that is a text. */
interface TextArgument {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

/** Arguments that are all texts, as the schema of a form. */
export function takesTexts(name: string, of: readonly TextArgument[]): TakesArguments {
  const properties = of.map(({ name: argument, title, description }): [string, Record<string, string>] => [
    argument,
    {
      type: 'string',
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    },
  ]);
  const required = of.filter(({ isRequired }) => isRequired).map((one) => one.name);
  return { name, inputSchema: { type: 'object', properties: Object.fromEntries(properties), required } };
}

/** What was entered in a form of texts. */
export function textsIn(args: UnknownRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
