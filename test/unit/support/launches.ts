import path from 'node:path';
import { sha256 } from '../../../src/base/text/sha256.ts';
import type { LaunchApproval } from '../../../src/host/launch/question/launchApproval.ts';
import { readEnvFile } from '../../../src/host/launch/envFile.ts';
import type { InputDeclaration, ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { Places } from '../../../src/host/config/workingDirectory.ts';
import { Launching } from '../../../src/host/servers/launching.ts';
import { readyLaunch, type ReadyLaunch } from '../../../src/host/launch/readyLaunch.ts';
import {
  resolveLaunch,
  type ReadEnvFile,
  type Surroundings,
} from '../../../src/host/launch/resolveLaunch.ts';
import type { ResolvedLaunch } from '../../../src/host/launch/resolvedLaunch.ts';
import type { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';

/** In place of the key of an installation. */
export const testKey = { hash: sha256 };

/** Where no `envFile` may be read. */
export const noEnvFile: ReadEnvFile = ({ path: realPath }) => ({ variables: {}, realPath });

/** A launch without folders and environment, from `/home/me`; what is given of the launch itself takes its place. */
export function launchOf(
  definition: ServerDefinition,
  more: Partial<Pick<ResolvedLaunch, 'workingDirectory' | 'envFile'>> & Partial<Surroundings> = {},
): ResolvedLaunch {
  const { workingDirectory, envFile, ...surroundings } = more;
  const resolved = resolveLaunch(definition, {
    folders: [],
    home: '/home/me',
    env: {},
    readEnvFile: (file) => {
      if (!envFile) {
        throw new Error('there is no such file');
      }
      return { variables: envFile, realPath: path.resolve(file.base, file.path) };
    },
    ...surroundings,
  });
  return { ...resolved, ...(workingDirectory !== undefined && { workingDirectory }) };
}

/** What a launch is made of in a test. */
export interface StartContext extends Places {
  readonly env: NodeJS.ProcessEnv;
  input(declaration: InputDeclaration): Promise<string>;
  readonly secrets?: Set<string>;
}

/** The definition with plain values as it starts, when everything is allowed. */
export async function startedAs(
  definition: ServerDefinition,
  context: StartContext,
  signal: AbortSignal = new AbortController().signal,
): Promise<ServerDefinition> {
  const launching = new Launching(
    {
      trust: { isTrusted: true, onDidGrant: () => ({ dispose: () => undefined }) },
      approval: { admit: () => Promise.resolve('allowed') } as unknown as LaunchApproval,
      roots: { check: () => Promise.resolve() } as unknown as RootsConsent,
      inputs: { valueOf: (declaration) => context.input(declaration) },
      env: context.env,
      readEnvFile,
    },
    () => context,
  );
  const { ready } = await launching.admit(
    launching.resolve(definition),
    context.secrets ?? new Set(),
    signal,
  );
  return ready.definition;
}

/** Lets every launch start, in this directory. */
export function readyIn(cwd: string): (launch: ResolvedLaunch) => Promise<ReadyLaunch> {
  return (launch) => Promise.resolve({ ...readyLaunch(launch), cwd });
}
