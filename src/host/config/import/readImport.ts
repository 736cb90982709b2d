import { parse, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../../base/record.ts';
import { jsonErrorText } from '../../errors/jsonError.ts';
import type { ImportDialect } from './importLocations.ts';
import { mapServer, type ImportedServer } from './mapServer.ts';

/** What a file of another program holds. */
export interface ImportReading {
  readonly servers: readonly ImportedServer[];
  /** Why the file could not be read at all. */
  readonly problem?: string;
}

/**
 * Reads the servers of another program's file. `folders` are the paths of the workspace's folders: of the
 * projects that one file may list, only theirs count.
 */
export function readImport(
  text: string,
  dialect: ImportDialect,
  folders: readonly string[] = [],
): ImportReading {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    return { servers: [], problem: `Line ${line} is not valid JSON: ${jsonErrorText(first)}.` };
  }
  if (!isRecord(value)) {
    return { servers: [] };
  }
  const inputs: readonly unknown[] = Array.isArray(value['inputs']) ? value['inputs'] : [];
  const tables = [value[dialect === 'vscode' ? 'servers' : 'mcpServers']];
  if (dialect === 'claudeCode' && isRecord(value['projects'])) {
    const wanted = new Set(folders.map(comparable));
    const projects = Object.entries(value['projects']).filter(([path]) => wanted.has(comparable(path)));
    tables.unshift(...projects.map(([, project]) => (isRecord(project) ? project['mcpServers'] : undefined)));
  }
  return {
    servers: tables
      .filter(isRecord)
      .flatMap((table) =>
        Object.entries(table).map(([name, server]) => mapServer(name, server, inputs, dialect)),
      ),
  };
}

/** Paths of the same folder are written with either slash, and on Windows in either case of the drive. */
function comparable(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');
  return /^[A-Za-z]:/.test(slashed) ? slashed.toLowerCase() : slashed;
}
