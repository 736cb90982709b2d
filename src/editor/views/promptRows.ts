import type { Prompt } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/visibleText.ts';
import { promptArguments } from '../../host/completion/promptArguments.ts';

/** Arguments that a tooltip names. */
const MAX_NAMED = 20;

export function promptLabel({ title, name }: Prompt): string {
  return visibleText(title ?? name);
}

/** What a prompt is called, what it does, and what it asks for; still with what cannot be seen. */
export function promptTooltip(prompt: Prompt): string {
  const steps = promptArguments(prompt);
  const lines = steps.slice(0, MAX_NAMED).map(({ name, description, isRequired }) => {
    const called = `${name} (${isRequired ? 'required' : 'optional'})`;
    return description ? `${called}: ${description}` : called;
  });
  const more = steps.length > MAX_NAMED ? [`and ${steps.length - MAX_NAMED} more`] : [];
  return [
    prompt.name,
    ...(prompt.description ? [prompt.description] : []),
    ...(steps.length > 0 ? [['Asks for:', ...lines, ...more].join('\n')] : []),
  ].join('\n\n');
}
