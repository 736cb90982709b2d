import type { Tool } from '@modelcontextprotocol/client';
import type { ToolPin } from './pins.ts';

/**
 * A tool as a model is given it: annotations only where they are believed, no icon that would be fetched, no
 * `_meta`, and the approved texts where they vary. The schemas are the server's own objects.
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
    ...(texts.title !== undefined && { title: texts.title }),
    ...(texts.description !== undefined && { description: texts.description }),
    ...(isTrusted && annotations && { annotations }),
    ...(embedded.length > 0 && { icons: embedded }),
  };
}
