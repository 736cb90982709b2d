import type { Tool } from '@modelcontextprotocol/client';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { schemaText, shapeText, withoutComments } from './comparedSchema.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';

/** Identifies one state of a tool, as a whole and in parts. */
export interface ToolFingerprint {
  readonly whole: string;
  /** Without the title and the description, which can be allowed to vary. */
  readonly withoutTexts: string;
  /** Of the parameters without their descriptions: identifies a renamed tool. Computed when it is asked for. */
  readonly shape: string;
}

/** A tool that a server lists, ready to be compared. */
export interface ListedTool {
  readonly tool: Tool;
  readonly pinned: PinnedTool;
  readonly fingerprint: ToolFingerprint;
}

/** By the pinned object, which does not change. */
const fingerprints = new WeakMap<PinnedTool, ToolFingerprint>();

/** The same by the text of the tool: what is listed mostly equals what is pinned. */
const ofTexts = new Map<string, ToolFingerprint>();
const MOST_TEXTS = 20_000;

/** @throws RangeError when a schema is nested too deeply. */
export function toolFingerprint(tool: PinnedTool): ToolFingerprint {
  let fingerprint = fingerprints.get(tool);
  if (!fingerprint) {
    const text = sha256(JSON.stringify(tool));
    fingerprint = ofTexts.get(text) ?? computedFingerprint(tool);
    if (ofTexts.size >= MOST_TEXTS) {
      ofTexts.clear();
    }
    ofTexts.set(text, fingerprint);
    fingerprints.set(tool, fingerprint);
  }
  return fingerprint;
}

function computedFingerprint(tool: PinnedTool): ToolFingerprint {
  const { name, title, description, inputSchema, outputSchema, annotations, taskSupport } = tool;
  const withoutTexts = sha256(
    JSON.stringify([
      schemaText(inputSchema),
      schemaText(outputSchema),
      canonicalJson(annotations),
      ...(taskSupport === undefined ? [] : [taskSupport]),
    ]),
  );
  let shape: string | undefined;
  return {
    whole: sha256(JSON.stringify([name, title ?? null, description ?? null, withoutTexts])),
    withoutTexts,
    get shape() {
      shape ??= sha256(shapeText(inputSchema));
      return shape;
    },
  };
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
      known = { tool, pinned, fingerprint: toolFingerprint(pinned) };
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
