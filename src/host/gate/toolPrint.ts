import type { Tool } from '@modelcontextprotocol/client';
import { sha256 } from '../approval/fingerprint.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { PinnedTool } from './hostTool.ts';

/** What tells a tool from every other state of it, as a whole and in parts. */
export interface ToolPrint {
  readonly whole: string;
  /** Without the title and the description, which may be let vary. */
  readonly withoutTexts: string;
  /** By which a renamed tool is recognised. */
  readonly inputSchema: string;
}

/** A tool that a server lists, ready to be compared. */
export interface ListedTool {
  readonly tool: Tool;
  readonly pinned: PinnedTool;
  readonly print: ToolPrint;
}

/** What is pinned does not change once it is there. */
const prints = new WeakMap<PinnedTool, ToolPrint>();

/** @throws RangeError when a schema is nested too deep. */
export function printOf(tool: PinnedTool): ToolPrint {
  let print = prints.get(tool);
  if (!print) {
    print = newPrintOf(tool);
    prints.set(tool, print);
  }
  return print;
}

function newPrintOf(tool: PinnedTool): ToolPrint {
  const { name, title, description } = tool;
  const schema = canonicalJson(tool.inputSchema);
  const withoutTexts = sha256(
    JSON.stringify([schema, canonicalJson(tool.outputSchema), canonicalJson(tool.annotations)]),
  );
  return {
    whole: sha256(JSON.stringify([name, title ?? null, description ?? null, withoutTexts])),
    withoutTexts,
    inputSchema: sha256(schema),
  };
}

export function pinnedOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): PinnedTool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
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
      known = { tool, pinned, print: printOf(pinned) };
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
