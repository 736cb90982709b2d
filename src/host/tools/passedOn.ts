import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  Implementation,
} from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';

/** Icons that came along with what they are of; no other is passed on, because it would be fetched. */
export function embeddedIcons(icons: unknown): Pick<Implementation, 'icons'> {
  const embedded = (Array.isArray(icons) ? icons : []).filter(
    (icon) => isRecord(icon) && /^data:/i.test(String(icon['src'])),
  );
  return embedded.length > 0 ? { icons: embedded } : {};
}

/** A result as other callers than you get it: without `_meta`, and without icons that would be fetched. */
export function passedOn<T extends object>(result: T): T {
  const { content, contents, messages } = result as {
    readonly content?: CallToolResult['content'];
    readonly contents?: readonly object[];
    readonly messages?: GetPromptResult['messages'];
  };
  return {
    ...withoutExtras(result),
    ...(content && { content: content.map(passedBlock) }),
    ...(contents && { contents: contents.map(withoutExtras) }),
    ...(messages && { messages: messages.map((one) => ({ ...one, content: passedBlock(one.content) })) }),
  };
}

function passedBlock(block: ContentBlock): ContentBlock {
  const plain = withoutExtras(block);
  return plain.type === 'resource' ? { ...plain, resource: withoutExtras(plain.resource) } : plain;
}

/** The same object if it has neither: a block that could not be read is recognized by its object. */
function withoutExtras<T extends object>(one: T): T {
  const { _meta, icons, ...rest } = one as T & { readonly _meta?: unknown; readonly icons?: unknown };
  return _meta === undefined && icons === undefined
    ? one
    : ({ ...rest, ...embeddedIcons(icons) } as unknown as T);
}
