import type { ParseError } from 'jsonc-parser';
import { withoutEnd } from '../../../base/text/withoutEnd.ts';
import { isRecord } from '../../../base/values/record.ts';
import { parseJsonc } from '../../errors/jsonError.ts';
import { secretsIn, withSecretsAsInputs } from '../edit/secrets.ts';
import { definitionOf, type ServerDraft } from '../edit/serverDraft.ts';
import { launchOf, type DefinitionOrigin, type ServerDefinition } from '../serverDefinition.ts';
import { jsonProblem } from '../readMcpJson.ts';
import { definitionsIn } from '../dialects.ts';
import type { ImportDialect } from './importLocations.ts';
import { mapServer, type ImportedServer } from './mapServer.ts';

/** The servers in a file of another program. */
export interface ImportReading {
  readonly servers: readonly ImportedServer[];
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/**
 * Reads the servers of another program's file. `folders` are the paths of the workspace's folders: if the file lists
 * projects, only those in these folders count.
 */
export function readImport(
  text: string,
  dialect: ImportDialect,
  folders: readonly string[] = [],
): ImportReading {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), errors, { allowEmptyContent: true });
  const problem = jsonProblem(text, errors);
  if (problem !== undefined) {
    return { servers: [], problem };
  }
  if (!isRecord(value)) {
    return { servers: [] };
  }
  const inputs: readonly unknown[] = Array.isArray(value['inputs']) ? value['inputs'] : [];
  const tables = [definitionsIn(value)];
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

/** The same folder may be written with either slash, and on Windows in upper or lower case. */
function comparable(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const folder = withoutEnd(slashed, '/') || slashed.slice(0, 1);
  return /^[A-Za-z]:/.test(folder) ? folder.toLowerCase() : folder;
}

const nowhere: DefinitionOrigin = { scope: 'user', format: 'settings', place: '' };

/** The configured server with the same launch, whether its secrets are in the file or in inputs. */
export function duplicateOf(
  draft: ServerDraft,
  configured: readonly ServerDefinition[],
): ServerDefinition | undefined {
  const launches = new Set(
    [draft, withSecretsAsInputs(draft, secretsIn(draft.launch))].map((one) =>
      launchOf(definitionOf(one, nowhere)),
    ),
  );
  return configured.find((definition) => launches.has(launchOf(definition)));
}
