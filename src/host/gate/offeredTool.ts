import type { Tool } from '@modelcontextprotocol/client';
import { withoutComments } from './pins/comparedSchema.ts';
import type { ToolPin } from './pins/pins.ts';

/**
 * A tool as a model is given it: annotations only where they are believed, no icon that would be fetched, no
 * `_meta`, the approved texts where they vary, and schemas as they are compared.
 */
export function offeredTool(
  { _meta, annotations, icons, ...rest }: Tool,
  isTrusted: boolean,
  pin: ToolPin | undefined,
): Tool {
  const embedded = icons?.filter(({ src }) => /^data:/i.test(src)) ?? [];
  const { title, description, ...untitled } = rest;
  const texts = pin?.varies ? pin.tool : { title, description };
  return {
    ...untitled,
    inputSchema: withoutComments(untitled.inputSchema),
    ...(untitled.outputSchema && { outputSchema: withoutComments(untitled.outputSchema) }),
    ...(texts.title !== undefined && { title: texts.title }),
    ...(texts.description !== undefined && { description: texts.description }),
    ...(isTrusted && annotations && { annotations }),
    ...(embedded.length > 0 && { icons: embedded }),
  };
}
