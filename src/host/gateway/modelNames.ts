import { createHash } from 'node:crypto';
import type { ServerId } from '../config/serverDefinition.ts';

/**
 * How the editor (1.139) names the tools of a server that it runs:
 *
 * - The prefix is `mcp_`, then the first 13 characters of the server's name (what it calls itself, else the
 *   definition's label), in lower case and with every run of other characters than `a-z0-9_.-` as one `_`, then
 *   `_`. A second server with the same 13 gets `2_` at the end, cut to the same 18 characters, in the order of
 *   their start.
 * - In the tool's name every other character than `a-zA-Z0-9_-` becomes `_`.
 * - The id is prefix and name, cut at 64; where two are equal, the server's later tools are dropped.
 */
const EDITOR_ID = 64;
const EDITOR_PREFIX = 18;

/** How many characters of a server's name the editor takes into its tools' ids. */
const EDITOR_SERVER_NAME = EDITOR_PREFIX - 'mcp_'.length - '_'.length;

/** How many characters are left for a tool's name, whatever the server's name is. */
const EDITOR_TOOL_NAME = EDITOR_ID - EDITOR_PREFIX;

/** Characters of the hashes. They begin with a digit, so that few names look hashed. */
const TOOL_HASH = 8;
const SERVER_HASH = 6;

/**
 * A tool's name as a model can use it, of `a-zA-Z0-9_-`. It depends on the name alone: one that fits stays,
 * anything else ends with a hash of the whole. A name that looks hashed is hashed too, so that none can take
 * another's place.
 */
function modelName(toolName: string, maxLength = EDITOR_TOOL_NAME): string {
  return /^[a-zA-Z0-9_-]+$/.test(toolName) &&
    toolName.length <= maxLength &&
    !looksHashed(toolName, TOOL_HASH)
    ? toolName
    : hashedName(toolName.replace(/[^a-zA-Z0-9_-]+/g, '_'), toolName, TOOL_HASH, maxLength);
}

/**
 * As `modelName`, a server's name of `a-z0-9_-`: the editor takes no capitals. `isAmbiguous` when another
 * configured server has the same name; then the hash is of the id.
 */
export function serverPrefix(
  name: string,
  id: ServerId,
  maxLength = EDITOR_SERVER_NAME,
  isAmbiguous = false,
): string {
  if (
    !isAmbiguous &&
    /^[a-z0-9_-]+$/.test(name) &&
    name.length <= maxLength &&
    !looksHashed(name, SERVER_HASH)
  ) {
    return name;
  }
  const stem = name.toLowerCase().replace(/[^a-z0-9_-]+/g, '_');
  return hashedName(stem, isAmbiguous ? `id ${id}` : `name ${name}`, SERVER_HASH, maxLength);
}

/** Maps one server's tools to the names that a model uses for them, and back. */
export class ModelNames {
  readonly #toolNames = new Map<string, string>();
  readonly #modelNames = new Map<string, string>();

  constructor(toolNames: Iterable<string>, maxLength = EDITOR_TOOL_NAME) {
    for (const toolName of toolNames) {
      const name = modelName(toolName, maxLength);
      const other = this.#toolNames.get(name);
      // Equal hashes in one server are made on purpose: whatever the order of the list, the same tool counts.
      if (other === undefined || toolName < other) {
        this.#toolNames.set(name, toolName);
        this.#modelNames.set(toolName, name);
        if (other !== undefined) {
          this.#modelNames.delete(other);
        }
      }
    }
  }

  /** Undefined for any other tool. */
  modelName(toolName: string): string | undefined {
    return this.#modelNames.get(toolName);
  }

  /** Undefined for any other name. */
  toolName(name: string): string | undefined {
    return this.#toolNames.get(name);
  }
}

function hashedName(stem: string, original: string, length: number, maxLength: number): string {
  return `${stem.slice(0, Math.max(0, maxLength - length - 1))}_${hashOf(original, length)}`;
}

function hashOf(text: string, length: number): string {
  // In UTF-8 all lone surrogates would have the same hash.
  const digest = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
  const number = BigInt(`0x${digest}`);
  return `${number % 10n}${(number / 10n)
    .toString(36)
    .padStart(length - 1, '0')
    .slice(1 - length)}`;
}

function looksHashed(name: string, length: number): boolean {
  return /^_\d[0-9a-z]+$/.test(name.slice(-length - 1));
}
