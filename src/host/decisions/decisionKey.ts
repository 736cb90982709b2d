import { URI } from 'vscode-uri';
import { sha256 } from '../../base/sha256.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { CallDecision, Decision } from './decision.ts';

/** What tells decisions of one kind about one server from each other. */
type KeyParts = readonly (string | null | readonly string[])[];

/** The key of a decision: a later one with the same key takes its place. */
export function keyOf(
  kind: Decision['kind'],
  remoteName: string | undefined,
  id: ServerId,
  ...parts: KeyParts
): string {
  return `${kind} ${sha256(JSON.stringify([remoteName ?? null, id, ...parts]))}`;
}

/** For a launch: by the folder's URI, and not by the workspace's id, which changes with its file. */
export function launchKeyParts(workingDirectory: string | undefined, fingerprint: string): KeyParts {
  return [workingDirectory === undefined ? null : URI.file(workingDirectory).toString(), fingerprint];
}

/** For what was said of requests. */
export function callKeyParts({
  door,
  target,
  span,
  folders = [],
}: Pick<CallDecision, 'door' | 'target' | 'span' | 'folders'>): KeyParts {
  return [door, target.kind, target.name ?? null, span === 'workspace' ? folders.toSorted() : null];
}

/** The key that a decision has by what stands in it. */
export function keyOfDecision(decision: Decision, remoteName: string | undefined): string {
  return keyOf(decision.kind, remoteName, decision.serverId, ...partsOf(decision));
}

function partsOf(decision: Decision): KeyParts {
  switch (decision.kind) {
    case 'launch': {
      const { snapshot, fingerprint } = decision;
      return launchKeyParts(snapshot.type === 'stdio' ? snapshot.cwd : undefined, fingerprint);
    }
    case 'trust':
    case 'pinned':
      return [decision.fingerprint];
    case 'call':
      return callKeyParts(decision);
    case 'roots':
    case 'preference':
    case 'sample':
    case 'exposure':
    case 'grant':
    case 'sampling':
      return [];
  }
}
