import type { Prompt } from '@modelcontextprotocol/client';

/** An argument of a prompt, as its form has it. */
interface PromptArgument {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** The arguments of a prompt (server/prompts) in the server's order, each name once. */
export function promptArguments(prompt: Prompt): readonly PromptArgument[] {
  const listed = new Map<string, PromptArgument>();
  for (const argument of prompt.arguments ?? []) {
    const { name, description, required } = argument;
    const { title } = argument as { readonly title?: unknown };
    if (!listed.has(name)) {
      listed.set(name, {
        name,
        title: typeof title === 'string' ? title : undefined,
        description,
        isRequired: required === true,
      });
    }
  }
  return [...listed.values()];
}
