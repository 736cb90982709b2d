import type { Tool } from '@modelcontextprotocol/client';
import { canonicalJson, isNestedTooDeep } from '../../../base/values/canonicalJson.ts';
import { sameJson } from '../../../base/values/sameJson.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { schemaText, shapeText, withoutComments } from './comparedSchema.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';

/**
 * Identifies one state of a tool, as a whole and in parts. Hashes are computed when they are asked for: of a tool that is
 * listed as it is pinned, which most are, nobody needs them.
 */
export class ToolFingerprint {
  readonly tool: PinnedTool;
  /** The same object for tools that were found equal. */
  #state = {};
  #whole: string | undefined;
  #withoutTexts: string | undefined;
  #shape: string | undefined;

  /** The tool must not change. @throws RangeError when it is nested too deeply to be compared. */
  constructor(tool: PinnedTool) {
    if (isNestedTooDeep(tool)) {
      throw new RangeError('a tool is nested too deep');
    }
    this.tool = tool;
  }

  get whole(): string {
    const { name, title, description } = this.tool;
    this.#whole ??= sha256(JSON.stringify([name, title ?? null, description ?? null, this.withoutTexts]));
    return this.#whole;
  }

  /** Without the title and the description, which can be allowed to vary. */
  get withoutTexts(): string {
    const { inputSchema, outputSchema, annotations, taskSupport } = this.tool;
    this.#withoutTexts ??= sha256(
      JSON.stringify([
        schemaText(inputSchema),
        schemaText(outputSchema),
        canonicalJson(annotations),
        ...(taskSupport === undefined ? [] : [taskSupport]),
      ]),
    );
    return this.#withoutTexts;
  }

  /** Of the parameters without their descriptions: identifies a renamed tool. */
  get shape(): string {
    this.#shape ??= sha256(shapeText(this.tool.inputSchema));
    return this.#shape;
  }

  /** Whether `whole` is the same. Tools with the same content have the same, which takes no hash to find out. */
  equals(other: ToolFingerprint): boolean {
    if (this.#state === other.#state) {
      return true;
    }
    if (!sameJson(this.tool, other.tool) && this.whole !== other.whole) {
      return false;
    }
    this.#state = other.#state;
    return true;
  }
}

/** A tool that a server lists, ready to be compared. */
export interface ListedTool {
  readonly tool: Tool;
  readonly pinned: PinnedTool;
  readonly fingerprint: ToolFingerprint;
}

/**
 * What of a tool is pinned: everything that a model reads, and everything by which it is called. How it can run as a
 * task is part of that. Its icons are not: only people see them, and only those that came with the list. `_meta` is not:
 * no caller gets it.
 */
function pinnedOf(tool: Tool): PinnedTool {
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = tool;
  const { taskSupport = 'forbidden' } = execution ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: withoutComments(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: withoutComments(outputSchema) }),
    ...(annotations !== undefined && { annotations }),
    ...(taskSupport !== 'forbidden' && { taskSupport }),
  };
}

/** By the tool's object, which does not change. */
const listed = new WeakMap<Tool, ListedTool | 'unfit'>();

/** Undefined for a tool that can't be compared: it stays `unseen`. */
export function listedTool(tool: Tool): ListedTool | undefined {
  let known = listed.get(tool);
  if (!known) {
    try {
      const pinned = pinnedOf(tool);
      known = { tool, pinned, fingerprint: new ToolFingerprint(pinned) };
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      known = 'unfit';
    }
    listed.set(tool, known);
  }
  return known === 'unfit' ? undefined : known;
}
