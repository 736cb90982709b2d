/** What of a tool is pinned: any change of it is a change of the tool. */
export interface PinnedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  /** How it can run as a task; absent if it can't (2025-11-25, basic/utilities/tasks). */
  readonly taskSupport?: string | undefined;
}

/** What of a prompt is pinned. */
interface PinnedPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: unknown;
}

/** What of a resource template is pinned. */
interface PinnedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export type PinnedItem = PinnedTool | PinnedPrompt | PinnedTemplate;

/** The lists whose items are held back when they change; for resources see `resourcePins.ts`. */
export type ItemKind = 'tools' | 'prompts' | 'templates';

export const itemKinds: readonly ItemKind[] = ['tools', 'prompts', 'templates'];

/** One item of each kind, in words. */
export const itemWords: Readonly<Record<ItemKind, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  templates: 'resource template',
};

/** What identifies an item in its list. */
export function keyOf(item: PinnedItem): string {
  return 'uriTemplate' in item ? item.uriTemplate : item.name;
}

/** How an item compares with what was pinned of its server. */
export type Standing =
  /** Listed a moment ago, and not compared yet: not offered. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'known' }
  /** A tool that came after the first list, where you chose to offer new tools; its first call asks. */
  | { readonly kind: 'new' }
  /** Came after the first list, or what was pinned of it is lost: not offered until you have seen it. */
  | { readonly kind: 'added' }
  /** Has changed: not offered until you have accepted the change. */
  | {
      readonly kind: 'changed';
      readonly before: PinnedItem;
      /** The name of a tool with the same schema that is gone. */
      readonly renamedFrom?: string;
    };
