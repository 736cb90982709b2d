import type { Prompt } from '@modelcontextprotocol/client';

/** An argument of a prompt, as you are asked for it. */
export interface PromptArgumentStep {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** The arguments of a prompt (server/prompts) in the server's order, each name once. */
export function promptArguments(prompt: Prompt): readonly PromptArgumentStep[] {
  const steps = new Map<string, PromptArgumentStep>();
  for (const argument of prompt.arguments ?? []) {
    const { name, description, required } = argument;
    const { title } = argument as { readonly title?: unknown };
    if (!steps.has(name)) {
      steps.set(name, {
        name,
        title: typeof title === 'string' ? title : undefined,
        description,
        isRequired: required === true,
      });
    }
  }
  return [...steps.values()];
}

/** What is wrong with a value, in a sentence; undefined when nothing is. */
export function problemOfArgument({ isRequired }: PromptArgumentStep, typed: string): string | undefined {
  return isRequired && typed === '' ? 'The server needs a value for this.' : undefined;
}

/** The arguments object, exactly as entered: empty ones are not sent. */
export function argumentsToSend(
  steps: readonly PromptArgumentStep[],
  entered: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    steps.flatMap(({ name }): [string, string][] => {
      const value = entered.get(name) ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}
