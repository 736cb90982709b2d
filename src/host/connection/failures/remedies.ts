import { baseName } from '../../launch/warnings/packageRunners.ts';
import { namesSecret } from '../../../base/text/secretShapes.ts';
import {
  wordsOf,
  type AnyLaunch,
  type InputDeclaration,
  type ServerDefinition,
} from '../../config/serverDefinition.ts';
import { hasHeader } from '../../config/tokenText.ts';
import type { HostError } from '../../errors/hostError.ts';
import { isPackageMissing, suggestsMissingKey } from './failureWord.ts';

/** A program that often starts servers, and the page of its maker that says how to install it. */
interface Program {
  readonly name: string;
  readonly address: string;
}

/** Programs, and the commands that each installs. No other address is opened. */
const knownPrograms: readonly (readonly [name: string, commands: string, address: string])[] = [
  ['Node.js', 'node npm npx', 'https://nodejs.org/en/download'],
  ['pnpm', 'pnpm pnpx', 'https://pnpm.io/installation'],
  ['Bun', 'bun bunx', 'https://bun.sh/docs/installation'],
  ['uv', 'uv uvx', 'https://docs.astral.sh/uv/getting-started/installation/'],
  ['Python', 'python python3 py pip pip3', 'https://www.python.org/downloads/'],
  ['pipx', 'pipx', 'https://pipx.pypa.io/stable/installation/'],
  ['Docker', 'docker', 'https://docs.docker.com/get-started/get-docker/'],
  ['Podman', 'podman', 'https://podman.io/docs/installation'],
  ['Deno', 'deno', 'https://docs.deno.com/runtime/getting_started/installation/'],
  ['.NET', 'dotnet dnx', 'https://dotnet.microsoft.com/download'],
  ['Go', 'go', 'https://go.dev/doc/install'],
  ['Rust', 'cargo', 'https://www.rust-lang.org/tools/install'],
  ['Git', 'git', 'https://git-scm.com/downloads'],
];

/** Where the token of a server is: one of its inputs, a value in its definition, or kept for its requests. */
export type TokenPlace = 'input' | 'definition' | 'account';

/** Where you set the token of a server. */
export function tokenPlaceOf(definition: ServerDefinition): TokenPlace {
  const { inputs, headers }: AnyLaunch & Pick<ServerDefinition, 'inputs'> = definition;
  const isWritten = !headers || hasHeader(headers, 'Authorization');
  const isInput = (input: InputDeclaration): boolean =>
    isWritten || (input.type === 'promptString' && input.password);
  return inputs.some(isInput) ? 'input' : isWritten ? 'definition' : 'account';
}

/** What may help when a server has failed, besides its log. */
export type Remedy =
  /** Install the program whose command was not found. */
  | { readonly kind: 'install'; readonly program: Program }
  /** Set its token. */
  | { readonly kind: 'setKey'; readonly place: TokenPlace }
  /** Change its definition. */
  | { readonly kind: 'edit' }
  /** Change the setting of the editor that doesn't let it run. */
  | { readonly kind: 'setting'; readonly setting: string };

/** What to try first; undefined if only the log says more. */
export function remedyFor(failure: HostError, definition: ServerDefinition): Remedy | undefined {
  const place = tokenPlaceOf(definition);
  const { status = 0 } = failure;
  switch (failure.code) {
    case 'commandNotFound': {
      const [command = ''] = wordsOf(definition);
      return installOf(command) ?? { kind: 'edit' };
    }
    case 'exited':
    case 'timedOut':
      if (isPackageMissing(failure)) {
        return { kind: 'edit' };
      }
      if (!suggestsMissingKey(failure)) {
        return undefined;
      }
      return place === 'input' || hasKeyVariable(definition) ? { kind: 'setKey', place } : { kind: 'edit' };
    case 'refused':
      if (suggestsMissingKey(failure)) {
        return { kind: 'setKey', place };
      }
      // A redirect names another address.
      return status < 400 || [400, 404, 405, 410].includes(status) ? { kind: 'edit' } : undefined;
    case 'forbidden':
      return failure.setting === undefined ? undefined : { kind: 'setting', setting: failure.setting };
    case 'workingDirectoryMissing':
    case 'spawnFailed':
    case 'unreachable':
    case 'protocol':
    case 'invalidDefinition':
      return { kind: 'edit' };
    default:
      return undefined;
  }
}

/** Installs the program of a command; undefined for one that is not known. */
export function installOf(command: string): Remedy | undefined {
  const program = programOf(baseName(command));
  return program && { kind: 'install', program };
}

function hasKeyVariable({ envFile, env = {} }: AnyLaunch): boolean {
  return envFile !== undefined || Object.keys(env).some(namesSecret);
}

/** The program that installs a command without its folder. */
function programOf(command: string): Program | undefined {
  const [name, , address] = knownPrograms.find(([, commands]) => commands.split(' ').includes(command)) ?? [];
  return name === undefined || address === undefined ? undefined : { name, address };
}
