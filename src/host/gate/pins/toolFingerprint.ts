import type { Tool } from '@modelcontextprotocol/client';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import { sha256 } from '../../../base/sha256.ts';
import { schemaText, shapeText, withoutComments } from './comparedSchema.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';

/** What tells a tool from every other state of it, as a whole and in parts. */
export interface ToolFingerprint {
  readonly whole: string;
  /** Without the title and the description, which may be let vary. */
  readonly withoutTexts: string;
  /** Of what the tool takes, whatever is said of it: by that a renamed tool is recognised. */
  readonly shape: string;
}

/** A tool that a server lists, ready to be compared. */
export interface ListedTool {
  readonly tool: Tool;
  readonly pinned: PinnedTool;
  readonly fingerprint: ToolFingerprint;
}

/** What is pinned does not change once it is there. */
const fingerprints = new WeakMap<PinnedTool, ToolFingerprint>();

/** @throws RangeError when a schema is nested too deep. */
export function toolFingerprint(tool: PinnedTool): ToolFingerprint {
  let fingerprint = fingerprints.get(tool);
  if (!fingerprint) {
    fingerprint = computedFingerprint(tool);
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
  return {
    whole: sha256(JSON.stringify([name, title ?? null, description ?? null, withoutTexts])),
    withoutTexts,
    shape: sha256(shapeText(inputSchema)),
  };
}

/**
 * What of a tool is pinned: all that a model reads, and all by which it is called. How it may run as a task is part of
 * that. Its icons are not, which are shown to people alone, and only what came along with the list; `_meta` is not,
 * which no caller is given.
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

/** A list of tools does not change once it is there. */
const listed = new WeakMap<Tool, ListedTool | 'unfit'>();

/** Undefined for a tool that is nothing to compare: it stays unseen. */
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
